// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Implicit fences of memory for which no kernel keeps fences: the memfds that virtual GPUs and the CPU device
// export as dma-bufs. A process holds a lock on the file while it uses the memory, which the other processes
// see: a write lock while something writes, a read lock while something reads. The system releases the locks
// of a process that ends.
// Source: fcntl(2), "open file description locks".
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "winsys/environment/values.h"

namespace terrazzo::winsys {

/// A second descriptor of a memfd, with its own open file description, which can hold its own locks. It has
/// the access rights of the first one. -1: no descriptor is left, or there is no /proc.
[[nodiscard]] int open_memfd_again(int fd);

/// One process' uses of a memfd. Each use locks a byte far beyond the file's end that no other use locks.
/// Thread: any.
class MemfdUses {
  public:
    /// Uses of other processes: all locks in this range of bytes.
    struct Others {
        uint64_t first = 0, last = 0;
        bool write = false;
        pid_t pid = 0;  // a process that holds one, as far as it is known; 0: unknown
    };

    /// Owns `fd`: a memfd, or a dma-buf of a kernel, which has the kernel's fences and is never locked.
    /// `own`: no other process and no other MemfdUses shares its open file description. Without `own`, uses
    /// of other processes are seen, but begin() fails.
    MemfdUses(int fd, bool own) : fd_(fd), own_(own) {}
    ~MemfdUses();
    MemfdUses(const MemfdUses&) = delete;
    MemfdUses& operator=(const MemfdUses&) = delete;

    [[nodiscard]] int fd() const { return fd_; }
    /// A new descriptor, which the caller owns; -1: none is left.
    [[nodiscard]] int export_fd(bool close_on_exec = true);
    /// Begins a use. Returns a number for end(), not 0. 0: other processes cannot see the use, so they must
    /// not get the memory before it has ended.
    [[nodiscard]] uint64_t begin(bool write);
    void end(uint64_t use);
    /// Appends the uses of others that an access must wait for: a read waits for writers, a write for all.
    /// Appends nothing while a use that was given up continues. Throws std::bad_alloc.
    void collect(bool write, std::vector<Others>* out) const;
    /// True once all uses in `others` have ended.
    [[nodiscard]] bool ended(const Others& others) const;
    /// Stops waiting for these uses. Until all of them have ended, no use of this memory is waited for: a
    /// process that never ends a use costs one wait only, whatever else it begins. Throws std::bad_alloc.
    void give_up(const std::vector<Others>& others) const;
    /// Waits for the current uses that conflict with an access, at most `limit_ns`. False: it has given up
    /// the remaining uses; `*pid` is the process of one of them, or 0 if unknown. Throws std::bad_alloc.
    [[nodiscard]] bool wait(bool write, uint64_t limit_ns, pid_t* pid) const;

  private:
    const int fd_;
    std::atomic<bool> own_;
    mutable std::atomic<bool> any_given_up_{false};
    mutable std::mutex mutex_;  // guards given_up_
    mutable std::vector<Others> given_up_;
};

/// Waits until the current uses that conflict with an access to the memfd have ended, at most `limit_ns`. If
/// a use lasts longer, its process has stopped, or a child process still holds its file.
void wait_for_memfd(int fd, bool write, uint64_t limit_ns = kDrawLimit_ns);

}  // namespace terrazzo::winsys
