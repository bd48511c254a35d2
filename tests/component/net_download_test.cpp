// SPDX-License-Identifier: GPL-2.0-or-later
// Downloads from a real nginx into a real cache: by one process, by two at once, by one after another that was killed.
#include "net_fixture.hpp"
#include "support/as_ordinary_user.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace bootbudget::net {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class NetDownload : public NetTest {
protected:
    std::string kernel() const { return tests::content_of(root() / "kernel.rpm"); }

    /// Runs `action` in a process of its own, which ends with 0 if nothing is thrown.
    static pid_t in_child(const std::function<void()> & action) {
        const pid_t child = ::fork();
        if (child == 0) {
            int status = 0;
            try {
                action();
            } catch (const std::exception & error) {
                std::fprintf(stderr, "%s\n", error.what());
                status = 1;
            }
            ::_exit(status);
        }
        return child;
    }
    static int status_of(pid_t child) {
        int status = -1;
        ::waitpid(child, &status, 0);
        return status;
    }

    // As if the file had last been touched so long ago.
    static void age(const fs::path & path, int days) {
        const std::time_t then = std::time(nullptr) - std::time_t{days} * 24 * 60 * 60;
        const timeval times[2] = {{then, 0}, {then, 0}};
        ASSERT_EQ(::utimes(path.c_str(), times), 0) << path;
    }
};

