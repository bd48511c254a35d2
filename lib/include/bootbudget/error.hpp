// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <stdexcept>
#include <string>

#define BOOTBUDGET_API __attribute__((visibility("default")))

namespace bootbudget {

/// Base of everything this library throws on purpose. what() is a whole sentence that names the object concerned and, for errors
/// a person can mend, the next step. It is fit to be shown as it is.
class BOOTBUDGET_API Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The request cannot be served as asked: wrong usage, a mistake in a policy, a package that is damaged, a directory without kernels.
/// The command exits with status 2.
class BOOTBUDGET_API UserError : public Error {
public:
    using Error::Error;
};

/// The machine refused: a system call, a missing program, no space left. The command exits with status 3 (could not measure).
class BOOTBUDGET_API SystemError : public Error {
public:
    /// A failure without an errno, such as a program that is not installed.
    explicit SystemError(const std::string & sentence);

    /// `what` is the attempt without a final stop ("cannot create the directory /x"); the text of `error_number` (errno(3)) is appended.
    SystemError(const std::string & what, int error_number);

    /// errno of the failed call, or 0 where there was none.
    int error_number() const noexcept { return error_number_; }

private:
    int error_number_ = 0;
};

/// A broken promise inside bootbudget itself; please report it. The command exits with status 70 (EX_SOFTWARE).
class BOOTBUDGET_API BugError : public Error {
public:
    using Error::Error;
};

/// The caller's stop token was triggered. Not a failure of anything; the command exits with 128 + the signal's number.
class BOOTBUDGET_API Cancelled : public Error {
public:
    using Error::Error;
};

}  // namespace bootbudget
