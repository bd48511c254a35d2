// SPDX-License-Identifier: GPL-2.0-or-later
// Every package here is accepted by read_rpm(), digests and all: what is shown is that the judgement of paths, types and sizes refuses them.
#include "packages/payload.hpp"
#include "support/forged_rpm.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <set>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using tests::ForgedEntry;
using tests::ForgedRpm;
namespace fs = std::filesystem;

constexpr std::uint16_t FILE_MODE = 0100644;
constexpr std::uint16_t DIRECTORY_MODE = 040755;
constexpr std::uint16_t LINK_MODE = 0120777;

bool everything(std::string_view /*name*/) {
    return true;
}

class PackagesForged : public testing::Test {
protected:
    PackagesForged() {
        fs::create_directories(root_);
        std::ofstream(scratch_.path() / "outside") << "untouched";
    }

    RpmFile forged(const std::vector<ForgedEntry> & entries) {
        ForgedRpm rpm;
        rpm.entries = entries;
        return read_rpm(tests::forge_into(scratch_.path() / "rpms", rpm));
    }

    // The message of the UserError, or "accepted".
    std::string unpack_all(const std::vector<ForgedEntry> & entries) {
        const RpmFile package = forged(entries);
        try {
            unpack(package, root_, everything, {}, {});
        } catch (const UserError & error) {
            return error.what();
        }
        return "accepted";
    }

    // All names below the root, with a '/' after directories.
    std::set<std::string> tree() const {
        std::set<std::string> names;
        for (const auto & entry : fs::recursive_directory_iterator(root_)) {
            const bool directory = entry.is_directory() && !entry.is_symlink();
            names.insert(entry.path().lexically_relative(root_).string() + (directory ? "/" : ""));
        }
        return names;
    }

    std::set<std::string> files() const {
        std::set<std::string> names = tree();
        std::erase_if(names, [](const std::string & name) { return name.back() == '/'; });
        return names;
    }

    void expect_nothing_written() const {
        EXPECT_THAT(files(), testing::IsEmpty());
        // The root, the packages and the file beside them: nothing else appeared.
        std::set<std::string> beside;
        for (const auto & entry : fs::directory_iterator(scratch_.path())) {
            beside.insert(entry.path().filename().string());
        }
        EXPECT_EQ(beside, (std::set<std::string>{"outside", "root", "rpms"}));
        EXPECT_EQ(tests::content_of(scratch_.path() / "outside"), "untouched");
    }

    tests::Scratch scratch_;
    fs::path root_ = scratch_.path() / "root";
};

TEST_F(PackagesForged, AnHonestPackageIsAcceptedAndUnpacked) {
    const std::string big(300000, 'x');
    ASSERT_EQ(
        unpack_all({
            {"/lib/modules/1", DIRECTORY_MODE},
            {"/lib/modules/1/vmlinuz", 0100755, big},
            {"/lib/modules/1/config", 0100600, "CONFIG_A=y\n"},
            {"/lib/modules/1/empty", FILE_MODE, ""},
            {"/lib/modules/1/link", LINK_MODE, "", "config"},
            {"/lib/modules/1/sub/deep/x.ko", FILE_MODE, "module"},
        }),
        "accepted");
    EXPECT_EQ(
        tree(),
        (std::set<std::string>{
            "lib/",
            "lib/modules/",
            "lib/modules/1/",
            "lib/modules/1/vmlinuz",
            "lib/modules/1/config",
            "lib/modules/1/empty",
            "lib/modules/1/link",
            "lib/modules/1/sub/",
            "lib/modules/1/sub/deep/",
            "lib/modules/1/sub/deep/x.ko"}));
    EXPECT_EQ(tests::content_of(root_ / "lib/modules/1/vmlinuz"), big);
    EXPECT_EQ(tests::content_of(root_ / "lib/modules/1/config"), "CONFIG_A=y\n");
    EXPECT_EQ(fs::read_symlink(root_ / "lib/modules/1/link"), "config");
}