TEST_F(NetDownload, AFileIsFetchedOverTlsOnceAndThenTakenFromTheCache) {
    serve({.tls = true});
    const Download download = promised("/kernel.rpm");
    const fs::path path = get(download);
    EXPECT_EQ(path, entry_of(download) / "kernel.rpm");
    EXPECT_EQ(tests::content_of(path), kernel());
    EXPECT_EQ(progress_.last_done, SIZE);
    EXPECT_EQ(progress_.last_total, SIZE);
    EXPECT_THAT(progress_.steps, ElementsAre("downloaded the package (195 KiB)"));
    struct stat status {};
    ASSERT_EQ(::stat(options_.cache.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0700U);

    EXPECT_EQ(get(download), path);
    EXPECT_THAT(progress_.steps, SizeIs(1));
    EXPECT_THAT(server_->requests(), SizeIs(1));
}

TEST_F(NetDownload, FilesComeAtOnceAndInTheOrderAskedFor) {
    publish("b.rpm", "bb");
    publish("c.rpm", "");
    serve();
    const auto paths = fetch(
        {promised("/faulty/together/3/kernel.rpm"),
         promised("/faulty/together/3/b.rpm"),
         unknown("/faulty/together/3/c.rpm")},
        options_,
        progress_,
        {});
    ASSERT_THAT(paths, SizeIs(3));
    EXPECT_EQ(tests::content_of(paths[0]), kernel());
    EXPECT_EQ(tests::content_of(paths[1]), "bb");
    EXPECT_EQ(tests::content_of(paths[2]), "");
    EXPECT_THAT(fetch({}, options_, progress_, {}), IsEmpty());
}

TEST_F(NetDownload, FilesComeOverHttp2Too) {
    publish("b.rpm", "bb");
    serve({.tls = true, .faults = true});
    const auto paths = fetch(
        {promised("/faulty/cut/1/kernel.rpm"), promised("/b.rpm"), unknown("/faulty/slow/1/b.rpm")},
        options_,
        progress_,
        {});
    EXPECT_EQ(tests::content_of(paths.at(0)), kernel());
    EXPECT_EQ(tests::content_of(paths.at(1)), "bb");
    EXPECT_EQ(tests::content_of(paths.at(2)), "bb");
    EXPECT_THAT(
        server_->requests(),
        AllOf(SizeIs(4), testing::Each(HasSubstr(" HTTP/2")), testing::Contains(HasSubstr("range=bytes="))));
}

TEST_F(NetDownload, NoMoreThanAllowedRunAtOnce) {
    serve();
    std::vector<Download> downloads;
    for (int i = 0; i < 6; ++i) {
        const std::string name = std::to_string(i) + ".rpm";
        publish(name, name);
        downloads.push_back(promised("/faulty/slow/1/" + name));
    }
    options_.parallel = 2;
    fetch(downloads, options_, progress_, {});
    EXPECT_EQ(tests::content_of(get(unknown("/faulty/peak"))), "2");
}

TEST_F(NetDownload, TheSameFileTwiceIsFetchedOnce) {
    serve();
    Download renamed = promised("/kernel.rpm");
    renamed.url = server_->url("/faulty/slow/1/kernel.rpm");
    const auto paths = fetch({promised("/kernel.rpm"), renamed, promised("/kernel.rpm")}, options_, progress_, {});
    EXPECT_EQ(paths, std::vector<fs::path>(3, paths[0]));
    EXPECT_THAT(server_->requests(), SizeIs(1));
}

TEST_F(NetDownload, AFileWithoutChecksumIsAskedForEachTime) {
    publish("repomd.xml", "first");
    serve();
    EXPECT_EQ(tests::content_of(get(unknown("/repomd.xml"))), "first");
    EXPECT_EQ(tests::content_of(get(unknown("/repomd.xml"))), "first");
    publish("repomd.xml", "the second");
    const fs::path path = get(unknown("/repomd.xml"));
    EXPECT_EQ(tests::content_of(path), "the second");
    std::ofstream(path) << "the damage";
    EXPECT_EQ(tests::content_of(get(unknown("/repomd.xml"))), "the second");
    EXPECT_THAT(
        server_->requests(),
        ElementsAre(
            HasSubstr(" 200 5 "),
            AllOf(HasSubstr(" 304 0 "), HasSubstr("if-none-match=\\x22")),
            AllOf(HasSubstr(" 200 10 "), HasSubstr("if-none-match=\\x22")),
            AllOf(HasSubstr(" 200 10 "), HasSubstr("if-none-match=- "))));
}

TEST_F(NetDownload, ADamagedFileOfTheCacheIsFetchedAgain) {
    serve();
    const Download download = promised("/kernel.rpm");
    const fs::path path = get(download);
    std::string damaged = kernel();
    damaged[SIZE / 2] = static_cast<char>(damaged[SIZE / 2] ^ 1);
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_EQ(tests::content_of(get(download)), kernel());
    fs::resize_file(path, 10);
    EXPECT_EQ(tests::content_of(get(download)), kernel());
    EXPECT_THAT(server_->requests(), SizeIs(3));
}

TEST_F(NetDownload, TwoProcessesShareOneDownload) {
    serve();
    const Download download = promised("/faulty/slow/2/kernel.rpm");
    const auto action = [&] {
        if (tests::content_of(get(download)) != kernel()) {
            throw std::runtime_error("another content");
        }
    };
    const pid_t first = in_child(action);
    const pid_t second = in_child(action);
    EXPECT_EQ(status_of(first), 0);
    EXPECT_EQ(status_of(second), 0);
    EXPECT_THAT(server_->requests(), ElementsAre(HasSubstr(" 200 200000 ")));
}

TEST_F(NetDownload, WhatAKilledProcessHasLeftIsContinued) {
    serve();
    const Download download = promised("/faulty/hold/1/kernel.rpm");
    const pid_t child = in_child([&] { get(download); });
    const fs::path part = entry_of(download) / ".part";
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::error_code unknown_yet;
    while (fs::file_size(part, unknown_yet) != SIZE / 2 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(child, SIGKILL);
    status_of(child);
    EXPECT_EQ(tests::content_of(get(download)), kernel());
    EXPECT_FALSE(fs::exists(part));
    EXPECT_THAT(
        server_->requests(), testing::Contains(AllOf(HasSubstr(" 206 100000 "), HasSubstr("range=bytes=100000-"))));
}

TEST_F(NetDownload, APartThatIsWholeOrTooLongNeedsNoGuess) {
    serve();
    const Download download = promised("/kernel.rpm");
    fs::create_directories(entry_of(download));
    fs::permissions(options_.cache, fs::perms(0700));
    std::ofstream(entry_of(download) / ".part", std::ios::binary) << kernel();
    EXPECT_EQ(tests::content_of(get(download)), kernel());
    forget();
    fs::create_directories(entry_of(download));
    fs::permissions(options_.cache, fs::perms(0700));
    std::ofstream(entry_of(download) / ".part", std::ios::binary) << kernel() << "more";
    EXPECT_EQ(tests::content_of(get(download)), kernel());
    EXPECT_THAT(server_->requests(), ElementsAre(AllOf(HasSubstr(" 200 "), HasSubstr("range=- "))));
}

TEST_F(NetDownload, StoppingLeavesThePartForTheNextCall) {
    serve();
    const Download download = promised("/faulty/hold/1/kernel.rpm");
    std::stop_source stop;
    progress_.on_advance = [&](double done) {
        if (done > 0) {
            stop.request_stop();
        }
    };
    EXPECT_THROW(fetch({download}, options_, progress_, stop.get_token()), Cancelled);
    EXPECT_GT(fs::file_size(entry_of(download) / ".part"), 0U);
    EXPECT_THROW(fetch({download}, options_, progress_, stop.get_token()), Cancelled) << "stopped before";
    EXPECT_EQ(tests::content_of(get(download)), kernel());
}

TEST_F(NetDownload, WaitingForAnotherProcessCanBeStopped) {
    serve();
    const Download download = promised("/faulty/hold/9/kernel.rpm");
    const pid_t child = in_child([&] { get(download); });
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!fs::exists(entry_of(download) / ".part") && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::stop_source stop;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stop.request_stop();
    });
    EXPECT_THROW(fetch({download}, options_, progress_, stop.get_token()), Cancelled);
    EXPECT_THAT(progress_.steps, ElementsAre("waiting for another process that downloads the package"));
    ::kill(child, SIGKILL);
    status_of(child);
    EXPECT_THAT(server_->requests(), SizeIs(1));
}

