// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/temporary_directory.hpp"

#include <bootbudget/progress.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::variants {

/// Whether rpmbuild, the shell scripts of specs and the kernel's makefiles can work below a directory of this name: they quote
/// nothing, and a percent sign begins a macro. Letters of any script are fine; spaces, quotes, colons and the like are not.
bool is_fit_for_rpmbuild(std::string_view path);

/// The one directory that a build works in: rpm's _topdir, with everything that rpmbuild would otherwise put elsewhere.
class Workspace {
public:
    /// `base`: empty for $TMPDIR, else /var/tmp. A base whose name is not fit is replaced by /var/tmp or /tmp, with a warning. Throws SystemError.
    Workspace(const std::filesystem::path & base, int jobs, Progress & progress);

    std::filesystem::path top() const { return directory_.path(); }
    std::filesystem::path specs() const { return top() / "SPECS"; }
    std::filesystem::path sources() const { return top() / "SOURCES"; }
    std::filesystem::path packages() const { return top() / "RPMS"; }

    /// The --define options that keep rpm and rpmbuild inside, whatever the user's own macro files say.
    std::vector<std::string> macro_arguments() const;

    /// For children: the caller's PATH, HOME and ccache settings; temporary files inside.
    std::map<std::string, std::string> environment() const;

    /// Empties what a run of rpmbuild leaves behind, so that the next one starts afresh and two build trees never need room at once.
    void clear_build() const;

    std::filesystem::path keep() { return directory_.keep(); }

private:
    common::TemporaryDirectory directory_;
    int jobs_;
};

}  // namespace bootbudget::variants
