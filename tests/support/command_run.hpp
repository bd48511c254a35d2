// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bootbudget::test {

/// A directory of one test, gone with it. Below /var/tmp: boot trees are large, and their paths go into UNIX sockets' names.
class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch &) = delete;
    Scratch & operator=(const Scratch &) = delete;
    const std::filesystem::path & path() const { return path_; }

    /// Writes a file into it and returns its path.
    std::filesystem::path write(const std::string & name, const std::string & content) const;

private:
    std::filesystem::path path_;
};

/// The bootbudget command of this build, running.
class CommandRun {
public:
    /// Starts it with `arguments`; `prefix` goes before the command ("setpriv", …). Output goes to files in `scratch`.
    CommandRun(
        const Scratch & scratch,
        const std::vector<std::string> & arguments,
        const std::vector<std::string> & prefix = {},
        const std::string & command = BOOTBUDGET_COMMAND);
    ~CommandRun();  ///< kills it if it still runs
    CommandRun(const CommandRun &) = delete;
    CommandRun & operator=(const CommandRun &) = delete;

    pid_t pid() const { return pid_; }
    bool has_ended();
    void wait();

    /// Waits so long at most. A process that is ending has neither a command line nor a status for a moment, so neither alone tells.
    bool ends_within(double seconds);

    /// After wait(): exit status, or 1000 + the signal's number.
    int status() const { return status_; }
    std::string out() const;
    std::string err() const;

private:
    std::filesystem::path out_, err_;
    pid_t pid_ = -1;
    int status_ = -1;
};

/// Starts and waits.
struct Finished {
    int status;
    std::string out, err;
};
Finished run_command(
    const Scratch & scratch,
    const std::vector<std::string> & arguments,
    const std::vector<std::string> & prefix = {},
    const std::string & command = BOOTBUDGET_COMMAND);

/// A program's end status, its output thrown away.
int run_program(const std::vector<std::string> & argv);

/// "PID comm" of every living process whose command line or environment names `path`, this one left out.
std::vector<std::string> processes_naming(const std::filesystem::path & path);

/// Waits until no process names `path`, at most `seconds`; returns those that stayed.
std::vector<std::string> processes_left_after(const std::filesystem::path & path, double seconds);

/// What lies in a directory, by name.
std::vector<std::string> names_in(const std::filesystem::path & directory);

std::string slurp(const std::filesystem::path & file);

}  // namespace bootbudget::test