TEST_F(NetDownload, WhatNobodyAsksForIsRemoved) {
    publish("old.rpm", "old");
    publish("used.rpm", "used");
    serve();
    const Download old = promised("/old.rpm");
    const Download used = promised("/used.rpm");
    fetch({old, used}, options_, progress_, {});
    age(entry_of(old) / ".lock", UNUSED_DAYS + 1);
    age(entry_of(used) / ".lock", UNUSED_DAYS - 1);
    get(promised("/kernel.rpm"));
    EXPECT_TRUE(fs::exists(entry_of(old) / "old.rpm")) << "it was looked at less than a day ago";
    age(options_.cache / ".pruned", 2);
    get(promised("/kernel.rpm"));
    EXPECT_FALSE(fs::exists(entry_of(old)));
    EXPECT_TRUE(fs::exists(entry_of(used) / "used.rpm"));
    EXPECT_EQ(tests::content_of(get(old)), "old");
}

TEST_F(NetDownload, ACacheThatOthersCouldChangeIsRefused) {
    serve();
    const Download download = promised("/kernel.rpm");
    fs::create_directories(options_.cache);
    fs::permissions(options_.cache, fs::perms(0777));
    EXPECT_THAT(
        error_of<UserError>(download),
        AllOf(HasSubstr(options_.cache.string()), HasSubstr("chmod go-w"), HasSubstr("--cache")));
    fs::permissions(options_.cache, fs::perms(0755));
    if (::geteuid() == 0) {
        constexpr uid_t NOBODY = 65534;
        ASSERT_EQ(::chown(options_.cache.c_str(), NOBODY, NOBODY), 0);
        EXPECT_THAT(error_of<UserError>(download), AllOf(HasSubstr("another account"), HasSubstr("--cache")));
    }
    options_.cache = root() / "kernel.rpm";
    EXPECT_THAT(error_of<UserError>(download), AllOf(HasSubstr("is not a directory"), HasSubstr("--cache")));
    options_.cache = root() / "kernel.rpm" / "below";
    EXPECT_THAT(error_of<SystemError>(download), AllOf(HasSubstr(options_.cache.string()), HasSubstr("--cache")));
    EXPECT_THAT(server_->requests(), IsEmpty());
}

TEST_F(NetDownload, ACacheThatCannotBeWrittenIsNamed) {
    serve();
    fs::permissions(scratch_.path(), fs::perms(0755));
    const Download download = promised("/kernel.rpm");
    test::as_ordinary_user([&] {
        options_.cache = "/sys/cache";
        EXPECT_THAT(
            error_of<SystemError>(download),
            AllOf(StartsWith("cannot make the cache /sys/cache"), HasSubstr("--cache")));
    });
}

TEST_F(NetDownload, NoSpaceLeftIsNotTheServersFault) {
    serve();
    const Download download = promised("/kernel.rpm");
    const pid_t child = in_child([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{SIZE / 2, SIZE / 2};
        ::setrlimit(RLIMIT_FSIZE, &limit);  // like a full disk, but for this process only
        const std::string message = error_of<SystemError>(download);
        if (message.find("cannot write " + (entry_of(download) / ".part").string()) != 0 ||
            message.find("make room there") == std::string::npos) {
            throw std::runtime_error(message);
        }
    });
    EXPECT_EQ(status_of(child), 0);
    EXPECT_THAT(server_->requests(), SizeIs(1));
}

}  // namespace
}  // namespace bootbudget::net
