// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The kernel sends SIGXFSZ to the thread that writes (inode_newsize_ok, generic_write_check_limits in Linux).
// So this thread can block the signal and consume it.
#include "winsys/environment/file_size.h"

#include <pthread.h>

#include <cerrno>
#include <ctime>

namespace terrazzo::winsys {
namespace {

sigset_t signal_alone() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    return set;
}

}  // namespace

FileSizeSignalBlock::FileSizeSignalBlock() {
    const sigset_t set = signal_alone();
    if (pthread_sigmask(SIG_BLOCK, &set, &before_) != 0) return;
    // If the program has blocked the signal itself, one may be pending already.
    sigset_t waiting;
    const bool was_blocked = sigismember(&before_, SIGXFSZ);
    ours_ = !was_blocked || (sigpending(&waiting) == 0 && !sigismember(&waiting, SIGXFSZ));
    unblock_ = !was_blocked;
}

FileSizeSignalBlock::~FileSizeSignalBlock() {
    const int error = errno;
    const sigset_t set = signal_alone();
    const timespec at_once{};
    while (ours_ && sigtimedwait(&set, nullptr, &at_once) == -1 && errno == EINTR) {
    }
    if (unblock_) (void)pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    errno = error;
}

}  // namespace terrazzo::winsys