TEST_F(PackagesForged, RpmItselfFindsAnHonestForgedPackageInOrder) {
    ForgedRpm rpm;
    rpm.entries = {{"/lib/modules/1/vmlinuz", 0100755, "kernel"}};
    const fs::path path = tests::forge_into(scratch_.path() / "rpms", rpm);
    if (std::system("rpm --version > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "the command rpm is missing: install the package \"rpm\"";
    }
    EXPECT_EQ(std::system(("rpm -K --nosignature '" + path.string() + "' > /dev/null 2>&1").c_str()), 0);
}

TEST_F(PackagesForged, ModesAreReadableForAllAndSetuidIsDropped) {
    const mode_t before = ::umask(0077);
    const std::string result = unpack_all({
        {"/a/setuid", 0104755, "x"},
        {"/a/setgid", 0102711, "x"},
        {"/a/secret", 0100600, "x"},
        {"/a/sticky", 041777},
    });
    ::umask(before);
    ASSERT_EQ(result, "accepted");
    const auto mode = [this](const char * name) {
        struct stat status {};
        EXPECT_EQ(::stat((root_ / name).c_str(), &status), 0) << name;
        return status.st_mode & 07777U;
    };
    EXPECT_EQ(mode("a"), 0755U);
    EXPECT_EQ(mode("a/setuid"), 0755U);
    EXPECT_EQ(mode("a/setgid"), 0755U);
    EXPECT_EQ(mode("a/secret"), 0644U);
    EXPECT_EQ(mode("a/sticky"), 0755U);
}

TEST_F(PackagesForged, NamesThatLeadOutAreRefused) {
    for (const char * name :
         {"/lib/modules/1/../../../../outside",
          "/../outside",
          "../outside",
          "/lib/..",
          "outside",
          "/lib//x",
          "/lib/./x",
          "/lib/.",
          "/lib/x/"}) {
        EXPECT_THAT(
            unpack_all({{"/lib/modules/1/good", FILE_MODE, "x"}, {name, FILE_MODE, "owned"}}),
            HasSubstr("is refused: its entry"))
            << name;
        expect_nothing_written();
    }
}

TEST_F(PackagesForged, NamesThatLeadOutAreRefusedEvenWhereTheyAreNotWanted) {
    const RpmFile package =
        forged({{"/lib/modules/1/good", FILE_MODE, "x"}, {"/opt/../../outside", FILE_MODE, "owned"}});
    EXPECT_THROW(
        unpack(package, root_, [](std::string_view name) { return name.substr(0, 5) == "/lib/"; }, {}, {}), UserError);
    expect_nothing_written();
}

TEST_F(PackagesForged, TheMessageNamesPackageAndEntryAndIsFitForATerminal) {
    EXPECT_THAT(
        unpack_all({{"/lib/modules/1/a\nb\x1b[2J", FILE_MODE, "x"}}),
        AllOf(
            HasSubstr("forged-1-1.x86_64"),
            HasSubstr(scratch_.path().string()),
            HasSubstr("control character"),
            testing::Not(HasSubstr("\n")),
            testing::Not(HasSubstr("\x1b"))));
    expect_nothing_written();
}

TEST_F(PackagesForged, OverlongNamesAreRefused) {
    EXPECT_THAT(unpack_all({{"/lib/" + std::string(300, 'a'), FILE_MODE, "x"}}), HasSubstr("too long"));
    std::string deep;
    for (int i = 0; i < 3000; ++i) {
        deep += "/a";
    }
    EXPECT_THAT(unpack_all({{deep, FILE_MODE, "x"}}), HasSubstr("too long"));
    expect_nothing_written();
}

TEST_F(PackagesForged, NothingIsWrittenThroughAnAbsoluteLink) {
    const std::string target = scratch_.path().string();
    EXPECT_THAT(
        unpack_all({{"/lib/modules/1", LINK_MODE, "", target}, {"/lib/modules/1/outside", FILE_MODE, "owned"}}),
        HasSubstr("through the symbolic link \"/lib/modules/1\""));
    expect_nothing_written();
}

TEST_F(PackagesForged, NothingIsWrittenThroughALinkInsideTheTreeEither) {
    const std::vector<std::vector<ForgedEntry>> packages{
        {{"/lib/real", DIRECTORY_MODE}, {"/lib/link", LINK_MODE, "", "real"}, {"/lib/link/x", FILE_MODE, "x"}},
        {{"/lib/link/x", FILE_MODE, "x"}, {"/lib/link", LINK_MODE, "", "../.."}},
        {{"/lib/link", LINK_MODE, "", "../.."}, {"/lib/link/sub/x", FILE_MODE, "x"}},
        {{"/lib/link", LINK_MODE, "", "../.."}, {"/lib/link/sub", DIRECTORY_MODE}},
    };
    for (const auto & entries : packages) {
        EXPECT_THAT(unpack_all(entries), HasSubstr("through the symbolic link \"/lib/link\""));
        expect_nothing_written();
    }
}

TEST_F(PackagesForged, NothingIsWrittenThroughALinkOfAnEarlierPackage) {
    ASSERT_EQ(
        unpack_all({{"/lib/modules/1/sub", DIRECTORY_MODE}, {"/lib/modules/1/kernel", LINK_MODE, "", "sub"}}),
        "accepted");
    EXPECT_THAT(
        unpack_all({{"/lib/modules/1/kernel/x.ko", FILE_MODE, "x"}}),
        HasSubstr("would be written through \"/lib/modules/1/kernel\", which is not a directory"));
    EXPECT_FALSE(fs::exists(root_ / "lib/modules/1/sub/x.ko"));
    EXPECT_THAT(unpack_all({{"/lib/modules/1/kernel", FILE_MODE, "x"}}), HasSubstr("is there already"));
}

TEST_F(PackagesForged, NothingIsWrittenThroughALinkThatSomebodyElsePutThere) {
    fs::create_directories(root_ / "lib");
    fs::create_directory_symlink(scratch_.path(), root_ / "lib/modules");
    EXPECT_THAT(unpack_all({{"/lib/modules/outside", FILE_MODE, "owned"}}), HasSubstr("which is not a directory"));
    EXPECT_EQ(tests::content_of(scratch_.path() / "outside"), "untouched");
}

TEST_F(PackagesForged, LinksToElsewhereAreLeftOutAndTheRestIsUnpacked) {
    ASSERT_EQ(
        unpack_all({
            {"/lib/modules/1/build", LINK_MODE, "", "/usr/src/kernels/1"},
            {"/lib/modules/1/source", LINK_MODE, "", "build"},
            {"/lib/modules/1/up", LINK_MODE, "", "../../../../../etc/passwd"},
            {"/lib/modules/1/within", LINK_MODE, "", "../2/vmlinuz"},
            {"/lib/modules/1/down-up", LINK_MODE, "", "within/../../../../../x"},
            {"/lib/modules/1/vmlinuz", 0100755, "kernel"},
        }),
        "accepted");
    EXPECT_EQ(
        files(), (std::set<std::string>{"lib/modules/1/source", "lib/modules/1/within", "lib/modules/1/vmlinuz"}));
}

TEST_F(PackagesForged, DeviceNodesFifosAndSocketsAreRefused) {
    for (const auto & [mode, word] : std::vector<std::pair<std::uint16_t, std::string>>{
             {0020666, "a device node"},
             {0060660, "a device node"},
             {0010644, "a FIFO"},
             {0140644, "a socket"},
             {0170644, "of an unknown type"}}) {
        EXPECT_THAT(
            unpack_all({{"/lib/modules/1/good", FILE_MODE, "x"}, {"/lib/modules/1/odd", mode}}),
            HasSubstr("is " + word))
            << mode;
        expect_nothing_written();
    }
}

TEST_F(PackagesForged, ADeviceNodeThatNobodyWantsDoesNotMatter) {
    const RpmFile package = forged({{"/lib/a", FILE_MODE, "x"}, {"/dev/sda", 0060660}});
    unpack(package, root_, [](std::string_view name) { return name.substr(0, 5) == "/lib/"; }, {}, {});
    EXPECT_EQ(files(), std::set<std::string>{"lib/a"});
}

ForgedEntry lying(std::optional<std::uint32_t> header_size, std::optional<std::uint32_t> archive_size) {
    ForgedEntry entry{"/lib/modules/1/liar", FILE_MODE, std::string(1000, 'x')};
    entry.header_size = header_size;
    entry.archive_size = archive_size;
    return entry;
}

TEST_F(PackagesForged, SizesThatLieAreRefused) {
    const std::vector<ForgedEntry> liars{
        lying(10, std::nullopt),
        lying(0, std::nullopt),
        lying(100000, std::nullopt),
        lying(0xffffffffU, std::nullopt),
        lying(10, 10),
    };
    for (const ForgedEntry & liar : liars) {
        EXPECT_THAT(
            unpack_all({liar, {"/lib/modules/1/next", FILE_MODE, "next"}}), HasSubstr("the package forged-1-1.x86_64"))
            << liar.header_size.value_or(1000) << " in the header, " << liar.archive_size.value_or(1000)
            << " in the archive";
        EXPECT_FALSE(fs::exists(root_ / "lib/modules/1/liar"));
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
}

TEST_F(PackagesForged, SizesThatOnlyTheArchiveGivesAreNotBelieved) {
    // The verified header's size rules, and the digest proves the content.
    for (const std::uint32_t size : {0U, 10U, 100000U, 0xffffffffU}) {
        ASSERT_EQ(unpack_all({lying(std::nullopt, size), {"/lib/modules/1/next", FILE_MODE, "next"}}), "accepted");
        EXPECT_EQ(tests::content_of(root_ / "lib/modules/1/liar"), std::string(1000, 'x')) << size;
        EXPECT_EQ(tests::content_of(root_ / "lib/modules/1/next"), "next") << size;
        EXPECT_EQ(files().size(), 2U);
        fs::remove_all(root_ / "lib");
    }
}

TEST_F(PackagesForged, ALinkWhoseLengthLiesIsRefusedBeforeAnybodyAllocatesIt) {
    ForgedEntry link{"/lib/link", LINK_MODE, "", "target"};
    for (const std::uint32_t size : {0xffffffffU, 0U, 5U, 100000U}) {
        link.header_size = size;
        EXPECT_THAT(unpack_all({link}), HasSubstr("length differs from its target's")) << size;
        const RpmFile package = forged({link, {"/lib/x", FILE_MODE, "x"}});
        EXPECT_THROW(unpack(package, root_, [](std::string_view name) { return name == "/lib/x"; }, {}, {}), UserError);
        expect_nothing_written();
    }
}

TEST_F(PackagesForged, ContentThatDiffersFromItsDigestIsRefusedAndRemoved) {
    ForgedEntry entry{"/lib/modules/1/vmlinuz", FILE_MODE, "kernel"};
    entry.digest = std::string(64, 'a');
    EXPECT_THAT(unpack_all({entry}), HasSubstr("differs from its digest"));
    expect_nothing_written();
    entry.digest = "";
    EXPECT_THAT(unpack_all({entry}), testing::Not("accepted"));
    expect_nothing_written();
}

TEST_F(PackagesForged, DuplicatesAreRefused) {
    EXPECT_THAT(unpack_all({{"/lib/a", FILE_MODE, "first"}, {"/lib/a", FILE_MODE, "second"}}), HasSubstr("twice"));
    expect_nothing_written();
    EXPECT_THAT(unpack_all({{"/lib/a", FILE_MODE, "first"}, {"/lib/a", LINK_MODE, "", "b"}}), HasSubstr("twice"));
    expect_nothing_written();

    // Twice in the archive only.
    ForgedEntry again{"/lib/b", FILE_MODE, "second"};
    again.archive_name = "./lib/a";
    EXPECT_NE(unpack_all({{"/lib/a", FILE_MODE, "first!"}, again}), "accepted");
    EXPECT_EQ(files().count("lib/b"), 0U);
}

TEST_F(PackagesForged, AFileWhereADirectoryIsAndADirectoryWhereAFileIs) {
    EXPECT_NE(unpack_all({{"/lib/a", DIRECTORY_MODE}, {"/lib/a", FILE_MODE, "x"}}), "accepted");
    fs::remove_all(root_ / "lib");
    EXPECT_NE(unpack_all({{"/lib/a", FILE_MODE, "x"}, {"/lib/a/b", FILE_MODE, "y"}}), "accepted");
    fs::remove_all(root_ / "lib");

    ASSERT_EQ(unpack_all({{"/lib/a/b", FILE_MODE, "x"}}), "accepted");
    EXPECT_THAT(unpack_all({{"/lib/a", FILE_MODE, "x"}}), HasSubstr("is there already"));
    EXPECT_THAT(unpack_all({{"/lib/a/b/c", FILE_MODE, "x"}}), HasSubstr("which is not a directory"));
    EXPECT_EQ(tests::content_of(root_ / "lib/a/b"), "x");
}

TEST_F(PackagesForged, ArchiveAndHeaderMustListTheSameFiles) {
    ForgedEntry missing{"/lib/a", FILE_MODE, "x"};
    missing.in_archive = false;
    EXPECT_THAT(unpack_all({missing, {"/lib/b", FILE_MODE, "x"}}), HasSubstr("does not match its header"));
    fs::remove_all(root_ / "lib");

    ForgedEntry smuggled{"/lib/a", FILE_MODE, "x"};
    smuggled.archive_name = "./lib/../../outside";
    EXPECT_THAT(unpack_all({smuggled}), HasSubstr("does not match its header"));
    expect_nothing_written();
}

TEST_F(PackagesForged, GhostsAreNotUnpacked) {
    ForgedEntry ghost{"/lib/modules/1/modules.dep", FILE_MODE, ""};
    ghost.flags = 64;
    ghost.in_archive = false;
    const RpmFile package = forged({ghost, {"/lib/modules/1/x", FILE_MODE, "x"}});
    EXPECT_EQ(package.files, std::vector<std::string>{"/lib/modules/1/x"});
    EXPECT_EQ(package.ghosts, std::vector<std::string>{"/lib/modules/1/modules.dep"});
    unpack(package, root_, everything, {}, {});
    EXPECT_EQ(files(), std::set<std::string>{"lib/modules/1/x"});
}

ForgedEntry hard_link(const std::string & name, const std::string & content) {
    ForgedEntry entry{name, FILE_MODE, content};
    entry.inode = 7;
    return entry;
}

TEST_F(PackagesForged, HardLinksShareTheirContentWhicheverIsWanted) {
    const std::vector<ForgedEntry> entries{
        hard_link("/lib/a", "shared"),
        hard_link("/lib/b", "shared"),
        {"/lib/x", FILE_MODE, "x"},
        hard_link("/lib/c", "shared")};
    ASSERT_EQ(unpack_all(entries), "accepted");
    for (const char * name : {"lib/a", "lib/b", "lib/c"}) {
        EXPECT_EQ(tests::content_of(root_ / name), "shared") << name;
    }
    EXPECT_EQ(fs::hard_link_count(root_ / "lib/a"), 3U);
    for (const std::string wanted : {"/lib/a", "/lib/b", "/lib/c"}) {
        fs::remove_all(root_ / "lib");
        unpack(forged(entries), root_, [&wanted](std::string_view name) { return name == wanted; }, {}, {});
        EXPECT_EQ(files(), std::set<std::string>{wanted.substr(1)});
        EXPECT_EQ(tests::content_of(root_ / wanted.substr(1)), "shared");
    }
}

TEST_F(PackagesForged, HardLinksOfDifferentSizesAreRefused) {
    EXPECT_NE(unpack_all({hard_link("/lib/a", "short"), hard_link("/lib/b", "much longer")}), "accepted");
}

TEST_F(PackagesForged, LimitsHold) {
    const RpmFile package = forged({{"/lib/a", FILE_MODE, "12345"}, {"/lib/b", FILE_MODE, "67890"}});
    const auto attempt = [&](const UnpackLimits & limits) {
        try {
            unpack(package, root_, everything, limits, {});
        } catch (const UserError & error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(attempt({.max_bytes = 9, .max_files = 10}), HasSubstr("more than 9 bytes"));
    EXPECT_THAT(attempt({.max_bytes = 10, .max_files = 1}), HasSubstr("more than 1 files"));
    expect_nothing_written();
    EXPECT_EQ(attempt({.max_bytes = 10, .max_files = 2}), "accepted");
}

TEST_F(PackagesForged, AStopIsHonoured) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(unpack(forged({{"/lib/a", FILE_MODE, "x"}}), root_, everything, {}, stop.get_token()), Cancelled);
    expect_nothing_written();
}

TEST_F(PackagesForged, APackageThatWasExchangedIsNotUnpacked) {
    const RpmFile package = forged({{"/lib/a", FILE_MODE, "x"}});
    ForgedRpm other;
    other.name = "other";
    other.entries = {{"/lib/a", FILE_MODE, "y"}};
    std::ofstream(package.path, std::ios::binary | std::ios::trunc) << tests::forge(other);
    try {
        unpack(package, root_, everything, {}, {});
        FAIL();
    } catch (const UserError & error) {
        EXPECT_THAT(error.what(), HasSubstr("no longer the one that was read"));
    }
    expect_nothing_written();
}

TEST_F(PackagesForged, AFullDiskIsASystemErrorThatNamesTheWayOut) {
    if (::mount("none", root_.c_str(), "tmpfs", 0, "size=64k") != 0) {
        GTEST_SKIP() << "mounting a small tmpfs needs root";
    }
    const RpmFile package = forged({{"/lib/big", FILE_MODE, std::string(200000, 'x')}});
    try {
        unpack(package, root_, everything, {}, {});
        ADD_FAILURE() << "unpacked 200 kB into 64 KiB";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), ENOSPC);
        EXPECT_THAT(
            error.what(), AllOf(HasSubstr(root_.string()), HasSubstr("forged-1-1.x86_64"), HasSubstr("--work-dir")));
    }
    EXPECT_FALSE(fs::exists(root_ / "lib/big")) << "half a file was left";
    EXPECT_EQ(::umount2(root_.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace bootbudget::packages
