// SPDX-License-Identifier: GPL-2.0-or-later
// Every package here is accepted by read_rpm(), digests and all: what is shown is that sizes that lie, contents that differ, things that are there twice and hard
// links that contradict each other are refused, each by its own rule.
#include "support/forged_unpacking.hpp"

#include <rpm/rpmtag.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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

TEST_F(PackagesForged, SizesBeyondAllMeasureAreRefusedBeforeAnythingIsWritten) {
    const std::string limit = "makes it more than 8589934592 bytes to unpack";
    for (const std::uint64_t size :
         {std::uint64_t{0x200000001}, std::uint64_t{1} << 63U, ~std::uint64_t{0}, ~std::uint64_t{0} - 1000}) {
        ForgedEntry huge{"/lib/huge", FILE_MODE, "x"};
        huge.header_size = size;
        EXPECT_THAT(unpack_all({{"/lib/a", FILE_MODE, "a"}, huge}), HasSubstr("\"/lib/huge\" " + limit)) << size;
    }
    std::vector<ForgedEntry> many;
    for (int i = 0; i < 9; ++i) {
        many.push_back({"/lib/" + std::to_string(i), FILE_MODE, "x"});
        many.back().header_size = std::uint64_t{1} << 30U;
    }
    EXPECT_THAT(unpack_all(many), HasSubstr("\"/lib/8\" " + limit));
    expect_nothing_written();
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
    EXPECT_THAT(
        unpack_all({{"/lib/a", FILE_MODE, "first!"}, again}),
        HasSubstr("its entry \"/lib/a\" is in the payload twice"));
    EXPECT_EQ(files().count("lib/b"), 0U);
}

