// SPDX-License-Identifier: GPL-2.0-or-later
// One mutex for both directions: with blocks of a mebibyte it is taken some thousand times a second at most.
#include "packages/block_queue.hpp"

#include <utility>

namespace bootbudget::packages {

BlockQueue::BlockQueue(std::size_t blocks, std::size_t block_size) : empty_(blocks) {
    for (Block & block : empty_) {
        block.bytes.resize(block_size);
    }
}

std::optional<Block> BlockQueue::take_empty() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_aborted_ || !empty_.empty(); });
    if (is_aborted_) {
        return std::nullopt;
    }
    Block block = std::move(empty_.front());
    empty_.pop_front();
    return block;
}

void BlockQueue::give_full(Block block) {
    {
        const std::lock_guard lock(mutex_);
        full_.push_back(std::move(block));
    }
    changed_.notify_all();
}

void BlockQueue::finish() {
    {
        const std::lock_guard lock(mutex_);
        is_finished_ = true;
    }
    changed_.notify_all();
}

std::optional<Block> BlockQueue::take_full() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_aborted_ || is_finished_ || !full_.empty(); });
    if (is_aborted_ || full_.empty()) {
        return std::nullopt;
    }
    Block block = std::move(full_.front());
    full_.pop_front();
    return block;
}

void BlockQueue::give_empty(Block block) {
    block.pieces.clear();
    block.used = 0;
    {
        const std::lock_guard lock(mutex_);
        empty_.push_back(std::move(block));
    }
    changed_.notify_all();
}

void BlockQueue::abort() noexcept {
    {
        const std::lock_guard lock(mutex_);
        is_aborted_ = true;
    }
    changed_.notify_all();
}

}  // namespace bootbudget::packages
