// SPDX-License-Identifier: GPL-2.0-or-later
#include "page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

namespace bootbudget::counter {

boot::CounterPage * map_page(const char * path) {
    constexpr std::size_t BYTES = boot::CounterPage::PAGE_BYTES;
    const int file = ::open(path, O_RDWR | O_CLOEXEC);
    struct stat status = {};
    if (file < 0 || ::fstat(file, &status) != 0) {
        std::fprintf(
            stderr,
            "bootbudget-counter: cannot open the page file %s: %s; it must exist, with %zu bytes at least.\n",
            path,
            std::strerror(errno),
            BYTES);
    } else if (!S_ISREG(status.st_mode) || status.st_size < static_cast<off_t>(BYTES)) {
        std::fprintf(
            stderr,
            "bootbudget-counter: the page file %s is not a file of %zu bytes at least; make it that long first.\n",
            path,
            BYTES);
    } else {
        void * const page = ::mmap(nullptr, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (page != MAP_FAILED) {
            ::close(file);
            return ::new (page) boot::CounterPage{};
        }
        std::fprintf(stderr, "bootbudget-counter: cannot map the page file %s: %s.\n", path, std::strerror(errno));
    }
    if (file >= 0) {
        ::close(file);
    }
    return nullptr;
}

void set_flag(boot::CounterPage & page, std::uint32_t flag) {
    std::atomic_ref(page.flags).fetch_or(flag, std::memory_order_relaxed);
}

void announce(boot::CounterPage & page) {
    std::atomic_ref(page.state).store(boot::CounterPage::RUNNING, std::memory_order_relaxed);
    std::atomic_ref(page.magic).store(boot::CounterPage::MAGIC, std::memory_order_release);
}

void end(boot::CounterPage & page) {
    std::atomic_ref(page.state).store(boot::CounterPage::ENDED, std::memory_order_release);
}

}  // namespace bootbudget::counter
