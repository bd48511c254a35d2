// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace bootbudget::tests {

struct NginxOptions {
    bool tls = false;  ///< and HTTP/2 for those who want it
    /// Host names and addresses of the certificate, which is its own authority.
    std::vector<std::string> names = {"localhost", "127.0.0.1"};
    /// /faulty/FAULT/TIMES/NAME serves the root's file NAME with a fault; see faulty_backend.py.
    bool faults = false;
    /// More of nginx's configuration of the server, such as `location /loop { return 302 /loop; }`.
    std::string configuration = {};
};

/// A real nginx on a free port of 127.0.0.1, with its configuration and logs in a temporary directory. It ends with this object, and with this process,
/// however that ends. Works as root and as an ordinary user, and sets no_proxy, as the environment's proxy would not reach it.
class NginxServer {
public:
    /// Empty, or the sentence for GTEST_SKIP().
    static std::string missing();

    explicit NginxServer(const std::filesystem::path & root, const NginxOptions & options = {});
    ~NginxServer();
    NginxServer(const NginxServer &) = delete;
    NginxServer & operator=(const NginxServer &) = delete;

    /// Of a path that begins with a slash: "https://localhost:PORT/repo/" with TLS, else "http://127.0.0.1:PORT/repo/".
    std::string url(const std::string & path) const;

    /// The certificate, for clients to trust.
    std::filesystem::path ca_file() const { return place_ / "certificate.pem"; }

    void stop();

    /// Stops the server and returns all requests: "GET /repo/x 206 1234 range=bytes=5- if-range=- if-none-match=- user=- HTTP/1.1", the number being bytes of the body
    /// that were sent.
    std::vector<std::string> requests();

private:
    void make_certificate() const;
    void start_backend(const std::filesystem::path & root);
    void start(const std::filesystem::path & root);
    void configure(const std::filesystem::path & root) const;
    bool answers();

    NginxOptions options_;
    std::filesystem::path place_;
    unsigned port_ = 0;
    unsigned backend_port_ = 0;
    pid_t nginx_ = -1;
    pid_t backend_ = -1;
};

}  // namespace bootbudget::tests
