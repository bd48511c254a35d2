// SPDX-License-Identifier: GPL-2.0-or-later
// Real packages by the real rpmbuild, the real depmod, real directories.
#include "packages/where.hpp"

#include "common/machine.hpp"
#include "kernel/kind.hpp"
#include "support/forged_rpm.hpp"
#include "support/scratch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Silent : public Progress {
public:
    void step(const std::string & /*line*/) override {}
    void advance(double /*done*/, double /*total*/, double /*seconds_left*/) override {}
    void warn(const std::string & /*line*/) override {}
};

class PackagesWhere : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (std::system("rpmbuild --version > /dev/null 2>&1 && cc --version > /dev/null 2>&1") != 0) {
            return;
        }
        built_ = new tests::Scratch;
        build("6.1", "", "CONFIG_DEBUG_KERNEL=y");
        build("6.1", "+rt-debug", "CONFIG_PROVE_LOCKING=y");
        build("6.2", "", "CONFIG_KASAN=y");
    }
    static void TearDownTestSuite() {
        delete built_;
        built_ = nullptr;
    }
    static void build(const std::string & version, const std::string & suffix, const std::string & options) {
        const std::string command =
            "rpmbuild -bb --define '_topdir " + topdir(version).string() + "' --define 'fake_version " + version +
            "' " + (suffix.empty() ? "" : "--define 'fake_suffix " + suffix + "' ") + "--define 'fake_options " +
            options + "' " BOOTBUDGET_TEST_DATA "/fake-kernel.spec > '" + (built_->path() / "log").string() + "' 2>&1";
        // rpmbuild itself does not work in a directory with a space.
        if (std::system(command.c_str()) != 0) {
            ADD_FAILURE() << tests::content_of(built_->path() / "log");
        }
        fs::create_directories(built_->path() / version);
        fs::copy(
            topdir(version) / "RPMS",
            built_->path() / version,
            fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        fs::remove_all(topdir(version));
    }
    static fs::path topdir(const std::string & version) {
        return fs::temp_directory_path() / ("bootbudget-fake-" + std::to_string(::getpid()) + "-" + version);
    }

    void SetUp() override {
        if (built_ == nullptr) {
            GTEST_SKIP() << "rpmbuild or cc is missing: install the packages \"rpm\" and \"gcc\"";
        }
        fs::create_directories(directory());
        fs::create_directories(scratch_.path() / "root");
    }
    fs::path directory() const { return scratch_.path() / "rpms"; }
    fs::path root() const { return scratch_.path() / "root"; }

    void copy(const std::string & version) const {
        fs::copy(built_->path() / version, directory(), fs::copy_options::recursive);
    }
    // The one package whose file name begins so.
    fs::path package(const std::string & begin) const {
        for (const auto & entry : fs::recursive_directory_iterator(directory())) {
            if (entry.path().filename().string().rfind(begin, 0) == 0) {
                return entry.path();
            }
        }
        ADD_FAILURE() << "no package " << begin;
        return {};
    }
    FoundBuild find(const std::string & where = {}) {
        return find_build({where.empty() ? directory().string() : where, {}, {}}, progress_, {});
    }
    std::string refusal(const std::string & where = {}) {
        try {
            find(where);
            return "accepted";
        } catch (const UserError & error) {
            return error.what();
        }
    }
    static std::string release(const std::string & suffix = {}) { return "6.1-1." + common::machine_arch() + suffix; }

    static tests::Scratch * built_;
    tests::Scratch scratch_;
    Silent progress_;
};

tests::Scratch * PackagesWhere::built_ = nullptr;

