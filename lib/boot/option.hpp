// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::boot {

/// The words of a command line. Double quotes keep blanks in a word and stay where they are, as the kernel and QEMU's log write them.
std::vector<std::string> words_of(std::string_view command_line);

/// The kernel's command line without what differs between two boots of the same environment: root=UUID=… (made with each appliance) and the number of
/// lpj=… (measured on the host). Whether there is an lpj= at all stays: libguestfs gives one only where it may read the host's dmesg, and without it
/// the guest measures for itself.
std::string comparable_command_line(const std::string & guest_command_line);

/// The values of an option of QEMU's, "-machine" say, joined by blanks; empty if it is not there.
std::string option_of(const std::string & qemu_command, std::string_view option);

}  // namespace bootbudget::boot
