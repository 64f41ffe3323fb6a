// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RLIMIT_FSIZE: what makes a file longer than that (write, ftruncate, fallocate, memfds included) fails with
// EFBIG, and SIGXFSZ ends the program. A library must not end a program because a cache entry does not fit.
#pragma once

#include <csignal>

namespace terrazzo::winsys {

/// While one lives, a write of this thread beyond RLIMIT_FSIZE only fails. A signal of somebody else's that
/// waited before waits on. Keeps errno.
class FileSizeSignalBlock {
  public:
    FileSizeSignalBlock();
    ~FileSizeSignalBlock();
    FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
    FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

  private:
    sigset_t before_;
    bool ours_ = false;  // a signal that waits at the end
    bool unblock_ = false;
};

}  // namespace terrazzo::winsys
