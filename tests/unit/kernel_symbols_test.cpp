// SPDX-License-Identifier: GPL-2.0-or-later
// System.map, as far as it is asked: functions only, and none that could be either of two.
#include "kernel/symbols.hpp"
#include "support/scratch.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace bootbudget::kernel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class Symbols : public testing::Test {
protected:
    Symbols() {
        tree.root = scratch.path();
        tree.release = "6.1";
        tree.modules = scratch.path() / "lib/modules/6.1";
        fs::create_directories(tree.modules);
        fs::create_directories(tree.root / "boot");
    }

    static void write(const fs::path & file, const std::string & text) { std::ofstream(file) << text; }

    tests::Scratch scratch;
    BootTree tree;
    const std::vector<std::string> wanted{"start_kernel", "twice", "a_variable", "missing"};
};

}  // namespace

TEST_F(Symbols, AreTheFunctionsOfThatName) {
    write(
        tree.modules / "System.map",
        "0000000000000000 D __per_cpu_start\nffffffff81000000 T startup_64\nffffffff82000010 T start_kernel\n"
        "ffffffff82000020 t start_kernel_not\nffffffff82000030 D a_variable\n"
        "ffffffff82000040 t twice\nffffffff82000050 t twice\n");
    EXPECT_THAT(addresses_of(tree, wanted), ElementsAre(Pair("start_kernel", 0xffffffff82000010)));
}

TEST_F(Symbols, MayLieInBoot) {
    write(tree.root / "boot" / "System.map-6.1", "ffffffff82000010 T start_kernel");
    EXPECT_THAT(addresses_of(tree, wanted), ElementsAre(Pair("start_kernel", 0xffffffff82000010)));
}

TEST_F(Symbols, AreNoneWhereThereIsNoMapOrADamagedOne) {
    EXPECT_THAT(addresses_of(tree, wanted), IsEmpty());
    write(tree.modules / "System.map", "zzz T start_kernel\n T start_kernel\n\nffffffff8 start_kernel\n\x01\x02\n");
    EXPECT_THAT(addresses_of(tree, wanted), IsEmpty());
}

}  // namespace bootbudget::kernel
