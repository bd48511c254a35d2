// SPDX-License-Identifier: GPL-2.0-or-later
// The manifest is written for people and for scripts that want to know which switches made a package; it is read again only to tell an earlier
// output, which may be replaced, from somebody's own directory, which may not.
#include "variants/manifest.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <system_error>

namespace bootbudget::variants {

namespace {

constexpr const char * SCHEMA = "bootbudget-build/1";
constexpr std::uintmax_t LARGEST_MANIFEST = std::uintmax_t{16} << 20U;

using Json = nlohmann::ordered_json;

Json to_json_value(const ManifestVariant & variant) {
    Json packages = Json::array();
    Json also_built = Json::array();
    for (const BuiltPackage & package : variant.packages) {
        if (package.kept_from.empty()) {
            packages.push_back({{"file", package.file}, {"sha256", package.sha256}});
        } else {
            also_built.push_back(
                {{"file", package.file}, {"kept_from", package.kept_from}, {"same_contents", package.same_contents}});
        }
    }
    Json defines = Json::object();
    for (const auto & [name, value] : variant.switches.defines) {
        defines[name] = value;
    }
    return {
        {"name", variant.name},
        {"switches", {{"with", variant.switches.with}, {"without", variant.switches.without}, {"defines", defines}}},
        {"packages", packages},
        {"also_built", also_built},
        {"seconds", variant.seconds},
        {"log", variant.log}};
}

}  // namespace

std::string to_json(const Manifest & manifest) {
    Json sources = Json::array();
    for (const ManifestSource & source : manifest.sources) {
        sources.push_back({{"file", source.file}, {"sha256", source.sha256}});
    }
    Json variants = Json::array();
    for (const ManifestVariant & variant : manifest.variants) {
        variants.push_back(to_json_value(variant));
    }
    const Json document = {
        {"schema", SCHEMA},
        {"tool", {{"name", "bootbudget"}, {"version", BOOTBUDGET_VERSION}}},
        {"started", manifest.started},
        {"finished", manifest.finished},
        {"source", {{"file", manifest.source.file}, {"sha256", manifest.source.sha256}, {"sources", sources}}},
        {"rpmbuild", manifest.rpmbuild},
        {"jobs", manifest.jobs},
        {"variants", variants}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::set<std::string> files_by_manifest(const std::filesystem::path & directory) {
    const std::filesystem::path path = directory / MANIFEST_FILE;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > LARGEST_MANIFEST) {
        return {};
    }
    std::ifstream file(path, std::ios::binary);
    const Json document = Json::parse(file, nullptr, false);
    if (!document.is_object() || document.value("schema", Json()) != SCHEMA || !document.contains("variants") ||
        !document["variants"].is_array()) {
        return {};
    }
    std::set<std::string> files = {MANIFEST_FILE};
    for (const Json & variant : document["variants"]) {
        if (!variant.is_object()) {
            return {};
        }
        if (const Json log = variant.value("log", Json()); log.is_string()) {
            files.insert(log.get<std::string>());
        }
        const Json packages = variant.value("packages", Json::array());
        for (const Json & package : packages) {
            if (const Json file_name = package.is_object() ? package.value("file", Json()) : Json();
                file_name.is_string()) {
                files.insert(file_name.get<std::string>());
            }
        }
    }
    return files;
}

}  // namespace bootbudget::variants
