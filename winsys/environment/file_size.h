// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RLIMIT_FSIZE: a call that makes a file larger than the limit (write, ftruncate, fallocate; memfds, too)
// fails with EFBIG, and SIGXFSZ ends the program. A library must not end a program because a cache entry is
// too large.
#pragma once

#include <csignal>

namespace terrazzo::winsys {

/// While one exists, writes of this thread beyond RLIMIT_FSIZE fail and raise no signal. A SIGXFSZ that was
/// pending before stays pending. Preserves errno.
class FileSizeSignalBlock {
  public:
    FileSizeSignalBlock();
    ~FileSizeSignalBlock();
    FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
    FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

  private:
    sigset_t before_;
    bool ours_ = false;  // a signal that is pending at the end was raised here
    bool unblock_ = false;
};

}  // namespace terrazzo::winsys
