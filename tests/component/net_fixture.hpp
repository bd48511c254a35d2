// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/digest.hpp"
#include "net/download.hpp"
#include "support/nginx_server.hpp"
#include "support/scratch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bootbudget::net {

class RecordedProgress : public Progress {
public:
    void step(const std::string & line) override { steps.push_back(line); }
    void advance(double done, double total, double /*seconds_left*/) override {
        last_done = done;
        last_total = total;
        on_advance(done);
    }
    void warn(const std::string & line) override { warnings.push_back(line); }

    std::vector<std::string> steps;
    std::vector<std::string> warnings;
    double last_done = 0;
    double last_total = 0;
    std::function<void(double done)> on_advance = [](double /*done*/) {};
};

/// A directory that nginx serves, and a cache.
class NetTest : public testing::Test {
protected:
    static constexpr std::size_t SIZE = 200000;

    void SetUp() override {
        if (const std::string reason = tests::NginxServer::missing(); !reason.empty()) {
            GTEST_SKIP() << reason;
        }
        std::filesystem::create_directories(root());
        options_.cache = scratch_.path() / "cäche";
        options_.first_pause = std::chrono::milliseconds(10);
        options_.stall = std::chrono::seconds(20);
        publish("kernel.rpm", bytes(SIZE));
    }

    std::filesystem::path root() const { return scratch_.path() / "www"; }

    static std::string bytes(std::size_t size, unsigned seed = 1) {
        std::string content(size, '\0');
        for (char & c : content) {
            seed = seed * 1664525U + 1013904223U;
            c = static_cast<char>(seed >> 24U);
        }
        return content;
    }
    void publish(const std::string & name, const std::string & content) {
        std::ofstream(root() / name, std::ios::binary | std::ios::trunc) << content;
    }
    void serve(const tests::NginxOptions & options = {.faults = true}) {
        server_.emplace(root(), options);
        if (options.tls) {
            options_.ca_file = server_->ca_file();
        }
    }

    /// With the size and checksum of the root's file of that name.
    Download promised(const std::string & path) const {
        Download download = unknown(path);
        const std::filesystem::path file = root() / std::filesystem::path(path).filename();
        download.size = std::filesystem::file_size(file);
        download.checksum = {"sha256", common::sha256_of_file(file)};
        return download;
    }
    Download unknown(const std::string & path) const {
        Download download;
        download.url = server_->url(path);
        download.what = "the package";
        return download;
    }

    void forget() const { std::filesystem::remove_all(options_.cache); }

    std::filesystem::path get(const Download & download) { return fetch({download}, options_, progress_, {}).at(0); }

    template <typename ErrorType>
    std::string error_of(const Download & download) {
        try {
            get(download);
        } catch (const ErrorType & error) {
            return error.what();
        } catch (const std::exception & error) {
            ADD_FAILURE() << "an error of another type: " << error.what();
            return error.what();
        }
        ADD_FAILURE() << "nothing was thrown";
        return "";
    }

    std::filesystem::path entry_of(const Download & download) const {
        const std::string & hex = download.checksum->hex;
        return options_.cache / "sha256" / hex.substr(0, 2) / hex;
    }

    tests::Scratch scratch_;
    FetchOptions options_;
    RecordedProgress progress_;
    std::optional<tests::NginxServer> server_;
};

}  // namespace bootbudget::net
