// SPDX-License-Identifier: GPL-2.0-or-later
// Every package here is accepted by read_rpm(), digests and all: what is shown is that the judgement of names, types and modes refuses or mends them.
#include "support/forged_unpacking.hpp"

#include <sys/stat.h>

#include <cstdlib>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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
        {"/a/sticky/x", FILE_MODE, "x"},
        {"/a/closed", 040000},
        {"/a/closed/x", FILE_MODE, "x"},
        {"/a/fixed", 040555},
        {"/a/fixed/x", FILE_MODE, "x"},
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
    for (const char * directory : {"a/sticky", "a/closed", "a/fixed"}) {
        EXPECT_EQ(mode(directory), 0755U) << directory;
        EXPECT_EQ(mode((std::string(directory) + "/x").c_str()), 0644U) << directory;
    }
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

TEST_F(PackagesForged, ControlCharactersInNamesAreRefused) {
    for (const char character : {'\n', '\r', '\t', '\x01', '\x7f'}) {
        const std::string name = std::string("/lib/a") + character + "b";
        EXPECT_THAT(unpack_all({{name, FILE_MODE, "x"}}), HasSubstr("has a control character in its name"))
            << static_cast<int>(character);
        EXPECT_THAT(unpack_all({{name, DIRECTORY_MODE}}), HasSubstr("has a control character in its name"));
    }
    expect_nothing_written();
}

TEST_F(PackagesForged, TheRootIsADirectoryAndNothingElse) {
    EXPECT_EQ(unpack_all({{"/", DIRECTORY_MODE}, {"/lib/x", FILE_MODE, "x"}}), "accepted");
    EXPECT_EQ(files(), std::set<std::string>{"lib/x"});
    for (const ForgedEntry & root : {ForgedEntry{"/", FILE_MODE, "x"}, ForgedEntry{"/", LINK_MODE, "", "lib"}}) {
        EXPECT_THAT(unpack_all({root}), HasSubstr("its entry \"/\" would take the place of the tree itself"));
    }
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

TEST_F(PackagesForged, ChainsAndLoopsOfLinksLeadNowhere) {
    EXPECT_THAT(
        unpack_all(
            {{"/lib/one", LINK_MODE, "", "two"},
             {"/lib/two", LINK_MODE, "", "three"},
             {"/lib/three/x", FILE_MODE, "x"},
             {"/lib/one/x", FILE_MODE, "y"}}),
        HasSubstr("through the symbolic link \"/lib/one\""));
    expect_nothing_written();
    ASSERT_EQ(
        unpack_all(
            {{"/lib/a", LINK_MODE, "", "b"},
             {"/lib/b", LINK_MODE, "", "c"},
             {"/lib/c", LINK_MODE, "", "a"},
             {"/lib/self", LINK_MODE, "", "self"},
             {"/lib/x", FILE_MODE, "x"}}),
        "accepted");
    EXPECT_EQ(files(), (std::set<std::string>{"lib/a", "lib/b", "lib/c", "lib/self", "lib/x"}));
    EXPECT_THAT(unpack_all({{"/lib/a/y", FILE_MODE, "y"}}), HasSubstr("which is not a directory"));
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

}  // namespace
}  // namespace bootbudget::packages