TEST_F(PackagesForged, AFileWhereADirectoryIsAndADirectoryWhereAFileIs) {
    const std::string both = "is in the package as a directory and as something else";
    EXPECT_THAT(unpack_all({{"/lib/a", DIRECTORY_MODE}, {"/lib/a", FILE_MODE, "x"}}), HasSubstr(both));
    EXPECT_THAT(unpack_all({{"/lib/a", FILE_MODE, "x"}, {"/lib/a", DIRECTORY_MODE}}), HasSubstr(both));
    EXPECT_THAT(unpack_all({{"/lib/a", DIRECTORY_MODE}, {"/lib/a", LINK_MODE, "", "b"}}), HasSubstr(both));
    EXPECT_EQ(unpack_all({{"/lib", DIRECTORY_MODE}, {"/lib", 040700}}), "accepted");
    for (const ForgedEntry & below :
         {ForgedEntry{"/lib/a/b/c", FILE_MODE, "y"}, ForgedEntry{"/lib/a/b/c", DIRECTORY_MODE}}) {
        EXPECT_THAT(
            unpack_all({{"/lib/a", FILE_MODE, "x"}, below}),
            HasSubstr("\"/lib/a/b/c\" would be written below \"/lib/a\", which is a file"));
        EXPECT_THAT(unpack_all({below, {"/lib/a", FILE_MODE, "x"}}), HasSubstr("which is a file"));
    }
    expect_nothing_written();

    // Of an earlier package.
    ASSERT_EQ(unpack_all({{"/lib/a/b", FILE_MODE, "x"}}), "accepted");
    EXPECT_THAT(unpack_all({{"/lib/a", FILE_MODE, "x"}}), HasSubstr("is there already"));
    EXPECT_THAT(unpack_all({{"/lib/a", LINK_MODE, "", "x"}}), HasSubstr("is there already"));
    EXPECT_THAT(unpack_all({{"/lib/a/b/c", FILE_MODE, "x"}}), HasSubstr("which is not a directory"));
    EXPECT_THAT(unpack_all({{"/lib/a/b", DIRECTORY_MODE}}), HasSubstr("which is not a directory"));
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

TEST_F(PackagesForged, HardLinksThatDisagreeAreRefused) {
    for (const char * other : {"much longer", "SHORT"}) {
        EXPECT_THAT(
            unpack_all({hard_link("/lib/a", "short"), hard_link("/lib/b", other)}),
            HasSubstr("\"/lib/a\" is a hard link to \"/lib/b\", which has another content"))
            << other;
        expect_nothing_written();
    }
}

TEST_F(PackagesForged, AHardLinkToNowhereIsRefused) {
    ForgedEntry nowhere = hard_link("/lib/b", "shared");
    nowhere.in_archive = false;
    EXPECT_THAT(unpack_all({hard_link("/lib/a", "shared"), nowhere}), HasSubstr("does not match its header"));
    expect_nothing_written();

    // The archive has its content at the first name, where nobody looks for it.
    ForgedEntry first = hard_link("/lib/a", "shared");
    ForgedEntry last = hard_link("/lib/b", "shared");
    std::swap(first.name, last.name);
    first.archive_name = "./lib/a";
    last.archive_name = "./lib/b";
    EXPECT_EQ(unpack_all({first, last}).substr(0, 11), "the package");
    expect_nothing_written();
}

TEST_F(PackagesForged, HardLinksAcrossTypesAreNone) {
    ForgedEntry link{"/lib/link", LINK_MODE, "", "file"};
    ForgedEntry directory{"/lib/directory", DIRECTORY_MODE};
    link.inode = directory.inode = 7;
    ASSERT_EQ(unpack_all({link, directory, hard_link("/lib/file", "content")}), "accepted");
    EXPECT_TRUE(fs::is_directory(root_ / "lib/directory"));
    EXPECT_EQ(fs::read_symlink(root_ / "lib/link"), "file");
    EXPECT_EQ(fs::hard_link_count(root_ / "lib/file"), 1U);
    EXPECT_EQ(tests::content_of(root_ / "lib/file"), "content");
}

TEST_F(PackagesForged, ListsOfFilesThatContradictEachOtherAreRefused) {
    const auto refusal = [this](std::uint32_t tag, std::size_t items) -> std::string {
        ForgedRpm rpm;
        rpm.entries = {{"/lib/a", FILE_MODE, "first"}, {"/lib/b", FILE_MODE, "second"}, {"/lib/c", LINK_MODE, "", "a"}};
        rpm.list_lengths = {{tag, items}};
        try {
            unpack(read_rpm(tests::forge_into(scratch_.path() / "rpms", rpm)), root_, everything, {}, {});
        } catch (const UserError & error) {
            return error.what();
        }
        return "accepted";
    };
    for (const std::size_t items : {1U, 2U, 4U, 1000U}) {
        for (const std::uint32_t tag :
             {std::uint32_t{RPMTAG_BASENAMES},
              std::uint32_t{RPMTAG_DIRINDEXES},
              std::uint32_t{RPMTAG_FILESIZES},
              std::uint32_t{RPMTAG_FILEMODES},
              std::uint32_t{RPMTAG_FILEFLAGS},
              std::uint32_t{RPMTAG_FILEINODES}}) {
            EXPECT_THAT(refusal(tag, items), HasSubstr("lists of files contradict each other")) << tag << ' ' << items;
        }
        EXPECT_THAT(refusal(RPMTAG_FILEDIGESTS, items), HasSubstr("has no digest in the header")) << items;
        EXPECT_THAT(refusal(RPMTAG_FILELINKTOS, items), HasSubstr("length differs from its target's")) << items;
    }
    EXPECT_THAT(refusal(RPMTAG_BASENAMES, 1000000), HasSubstr("lists 1000000 files"));
    expect_nothing_written();
}

TEST_F(PackagesForged, AHundredThousandFilesAreUnpacked) {
    constexpr int COUNT = 100000;
    std::vector<ForgedEntry> entries;
    entries.reserve(COUNT);
    // In the order that rpmbuild writes them, in which librpm finds them quickly.
    const auto name = [](int i) { return "/lib/" + std::to_string(100 + i / 1000) + "/" + std::to_string(100000 + i); };
    for (int i = 0; i < COUNT; ++i) {
        entries.push_back({name(i), FILE_MODE, i % 3 == 0 ? "" : std::to_string(i)});
    }
    // In memory where that is possible: file systems on disks have bad days with so many files made and removed.
    if (::access("/dev/shm", W_OK) == 0) {
        std::string directory = "/dev/shm/bootbudget-test-XXXXXX";
        ASSERT_NE(::mkdtemp(directory.data()), nullptr);
        root_ = directory;
    }
    EXPECT_EQ(unpack_all(entries), "accepted");
    EXPECT_EQ(files().size(), static_cast<std::size_t>(COUNT));
    for (const int i : {0, 1, 50000, 99998, 99999}) {
        EXPECT_EQ(tests::content_of(root_ / name(i).substr(1)), i % 3 == 0 ? "" : std::to_string(i)) << i;
    }
    fs::remove_all(root_);
}

TEST_F(PackagesForged, ContentsOfEverySizeArriveWhole) {
    std::vector<ForgedEntry> entries;
    constexpr std::size_t MEBIBYTE = std::size_t{1} << 20U;
    for (const std::size_t size :
         {std::size_t{0},
          std::size_t{1},
          MEBIBYTE - 3,
          MEBIBYTE - 1,
          MEBIBYTE,
          MEBIBYTE + 1,
          std::size_t{0},
          3 * MEBIBYTE + 5,
          std::size_t{7}}) {
        std::string content(size, '\0');
        for (std::size_t i = 0; i < size; ++i) {
            content[i] = static_cast<char>(i * 2654435761U >> 13U);
        }
        entries.push_back({"/lib/" + std::to_string(entries.size()), FILE_MODE, content});
    }
    ASSERT_EQ(unpack_all(entries), "accepted");
    for (const ForgedEntry & entry : entries) {
        EXPECT_TRUE(tests::content_of(root_ / entry.name.substr(1)) == entry.content) << entry.name;
    }
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
    other.entries = {{"/lib/a", FILE_MODE, "y"}};
    for (const char * name : {"other", "forged"}) {
        other.name = name;
        std::ofstream(package.path, std::ios::binary | std::ios::trunc) << tests::forge(other);
        try {
            unpack(package, root_, everything, {}, {});
            ADD_FAILURE() << name;
        } catch (const UserError & error) {
            EXPECT_THAT(error.what(), HasSubstr("no longer the one that was read")) << name;
        }
        expect_nothing_written();
    }
}

TEST_F(PackagesForged, APayloadThatWasExchangedIsNotUnpacked) {
    const RpmFile package = forged({{"/lib/a", FILE_MODE, "original"}});
    std::string bytes = tests::content_of(package.path);
    bytes.replace(bytes.find("original"), 8, "replaced");
    std::ofstream(package.path, std::ios::binary | std::ios::trunc) << bytes;
    try {
        unpack(package, root_, everything, {}, {});
        FAIL();
    } catch (const UserError & error) {
        EXPECT_THAT(error.what(), HasSubstr("differs from its digest"));
    }
    expect_nothing_written();
}

TEST_F(PackagesForged, AFullDiskIsASystemErrorThatNamesTheWayOut) {
    if (::mount("none", root_.c_str(), "tmpfs", 0, "size=64k") != 0) {
        GTEST_SKIP() << "mounting a small tmpfs needs root";
    }
    const RpmFile package = forged({{"/lib/big", FILE_MODE, std::string(10000000, 'x')}});
    try {
        unpack(package, root_, everything, {}, {});
        ADD_FAILURE() << "unpacked 10 MB into 64 KiB";
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
