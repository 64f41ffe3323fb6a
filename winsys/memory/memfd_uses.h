// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Implicit fences of shared memory that no kernel makes fences for: the memfds that virtual GPUs and the CPU device give away as
// dma-bufs. Whoever uses such memory holds a lock of the file meanwhile, and others see it: a lock for writing while something
// writes, one for reading while something reads. The system drops the locks of a process that ends.
// Source: fcntl(2), "open file description locks".
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace terrazzo::winsys {

/// A second descriptor of a memfd, with an open file description of its own: locks belong to one of these. It has the rights of the
/// first. -1: none is left, or there is no /proc.
[[nodiscard]] int open_memfd_again(int fd);

/// Uses of one memfd, by one side. Each is the lock of a byte far behind the file's end that nobody else has. Thread: any.
class MemfdUses {
  public:
    /// Uses of another side: all that lock bytes of that range.
    struct Others {
        uint64_t first = 0, last = 0;
        bool write = false;
        pid_t pid = 0;  // who, as far as the kernel and the place of the lock tell; 0: not known
    };

    /// Closes `fd` when it ends: the memfd, or a kernel's dma-buf, whose fences are the kernel's: nothing is locked there. `own`: no other
    /// process, and no other MemfdUses, has its open file description. Without that others' uses are seen, but none can begin.
    MemfdUses(int fd, bool own) : fd_(fd), own_(own) {}
    ~MemfdUses();
    MemfdUses(const MemfdUses&) = delete;
    MemfdUses& operator=(const MemfdUses&) = delete;

    [[nodiscard]] int fd() const { return fd_; }
    /// A descriptor to give away, the caller's; -1: none is left.
    [[nodiscard]] int export_fd(bool close_on_exec = true);
    /// A number for end(), not 0. 0: others cannot be told, so that they must not get the memory before the use has ended.
    [[nodiscard]] uint64_t begin(bool write);
    void end(uint64_t use);
    /// Appends the uses of others that an access must wait for: for a read the writers, for a write all. Nothing while a use goes on that
    /// was given up. Throws std::bad_alloc.
    void collect(bool write, std::vector<Others>* out) const;
    /// True once none of them goes on.
    [[nodiscard]] bool ended(const Others& others) const;
    /// These were waited for long enough. Until all of them have ended, no use of this memory is waited for: who never ends one costs a
    /// single wait, whatever else he begins. Throws std::bad_alloc.
    void give_up(const std::vector<Others>& others) const;
    /// Returns when all uses of now that an access must wait for have ended, or after `limit_ns`. False: it has given them up, and `*pid`
    /// (0: not known) has one of them. Throws std::bad_alloc.
    [[nodiscard]] bool wait(bool write, uint64_t limit_ns, pid_t* pid) const;

    /// A virtual GPU does not wait longer than this for a use of others: the process was stopped, or a child holds its files.
    static constexpr uint64_t kLimit_ns = 60'000'000'000;

  private:
    const int fd_;
    std::atomic<bool> own_;
    mutable std::atomic<bool> any_given_up_{false};
    mutable std::mutex mutex_;  // guards ...
    mutable std::vector<Others> given_up_;
};

/// Returns when all uses of now that an access to the memfd must wait for have ended, at most after `limit_ns`. For who only looks.
void wait_for_memfd(int fd, bool write, uint64_t limit_ns = MemfdUses::kLimit_ns);

}  // namespace terrazzo::winsys