TEST_F(PackagesWhere, KernelsOfABuildAreFoundUnpackedAndListed) {
    copy("6.1");
    std::ofstream(directory() / "build.log") << "a log beside";
    const FoundBuild build = find();
    EXPECT_EQ(build.nvr, "kernel-6.1-1");
    ASSERT_EQ(build.kernels.size(), 2U);
    EXPECT_EQ(build.kernels[0].release, release());
    EXPECT_EQ(build.kernels[1].release, release("+rt-debug"));
    const FoundKernel & kernel = build.kernels[1];
    ASSERT_EQ(kernel.boot_set.size(), 2U) << kernel.not_bootable;
    EXPECT_EQ(kernel.boot_set[0].name, "kernel-rt-debug-core");
    EXPECT_EQ(kernel.boot_set[0].sha256.size(), 64U);

    const mode_t before = ::umask(0077);
    const kernel::BootTree tree = unpack_kernel(build, kernel, root(), false, {});
    ::umask(before);
    EXPECT_EQ(tree.arch, "x86_64");
    EXPECT_EQ(kernel::decide_kind(tree.configuration, kernel::kind_rules()).kind, Kind::DEBUG);
    EXPECT_THAT(
        tests::content_of(tree.modules / "modules.dep"),
        AllOf(HasSubstr("virtio_scsi.ko.xz:"), testing::Not(HasSubstr("rare.ko:"))));
    EXPECT_FALSE(fs::exists(fs::symlink_status(tree.modules / "build"))) << "a link to /usr/src is of no use";
    for (const auto & entry : fs::recursive_directory_iterator(root())) {
        struct stat status {};
        ASSERT_EQ(::lstat(entry.path().c_str(), &status), 0) << entry.path();
        EXPECT_EQ(status.st_mode & 0044U, 0044U) << entry.path() << " is not readable for the account that boots";
    }
}

TEST_F(PackagesWhere, APlanUnpacksImageAndConfigurationOnly) {
    copy("6.1");
    const FoundBuild build = find();
    const kernel::BootTree tree = unpack_kernel(build, build.kernels[0], root(), true, {});
    EXPECT_EQ(std::distance(fs::directory_iterator(tree.modules), fs::directory_iterator()), 2);
    EXPECT_EQ(kernel::decide_kind(tree.configuration, kernel::kind_rules()).kind, Kind::NODEBUG);
}

TEST_F(PackagesWhere, TwoBuildsInOneDirectoryAreRefused) {
    copy("6.1");
    copy("6.2");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("kernel-6.1-1, kernel-6.2-1"), HasSubstr(directory().string())));
}

TEST_F(PackagesWhere, ADirectoryWithoutKernelsIsToldWhatIsThere) {
    EXPECT_THAT(refusal(), HasSubstr("0 RPM packages and 0 other files"));
    std::ofstream(directory() / "README") << "x";
    EXPECT_THAT(refusal(), HasSubstr("such as README"));
    tests::forge_into(directory(), {.name = "bash", .entries = {}});
    EXPECT_THAT(refusal(), HasSubstr("such as bash-1-1.x86_64"));
    fs::create_directories(directory() / "lib/modules");
    EXPECT_THAT(refusal(), HasSubstr("tree:" + directory().string()));
    EXPECT_THAT(refusal((directory() / "missing").string()), HasSubstr("there is no directory"));
    EXPECT_THAT(refusal((directory() / "README").string()), HasSubstr("is not a directory"));
}

TEST_F(PackagesWhere, LaterFormsAreRefusedAsNotYetSupported) {
    EXPECT_THAT(refusal("koji:kernel-6.1-1"), HasSubstr("not supported by this version"));
    EXPECT_THAT(refusal("ftp://example.org/repo"), HasSubstr("URLs begin with https://, http:// or file://"));
}

TEST_F(PackagesWhere, ADamagedPackageStopsEverything) {
    copy("6.1");
    const fs::path victim = package("kernel-rt-debug-modules-6");
    const std::string whole = tests::content_of(victim);
    std::ofstream(victim, std::ios::binary | std::ios::trunc) << whole.substr(0, whole.size() / 2);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(victim.string()), HasSubstr("cut short")));
    std::string flipped = whole;
    flipped[flipped.size() - 20] = static_cast<char>(flipped[flipped.size() - 20] ^ 1);
    std::ofstream(victim, std::ios::binary | std::ios::trunc) << flipped;
    EXPECT_THAT(refusal(), AllOf(HasSubstr(victim.string()), HasSubstr("damaged in its payload")));
}

