// SPDX-License-Identifier: GPL-2.0-or-later
// Forged packages with Fedora's real configurations: which variant each kernel is, why it is or is not booted, and what its configuration has that its
// peer's has not, all before anything boots.
#include "common/machine.hpp"
#include "kernel/boot_driver.hpp"
#include "run/subject.hpp"
#include "support/forged_rpm.hpp"
#include "support/scratch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace bootbudget::run {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

class Silent : public Progress {
public:
    void step(const std::string & /*line*/) override {}
    void advance(double /*done*/, double /*total*/, double /*seconds_left*/) override {}
    void warn(const std::string & /*line*/) override {}
};

// Magic bytes, and nothing else of a kernel.
std::string image_for(const std::string & arch) {
    std::string bytes(0x11000, '\0');
    if (arch == "aarch64") {
        bytes.replace(0, 2, "MZ");
        bytes.replace(56, 4, "ARMd");
    } else if (arch == "s390x") {
        bytes.replace(0x10008, 6, "S390EP");
    } else {
        bytes.replace(0x1fe, 2, "\x55\xaa");
        bytes.replace(0x202, 6, "HdrS\x0f\x02");
        bytes[0x236] = 1;
    }
    return bytes;
}

std::string fedora(const std::string & name) {
    return tests::content_of(BOOTBUDGET_TEST_DATA "/configs/kernel-" + name + "-fedora.config");
}

// The configuration with an option switched off.
std::string without(std::string configuration, const std::string & option) {
    const auto begin = configuration.find("\n" + option + "=") + 1;
    configuration.replace(begin, configuration.find('\n', begin) - begin, "# " + option + " is not set");
    return configuration;
}

class RunSubject : public testing::Test {
protected:
    RunSubject() {
        std::ofstream(scratch_.path() / "policy.yaml")
            << "schema: bootbudget-policy/1\n"
               "variants:\n"
               "  - {name: plain, kind: nodebug, flavour: base}\n"
               "  - {name: debug, kind: debug, flavour: base}\n"
               "budgets:\n"
               "  - {name: launch, variant: \"*\", metric: launch, limit: 60s}\n";
    }

    // One kernel, all in one package.
    void add(
        const std::string & configuration,
        const std::string & suffix = {},
        const std::string & arch = "x86_64",
        const std::string & image = {}) const {
        const std::string release = "6.17-1." + arch + suffix;
        const std::string modules = "/lib/modules/" + release;
        std::string provided = release;
        std::replace(provided.begin() + 5, provided.end(), '-', '_');
        tests::ForgedRpm rpm;
        rpm.name = "kernel" + std::string(suffix.empty() ? "" : "-") + suffix.substr(suffix.empty() ? 0 : 1) + "-core";
        rpm.version = "6.17";
        rpm.arch = arch;
        rpm.source_rpm = "kernel-6.17-1.src.rpm";
        rpm.provides = {{"kernel-uname-r", provided}};
        rpm.entries = {
            {modules + "/vmlinuz", 0100755, image.empty() ? image_for(arch) : image},
            {modules + "/config", 0100644, configuration}};
        for (const kernel::BootDriver & driver : kernel::boot_drivers()) {
            rpm.entries.push_back({modules + "/kernel/" + std::string(driver.module) + ".ko", 0100644, "module"});
        }
        tests::forge_into(scratch_.path() / "rpms", rpm);
    }

    std::vector<Subject> subjects() {
        const fs::path trees = scratch_.path() / "trees";
        fs::create_directories(trees);
        auto build = packages::find_build({(scratch_.path() / "rpms").string(), {}, {}}, progress_, {});
        return prepare_subjects(
            build,
            BuildRole::SUBJECT,
            policy::load_or_throw(scratch_.path() / "policy.yaml"),
            trees,
            Depth::PLAN,
            progress_,
            {});
    }

    void expect_debug_only_first(const Variant & variant) const {
        bool others = false;
        std::size_t deciding = 0;
        int phase = 0;
        for (const ConfigDifference & difference : variant.config_differs) {
            const bool here = variant.kind == Kind::DEBUG;
            const std::string & in_debug = here ? difference.value : difference.against;
            const std::string & in_plain = here ? difference.against : difference.value;
            const int its_phase = difference.decides_kind ? 0 : in_debug != "n" && in_plain == "n" ? 1 : 2;
            EXPECT_LE(phase, its_phase) << variant.release << ": " << difference.option << " comes too late";
            phase = its_phase;
            deciding += difference.decides_kind ? 1 : 0;
            others = others || its_phase == 2;
        }
        EXPECT_GE(deciding, 3U) << variant.release;
        EXPECT_TRUE(others) << variant.release;
    }

    tests::Scratch scratch_;
    Silent progress_;
};

