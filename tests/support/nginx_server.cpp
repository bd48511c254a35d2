// SPDX-License-Identifier: GPL-2.0-or-later
// nginx in one process in the foreground: no privileges to drop, nobody left behind. It is told a port that was free a moment ago; if somebody else was faster
// it ends, and the next port is tried.
#include "support/nginx_server.hpp"

#include "common/process.hpp"
#include "common/shell_word.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace bootbudget::tests {

namespace fs = std::filesystem;

namespace {

constexpr const char * PYTHON = "/usr/bin/python3";

sockaddr_in local(unsigned port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

unsigned free_port() {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = local(0);
    socklen_t size = sizeof address;
    const bool known = ::bind(probe, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 &&
                       ::getsockname(probe, reinterpret_cast<sockaddr *>(&address), &size) == 0;
    ::close(probe);
    if (!known) {
        throw std::runtime_error("no free port on 127.0.0.1");
    }
    return ntohs(address.sin_port);
}

// Starts a program that dies with this thread; its output goes to `output`.
pid_t start_program(const std::vector<std::string> & words, int output) {
    std::vector<char *> argv;
    for (const std::string & word : words) {
        argv.push_back(const_cast<char *>(word.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(output, STDOUT_FILENO);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    return child;
}

void end_program(pid_t & program, int signal) {
    if (program > 0) {
        ::kill(program, signal);
        ::waitpid(program, nullptr, 0);
        program = -1;
    }
}

std::string quoted(const fs::path & path) {
    return '"' + path.string() + '"';
}

}  // namespace

std::string NginxServer::missing() {
    if (!common::find_program("nginx")) {
        return "nginx is missing: install the package \"nginx-light\" or \"nginx\"";
    }
    if (!common::find_program("openssl")) {
        return "openssl is missing: install the package \"openssl\"";
    }
    return ::access(PYTHON, X_OK) == 0 ? "" : "Python is missing: install the package \"python3\"";
}

NginxServer::NginxServer(const fs::path & root, const NginxOptions & options) : options_(options) {
    ::setenv("no_proxy", "localhost,127.0.0.1", 1);
    std::string name = (fs::temp_directory_path() / "bootbudget-nginx-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot create " + name);
    }
    place_ = name;
    try {
        if (options_.tls) {
            make_certificate();
        }
        if (options_.faults) {
            start_backend(root);
        }
        start(root);
    } catch (...) {
        end_program(backend_, SIGKILL);
        fs::remove_all(place_);
        throw;
    }
}

NginxServer::~NginxServer() {
    stop();
    std::error_code ignored;
    fs::remove_all(place_, ignored);
}

std::string NginxServer::url(const std::string & path) const {
    return (options_.tls ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port_) + path;
}

void NginxServer::make_certificate() const {
    std::string names;
    for (const std::string & name : options_.names) {
        in_addr address{};
        names += names.empty() ? "" : ",";
        names += (::inet_pton(AF_INET, name.c_str(), &address) == 1 ? "IP:" : "DNS:") + name;
    }
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test "
        "-addext subjectAltName=" +
        names + " -keyout " + common::shell_word((place_ / "key.pem").string()) + " -out " +
        common::shell_word(ca_file().string()) + " >" + common::shell_word((place_ / "openssl.log").string()) + " 2>&1";
    if (std::system(command.c_str()) != 0) {
        throw std::runtime_error("openssl makes no certificate: " + command);
    }
}

void NginxServer::start_backend(const fs::path & root) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    backend_ =
        start_program({PYTHON, BOOTBUDGET_SOURCE_DIR "/tests/support/faulty_backend.py", root.string()}, ends[1]);
    ::close(ends[1]);
    FILE * const output = ::fdopen(ends[0], "r");
    const bool known = std::fscanf(output, "%u", &backend_port_) == 1;
    std::fclose(output);
    if (!known) {
        throw std::runtime_error("the backend with faults does not start");
    }
}

void NginxServer::configure(const fs::path & root) const {
    std::ofstream file(place_ / "nginx.conf");
    file << "daemon off;\nmaster_process off;\npid " << quoted(place_ / "nginx.pid") << ";\n"
         << "events { worker_connections 256; }\nhttp {\n"
         << "log_format requests '$request_method $request_uri $status $body_bytes_sent range=$http_range "
            "if-range=$http_if_range if-none-match=$http_if_none_match user=$remote_user $server_protocol';\n"
         << "access_log " << quoted(place_ / "access.log") << " requests;\ndefault_type application/octet-stream;\n";
    for (const char * kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
        file << kind << "_temp_path " << quoted(place_ / kind) << ";\n";
    }
    file << "server {\nlisten 127.0.0.1:" << port_ << (options_.tls ? " ssl http2" : "") << ";\nroot " << quoted(root)
         << ";\n";
    if (options_.tls) {
        file << "ssl_certificate " << quoted(ca_file()) << ";\nssl_certificate_key " << quoted(place_ / "key.pem")
             << ";\n";
    }
    if (options_.faults) {
        file << "location /faulty/ { proxy_pass http://127.0.0.1:" << backend_port_
             << "; proxy_buffering off; proxy_next_upstream off; }\n";
    }
    file << options_.configuration << "\n}\n}\n";
}

bool NginxServer::answers() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < deadline) {
        if (::waitpid(nginx_, nullptr, WNOHANG) == nginx_) {
            nginx_ = -1;
            return false;
        }
        const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = local(port_);
        const bool connected = ::connect(probe, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
        ::close(probe);
        // Its pid file is written after it has bound its port.
        if (connected && fs::exists(place_ / "nginx.pid")) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

void NginxServer::start(const fs::path & root) {
    const std::string program = common::find_program("nginx").value().string();
    const int null_device = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    constexpr int ATTEMPTS = 5;
    for (int attempt = 0; attempt < ATTEMPTS && nginx_ < 0; ++attempt) {
        port_ = free_port();
        configure(root);
        nginx_ = start_program(
            {program,
             "-p",
             place_.string(),
             "-c",
             (place_ / "nginx.conf").string(),
             "-e",
             (place_ / "error.log").string()},
            null_device);
        if (!answers()) {
            end_program(nginx_, SIGKILL);
        }
    }
    ::close(null_device);
    if (nginx_ < 0) {
        std::ifstream log(place_ / "error.log");
        throw std::runtime_error("nginx does not start: " + std::string(std::istreambuf_iterator<char>(log), {}));
    }
}

void NginxServer::stop() {
    end_program(nginx_, SIGTERM);
    end_program(backend_, SIGKILL);
}

std::vector<std::string> NginxServer::requests() {
    stop();
    std::vector<std::string> lines;
    std::ifstream log(place_ / "access.log");
    for (std::string line; std::getline(log, line);) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace bootbudget::tests
