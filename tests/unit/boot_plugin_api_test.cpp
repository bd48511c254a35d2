// SPDX-License-Identifier: GPL-2.0-or-later
// What real QEMUs print when the counter is probed, and what they print when they refuse it.
#include "boot/plugin_api.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace bootbudget::boot {
namespace {

TEST(PluginApi, IsWhatTheCounterSays) {
    // Debian's 7.2.22, 10.0.13 and 11.1.3, with the noise that they print around it.
    EXPECT_EQ(
        plugin_api_in("qemu: module ui-ui-gtk not found, do you want to install qemu-system-gui package?\n"
                      "qemu: module ui-ui-sdl not found, do you want to install qemu-system-gui package?\n"
                      "bootbudget-counter: this QEMU has plugin API 0 to 1.\n"
                      "qemu-system-x86_64: Could not load plugin /usr/lib/bootbudget/bootbudget-counter.so: "
                      "qemu_plugin_install returned error code 1\n"),
        (PluginApi{0, 1}));
    EXPECT_EQ(
        plugin_api_in("qemu-system-x86_64: failed to initialize module: /usr/lib/x86_64-linux-gnu/qemu/ui-opengl.so\n"
                      "Only modules from the same build can be loaded.\n"
                      "bootbudget-counter: this QEMU has plugin API 2 to 4.\n"
                      "qemu-system-x86_64: Could not load plugin ./bootbudget-counter.so: qemu_plugin_install returned "
                      "error code 1\n"),
        (PluginApi{2, 4}));
    EXPECT_EQ(plugin_api_in("bootbudget-counter: this QEMU has plugin API 7 to 7.\n"), (PluginApi{7, 7}));
    EXPECT_EQ(plugin_api_in("bootbudget-counter: this QEMU has plugin API 7 to 12.\n"), (PluginApi{7, 12}));
}

TEST(PluginApi, IsTheOneLimitThatARefusalNames) {
    // 7.2.22, 10.0.13 and 11.1.3 again.
    EXPECT_EQ(
        plugin_api_in("qemu-system-x86_64: Could not load plugin ./probe.so: plugin requires API version 100000, but "
                      "this QEMU supports only up to version 1\n"),
        (PluginApi{1, 1}));
    EXPECT_EQ(
        plugin_api_in("Only modules from the same build can be loaded.\n"
                      "qemu-system-x86_64: Could not load plugin ./probe.so: plugin requires API version 100000, but "
                      "this QEMU supports only up to version 4\n"),
        (PluginApi{4, 4}));
    EXPECT_EQ(
        plugin_api_in("qemu-system-x86_64: Could not load plugin ./probe.so: plugin requires API version -1, but this "
                      "QEMU supports only a minimum version of 7"),
        (PluginApi{7, 7}));
}

TEST(PluginApi, IsUnknownWithoutPlugins) {
    for (const char * output : {
             "",
             "qemu-system-x86_64: -plugin: invalid option\n",
             "qemu-system-x86_64: -plugin x: plugin interface not enabled in this build\n",
             "qemu-system-x86_64: Could not load plugin ./x.so: ./x.so: cannot open shared object file: No such file\n",
             "bootbudget-counter: this QEMU has plugin API",
             "bootbudget-counter: this QEMU has plugin API ",
             "bootbudget-counter: this QEMU has plugin API 2",
             "bootbudget-counter: this QEMU has plugin API 2 to ",
             "bootbudget-counter: this QEMU has plugin API 2 to x.",
             "bootbudget-counter: this QEMU has plugin API 2 till 4.",
             "bootbudget-counter: this QEMU has plugin API -2 to 4.",
             "bootbudget-counter: this QEMU has plugin API 2 to 99999999999999999999.",
             "but this QEMU supports only up to version many",
             "but this QEMU supports only up to version -1",
             "but this QEMU supports only a minimum version of ",
         }) {
        EXPECT_FALSE(plugin_api_in(output)) << output;
    }
}

TEST(PluginApi, IsReadFromAViewThatEndsInItsMiddle) {
    const std::string text = "bootbudget-counter: this QEMU has plugin API 2 to 47";
    EXPECT_EQ(plugin_api_in(std::string_view(text).substr(0, text.size() - 1)), (PluginApi{2, 4}));
}

TEST(PluginApi, IsKnownFromOneToSeven) {
    for (const PluginApi known :
         {PluginApi{0, 1}, {1, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {6, 6}, {7, 7}, {7, 9}, {0, 100}}) {
        EXPECT_TRUE(knows(known)) << known.min << " to " << known.current;
    }
    for (const PluginApi unknown : {PluginApi{0, 0}, {8, 8}, {8, 12}, {4, 2}, {std::numeric_limits<int>::max(), 1}}) {
        EXPECT_FALSE(knows(unknown)) << unknown.min << " to " << unknown.current;
    }
}

TEST(PluginApi, IsClaimedWithinTheLimits) {
    for (const PluginApi api : {PluginApi{0, 1}, {2, 4}, {6, 6}, {7, 7}, {7, 9}, {2, 100}}) {
        ASSERT_TRUE(knows(api));
        EXPECT_GE(claimed_version(api), api.min);
        EXPECT_LE(claimed_version(api), api.current);
        EXPECT_LE(claimed_version(api), 7);
    }
}

}  // namespace
}  // namespace bootbudget::boot
