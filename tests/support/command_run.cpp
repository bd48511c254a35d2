// SPDX-License-Identifier: GPL-2.0-or-later
// The tests of the whole command start it as a user would, with its own files for both outputs, and look at the process table afterwards.
#include "support/command_run.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

extern char ** environ;

namespace bootbudget::test {

namespace fs = std::filesystem;

Scratch::Scratch() {
    std::string name = "/var/tmp/bbtest-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a directory in /var/tmp");
    }
    path_ = name;
    fs::permissions(path_, fs::perms(0755));
}

Scratch::~Scratch() {
    std::error_code error;
    fs::remove_all(path_, error);
}

fs::path Scratch::write(const std::string & name, const std::string & content) const {
    std::ofstream(path_ / name) << content;
    return path_ / name;
}

CommandRun::CommandRun(
    const Scratch & scratch,
    const std::vector<std::string> & arguments,
    const std::vector<std::string> & prefix,
    const std::string & command) {
    static int count = 0;
    ++count;
    out_ = scratch.path() / ("stdout-" + std::to_string(count));
    err_ = scratch.path() / ("stderr-" + std::to_string(count));
    auto words = prefix;
    words.push_back(command);
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (auto & word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&actions, 2, err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int error = ::posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw std::runtime_error("cannot start " + words[0]);
    }
}

CommandRun::~CommandRun() {
    if (status_ == -1) {
        ::kill(pid_, SIGKILL);
        wait();
    }
}

bool CommandRun::has_ended() {
    if (status_ == -1) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        }
    }
    return status_ != -1;
}

void CommandRun::wait() {
    while (!has_ended()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

bool CommandRun::ends_within(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!has_ended() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return has_ended();
}

std::string CommandRun::out() const {
    return slurp(out_);
}

std::string CommandRun::err() const {
    return slurp(err_);
}

Finished run_command(
    const Scratch & scratch,
    const std::vector<std::string> & arguments,
    const std::vector<std::string> & prefix,
    const std::string & command) {
    CommandRun run(scratch, arguments, prefix, command);
    run.wait();
    return {run.status(), run.out(), run.err()};
}

int run_program(const std::vector<std::string> & argv) {
    auto words = argv;
    std::vector<char *> pointers;
    for (auto & word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return -1;
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::vector<std::string> processes_naming(const fs::path & path) {
    std::vector<std::string> found;
    std::error_code error;
    for (const auto & entry : fs::directory_iterator("/proc", error)) {
        const auto pid = entry.path().filename().string();
        if (pid.find_first_not_of("0123456789") != std::string::npos || pid == std::to_string(::getpid())) {
            continue;
        }
        for (const char * part : {"cmdline", "environ"}) {
            if (slurp(entry.path() / part).find(path.string()) != std::string::npos) {
                found.push_back(pid + " " + slurp(entry.path() / "comm"));
                break;
            }
        }
    }
    return found;
}

std::vector<std::string> processes_left_after(const fs::path & path, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    auto left = processes_naming(path);
    while (!left.empty() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        left = processes_naming(path);
    }
    return left;
}

std::vector<std::string> names_in(const fs::path & directory) {
    std::vector<std::string> names;
    for (const auto & entry : fs::directory_iterator(directory)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string slurp(const fs::path & file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

}  // namespace bootbudget::test
