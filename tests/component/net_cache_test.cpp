// SPDX-License-Identifier: GPL-2.0-or-later
// Processes that enter an entry while another one removes it again and again.
#include "net/cache.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>

namespace bootbudget::net {
namespace {

namespace fs = std::filesystem;

const CachePlace PLACE{"url/ab/abcdef", "repomd.xml"};

pid_t in_child(const std::function<bool()> & action) {
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            ::_exit(action() ? 0 : 1);
        } catch (const std::exception & error) {
            std::fprintf(stderr, "%s\n", error.what());
            ::_exit(2);
        }
    }
    return child;
}

TEST(NetCache, AnEntryIsNeverRemovedUnderItsUser) {
    const tests::Scratch scratch;
    const fs::path root = scratch.path() / "cache";
    const fs::path end = scratch.path() / "end";
    Cache(root).enter(PLACE);

    const pid_t visitor = in_child([&] {
        Cache cache(root);
        while (!fs::exists(end)) {
            auto entry = cache.enter(PLACE);
            if (!entry) {
                continue;
            }
            entry->open_part();
            if (!entry->part_size()) {
                return false;
            }
            entry->remove_part();
        }
        return true;
    });
    const pid_t remover = in_child([&] {
        Cache cache(root);
        const timeval long_ago[2] = {{1, 0}, {1, 0}};
        while (!fs::exists(end)) {
            ::utimes((root / PLACE.directory / ".lock").c_str(), long_ago);
            ::utimes((root / ".pruned").c_str(), long_ago);
            cache.remove_unused();
        }
        return true;
    });
    // Both are held up at all moments, such as between opening and locking, while the other one goes on.
    constexpr int ROUNDS = 500;
    for (int round = 0; round < ROUNDS; ++round) {
        const pid_t victim = round % 4 == 0 ? remover : visitor;
        ::kill(victim, SIGSTOP);
        ::usleep(1000);
        ::kill(victim, SIGCONT);
        ::usleep(static_cast<useconds_t>(round * 37 % 300));
    }
    std::ofstream(end) << "";
    for (const pid_t child : {visitor, remover}) {
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
}

TEST(NetCache, AnEntryHasOneUser) {
    const tests::Scratch scratch;
    Cache cache(scratch.path() / "cache");
    auto first = cache.enter(PLACE);
    ASSERT_TRUE(first);
    EXPECT_FALSE(cache.enter(PLACE));
    EXPECT_TRUE(cache.enter({"url/ab/other", "repomd.xml"}));
    first.reset();
    EXPECT_TRUE(cache.enter(PLACE));
}

TEST(NetCache, AFinishedFileReplacesTheEarlierOne) {
    const tests::Scratch scratch;
    Cache cache(scratch.path() / "cache");
    auto entry = cache.enter(PLACE);
    ASSERT_TRUE(entry);
    EXPECT_FALSE(entry->file_size());
    for (const char * content : {"first", "the second"}) {
        const common::Descriptor part = entry->open_part();
        ASSERT_GT(::write(part.number(), content, std::string(content).size()), 0);
        entry->write_part_validators({"\"part\"", "", ""});
        EXPECT_EQ(entry->part_validators().etag, "\"part\"");
        entry->finish({content, "", ""});
        EXPECT_EQ(tests::content_of(entry->file()), content);
        EXPECT_EQ(entry->validators().etag, content);
        EXPECT_FALSE(entry->part_size());
        EXPECT_EQ(entry->part_validators(), Validators{});
    }
    entry->remove_file();
    EXPECT_FALSE(entry->file_size());
    EXPECT_EQ(entry->validators(), Validators{});
}

}  // namespace
}  // namespace bootbudget::net
