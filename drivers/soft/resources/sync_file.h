// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Owns the descriptor of a sync file.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace terrazzo::soft {

class SyncFile {
  public:
    explicit SyncFile(int fd) : fd_(fd) {}
    ~SyncFile() {
        if (fd_ >= 0) close(fd_);
    }
    SyncFile(SyncFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    SyncFile(const SyncFile&) = delete;
    SyncFile& operator=(const SyncFile&) = delete;
    [[nodiscard]] int fd() const { return fd_; }
    /// A new descriptor, which the caller owns; -1: none is left.
    [[nodiscard]] int duplicate() const { return fcntl(fd_, F_DUPFD_CLOEXEC, 3); }

  private:
    int fd_;
};

}  // namespace terrazzo::soft
