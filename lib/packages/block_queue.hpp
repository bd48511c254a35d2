// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace bootbudget::packages {

/// A stretch of a stream of files: the contents of many small ones or a part of a large one.
struct Block {
    /// A part of one file, in bytes of the block.
    struct Piece {
        int file = 0;
        std::size_t begin = 0;
        std::size_t size = 0;
        bool is_last = false;  ///< of its file
    };

    std::vector<char> bytes;  ///< all that there is room for
    std::vector<Piece> pieces;
    std::size_t used = 0;  ///< of bytes
};

/// A few blocks that go round between a thread that fills them and one that empties them, so that memory is bounded and neither waits for the other while it
/// has work.
class BlockQueue {
public:
    BlockQueue(std::size_t blocks, std::size_t block_size);

    /// For the thread that fills: an empty block, nothing once the queue was aborted.
    std::optional<Block> take_empty();
    void give_full(Block block);
    void finish();  ///< no block will follow

    /// For the thread that empties: the next block, nothing at the end or once the queue was aborted.
    std::optional<Block> take_full();
    void give_empty(Block block);

    /// For either, when it cannot go on: the other gets nothing more.
    void abort() noexcept;

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Block> empty_;
    std::deque<Block> full_;
    bool is_finished_ = false;
    bool is_aborted_ = false;
};

}  // namespace bootbudget::packages