TEST_F(PackagesWhere, LoopsAndHiddenDirectoriesAreNotEntered) {
    copy("6.1");
    fs::create_directory_symlink("..", directory() / "loop");
    fs::copy(built_->path() / "6.2", directory() / ".old", fs::copy_options::recursive);
    EXPECT_EQ(find().kernels.size(), 2U);
}

TEST_F(PackagesWhere, AMissingDriverPackageIsNamed) {
    copy("6.1");
    fs::remove(package("kernel-modules-core"));
    const FoundBuild build = find();
    EXPECT_THAT(
        build.kernels[0].not_bootable, HasSubstr("nothing provides kernel-modules-core-uname-r = " + release()));
    EXPECT_EQ(build.kernels[1].not_bootable, "");
    EXPECT_THROW(unpack_kernel(build, build.kernels[0], root(), false, {}), UserError);
}

TEST_F(PackagesWhere, AnImageThatIsNoKernelIsNamedWithItsPackage) {
    tests::forge_into(
        directory(),
        {.entries = {
             {"/lib/modules/6.1/vmlinuz", 0100755, "just text\n"},
             {"/lib/modules/6.1/config", 0100644, "CONFIG_A=y\n"}}});
    const FoundBuild build = find();
    try {
        unpack_kernel(build, build.kernels.at(0), root(), true, {});
        FAIL();
    } catch (const UserError & error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("forged-1-1.x86_64.rpm"), HasSubstr("looks like text")));
    }
}

std::map<std::string, std::string> states(const fs::path & directory) {
    std::map<std::string, std::string> result;
    for (const auto & entry : fs::recursive_directory_iterator(directory)) {
        struct stat status {};
        EXPECT_EQ(::lstat(entry.path().c_str(), &status), 0);
        result[entry.path()] = std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) +
                               " " + std::to_string(status.st_ctim.tv_nsec) + " " + std::to_string(status.st_nlink) +
                               " " + (S_ISREG(status.st_mode) ? tests::content_of(entry.path()) : "");
    }
    return result;
}

TEST_F(PackagesWhere, AGivenTreeIsBootedFromACopyAndNotTouched) {
    copy("6.1");
    const FoundBuild build = find();
    const fs::path given = scratch_.path() / "given trée";
    fs::create_directories(given);
    const kernel::BootTree original = unpack_kernel(build, build.kernels[0], given, false, {});
    fs::remove(original.modules / "modules.dep");
    const auto before = states(given);

    const FoundBuild found = find("tree:" + given.string());
    EXPECT_TRUE(found.is_tree);
    ASSERT_EQ(found.kernels.size(), 1U);
    EXPECT_EQ(unpack_kernel(found, found.kernels[0], root(), true, {}).image, original.image);
    const kernel::BootTree copy = unpack_kernel(found, found.kernels[0], root(), false, {});
    EXPECT_EQ(copy.root, root());
    EXPECT_THAT(tests::content_of(copy.modules / "modules.dep"), HasSubstr("virtio_scsi.ko.xz:"));
    EXPECT_FALSE(fs::is_symlink(copy.modules / "kernel/drivers/virtio_scsi.ko.xz"));
    EXPECT_EQ(states(given), before);
}

TEST_F(PackagesWhere, ModulesThatDepmodCannotReadAreNamed) {
    copy("6.1");
    const FoundBuild build = find();
    const kernel::BootTree tree = unpack_kernel(build, build.kernels[0], root(), false, {});
    fs::rename(tree.modules / "kernel/drivers/virtio_scsi.ko.xz", tree.modules / "kernel/drivers/rare.ko.lz9");
    try {
        kernel::run_depmod(tree);
        FAIL();
    } catch (const UserError & error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("\".ko.lz9\""), HasSubstr("kernel/drivers/rare.ko.lz9")));
    }
}

}  // namespace
}  // namespace bootbudget::packages
