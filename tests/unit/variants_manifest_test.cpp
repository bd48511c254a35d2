// SPDX-License-Identifier: GPL-2.0-or-later
#include "variants/manifest.hpp"

#include "common/temporary_directory.hpp"
#include "variants/workspace.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace bootbudget::variants {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Manifest example() {
    Manifest manifest;
    manifest.started = "2026-01-02T03:04:05Z";
    manifest.finished = "2026-01-02T03:14:05Z";
    manifest.source = {"kernel\xff.spec", "aa"};
    manifest.sources = {{"linux.tar.xz", "bb"}};
    manifest.rpmbuild = "4.18.0";
    manifest.jobs = 2;
    manifest.variants.push_back(
        {"debug", {{"dbgonly"}, {}, {{"dist", ""}}}, {{"kernel-1.rpm", "cc", "", true}}, 1.5, "debug.log"});
    manifest.variants.push_back(
        {"nodebug",
         {{}, {"debug"}, {}},
         {{"kernel-1.rpm", "dd", "debug", true}, {"kernel-core-1.rpm", "ee", "", true}},
         2.5,
         "nodebug.log"});
    return manifest;
}

TEST(VariantsManifest, SaysWhatWasBuiltHow) {
    const auto document = nlohmann::json::parse(to_json(example()));
    EXPECT_EQ(document.at("schema"), "bootbudget-build/1");
    EXPECT_EQ(document.at("source").at("file"), "kernel\xef\xbf\xbd.spec");  // what is no UTF-8 is replaced
    EXPECT_EQ(document.at("source").at("sources").at(0).at("sha256"), "bb");
    EXPECT_EQ(document.at("variants").at(0).at("switches").at("with").at(0), "dbgonly");
    EXPECT_EQ(document.at("variants").at(0).at("switches").at("defines").at("dist"), "");
    const auto & second = document.at("variants").at(1);
    EXPECT_EQ(second.at("packages").size(), 1U);
    EXPECT_EQ(second.at("packages").at(0).at("file"), "kernel-core-1.rpm");
    EXPECT_EQ(second.at("also_built").at(0).at("kept_from"), "debug");
    EXPECT_EQ(second.at("also_built").at(0).at("same_contents"), true);
}

TEST(VariantsManifest, ListsTheFilesOfAnOutput) {
    const common::TemporaryDirectory directory(std::filesystem::temp_directory_path());
    EXPECT_THAT(files_by_manifest(directory.path()), IsEmpty());
    std::ofstream(directory.path() / MANIFEST_FILE) << to_json(example());
    EXPECT_THAT(
        files_by_manifest(directory.path()),
        UnorderedElementsAre("manifest.json", "debug.log", "nodebug.log", "kernel-1.rpm", "kernel-core-1.rpm"));
}

TEST(VariantsManifest, WhatIsNoManifestListsNothing) {
    const common::TemporaryDirectory directory(std::filesystem::temp_directory_path());
    for (const char * text :
         {"",
          "{",
          "[]",
          "{}",
          R"({"schema": 1, "variants": []})",
          R"({"schema": "bootbudget-report/1", "variants": []})",
          R"({"schema": "bootbudget-build/1"})",
          R"({"schema": "bootbudget-build/1", "variants": {}})",
          R"({"schema": "bootbudget-build/1", "variants": [1]})"}) {
        std::ofstream(directory.path() / MANIFEST_FILE) << text;
        EXPECT_THAT(files_by_manifest(directory.path()), IsEmpty()) << text;
    }
    std::ofstream(directory.path() / MANIFEST_FILE)
        << R"({"schema": "bootbudget-build/1", "variants": [{"log": 3, "packages": [1, {"file": 2}]}]})";
    EXPECT_THAT(files_by_manifest(directory.path()), UnorderedElementsAre("manifest.json"));
}

TEST(VariantsWorkspace, NamesThatRpmbuildCannotQuote) {
    EXPECT_TRUE(is_fit_for_rpmbuild("/var/tmp/bootbudget-a1B2_c.d+e"));
    EXPECT_TRUE(is_fit_for_rpmbuild("/home/jürgen/büro"));
    for (const char * path : {"/a b", "/a%b", "/a:b", "/a'b", "/a\"b", "/a$b", "/a\nb", "/a;b", "/a*b", "/a(b)"}) {
        EXPECT_FALSE(is_fit_for_rpmbuild(path)) << path;
    }
}

}  // namespace
}  // namespace bootbudget::variants