TEST_F(RunSubject, FedorasConfigurationsComeInPairs) {
    add(fedora("x86_64"));
    add(fedora("x86_64-debug"), "+debug");
    add(fedora("x86_64-rt"), "+rt");
    add(fedora("x86_64-rt-debug"), "+rt-debug");
    const std::vector<Subject> found = subjects();
    ASSERT_EQ(found.size(), 4U);
    const std::string release = "6.17-1.x86_64";
    struct Expected {
        std::string suffix, flavour, peer, variant;
        Kind kind;
    };
    const std::vector<Expected> expected{
        {"", "base", "+debug", "plain", Kind::NODEBUG},
        {"+debug", "base", "", "debug", Kind::DEBUG},
        {"+rt", "rt", "+rt-debug", "", Kind::NODEBUG},
        {"+rt-debug", "rt", "+rt", "", Kind::DEBUG}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Variant & variant = found[i].variant;
        EXPECT_EQ(variant.release, release + expected[i].suffix);
        EXPECT_EQ(variant.kind, expected[i].kind) << variant.release;
        EXPECT_EQ(variant.flavour, expected[i].flavour) << variant.release;
        EXPECT_EQ(variant.peer, release + expected[i].peer) << variant.release;
        EXPECT_EQ(variant.name, expected[i].variant) << variant.release;
        if (common::machine_arch() == "x86_64") {
            EXPECT_EQ(found[i].not_booted, expected[i].variant.empty() ? "The policy does not measure it." : "");
        }
        expect_debug_only_first(variant);
    }
    EXPECT_THAT(
        found[1].variant.config_differs,
        Contains(testing::AllOf(
            testing::Field(&ConfigDifference::option, "CONFIG_PROVE_LOCKING"),
            testing::Field(&ConfigDifference::value, "y"),
            testing::Field(&ConfigDifference::against, "n"),
            testing::Field(&ConfigDifference::decides_kind, true))));
}

TEST_F(RunSubject, ADebugConfigurationMakesADebugKernelWhateverItsName) {
    add(fedora("x86_64-debug"));
    add(fedora("x86_64"), "+debug");
    const std::vector<Subject> found = subjects();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].variant.release, "6.17-1.x86_64");
    EXPECT_EQ(found[0].variant.kind, Kind::DEBUG);
    EXPECT_EQ(found[0].variant.name, "debug");
    EXPECT_THAT(
        found[0].variant.why,
        Contains(HasSubstr("built from a debug configuration without \"+debug\" in its release")));
    EXPECT_EQ(found[1].variant.kind, Kind::NODEBUG);
    EXPECT_THAT(found[1].variant.why, Contains(HasSubstr("has too few debug options on")));
}

TEST_F(RunSubject, KernelsOfOtherArchitecturesAreToldApartAndNotBooted) {
    struct Other {
        std::string arch, configuration;
        Kind kind;
    };
    for (const Other & other :
         {Other{"aarch64", "aarch64", Kind::NODEBUG},
          Other{"aarch64", "aarch64-debug", Kind::DEBUG},
          Other{"s390x", "s390x", Kind::NODEBUG},
          Other{"x86_64", "x86_64", Kind::NODEBUG}}) {
        fs::remove_all(scratch_.path() / "rpms");
        fs::remove_all(scratch_.path() / "trees");
        add(fedora(other.configuration), "", other.arch);
        const std::vector<Subject> found = subjects();
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].variant.kind, other.kind) << other.configuration;
        EXPECT_EQ(found[0].variant.arch, other.arch);
        EXPECT_THAT(found[0].variant.config_differs, IsEmpty());
        if (other.arch == common::machine_arch()) {
            EXPECT_EQ(found[0].not_booted, "") << other.configuration;
        } else {
            EXPECT_THAT(
                found[0].not_booted,
                HasSubstr(" is for " + other.arch + ", and this machine is " + common::machine_arch()))
                << other.configuration;
        }
    }
}

TEST_F(RunSubject, WhatABootNeedsAndTheConfigurationLacksIsNamed) {
    if (common::machine_arch() != "x86_64") {
        GTEST_SKIP() << "the options are those of x86_64";
    }
    for (const char * option :
         {"CONFIG_SCSI_VIRTIO",
          "CONFIG_VIRTIO_CONSOLE",
          "CONFIG_EXT4_FS",
          "CONFIG_SERIAL_8250_CONSOLE",
          "CONFIG_BLK_DEV_INITRD"}) {
        fs::remove_all(scratch_.path() / "rpms");
        fs::remove_all(scratch_.path() / "trees");
        add(without(fedora("x86_64"), option));
        const std::vector<Subject> found = subjects();
        ASSERT_EQ(found.size(), 1U);
        EXPECT_THAT(found[0].not_booted, HasSubstr(option));
        EXPECT_THAT(found[0].not_booted, HasSubstr("cannot boot the test tool's guest, its configuration lacks"));
    }
}

}  // namespace
}  // namespace bootbudget::run
