// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

namespace bootbudget::test {

/// Runs `expectations` as somebody who is not root: in this process, or, when it is root, in a child that has become nobody. A failure there is one of the calling test.
inline void as_ordinary_user(const std::function<void()> & expectations) {
    if (::geteuid() != 0) {
        expectations();
        return;
    }
    std::fflush(nullptr);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        constexpr uid_t NOBODY = 65534;
        if (::setresgid(NOBODY, NOBODY, NOBODY) != 0 || ::setresuid(NOBODY, NOBODY, NOBODY) != 0) {
            ::_exit(2);
        }
        expectations();
        std::fflush(nullptr);
        ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
        << "the expectations failed as an ordinary user, see above";
}

}  // namespace bootbudget::test
