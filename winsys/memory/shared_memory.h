// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that processes and devices share by a descriptor, as the CPU device sees it: dma-bufs, and sealed memfds where
// nobody makes dma-bufs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "winsys/memory/memfd_uses.h"

namespace terrazzo::winsys {

/// Mapped as long as it lives. Behind its last byte that is mapped there is at least a page that may be read and written, and means nothing.
/// Thread: any.
class SharedMemory {
  public:
    /// New memory of zeros: a dma-buf by /dev/udmabuf where the kernel has that, else a memfd that is sealed like those of the
    /// virtual kernel, which takes it for a dma-buf. Null: out of memory or descriptors.
    [[nodiscard]] static std::unique_ptr<SharedMemory> create(uint64_t size_B);
    /// What a dma-buf or memfd has; the descriptor stays the caller's. Null: it is neither, it cannot be mapped, or it is a
    /// memfd that could shrink, which would end whoever reads it. Of its pages only those of the first `used_B` bytes are mapped: what is
    /// read by mistake behind them is the page that means nothing, not memory of others.
    [[nodiscard]] static std::unique_ptr<SharedMemory> import(int fd, uint64_t used_B = UINT64_MAX);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    [[nodiscard]] uint8_t* data() const { return data_; }
    /// Of the file.
    [[nodiscard]] uint64_t size_B() const { return size_B_; }
    /// False: its pages may be read alone.
    [[nodiscard]] bool writable() const { return !not_writable_; }
    /// Why they may be; null: they may be written.
    [[nodiscard]] const char* not_writable() const { return not_writable_; }
    /// False: a memfd.
    [[nodiscard]] bool is_dmabuf() const { return is_dmabuf_; }
    /// A new descriptor, the caller's; -1: there is none left.
    [[nodiscard]] int export_fd() const;
    /// Whether others use it (dma-buf's implicit fences, a memfd's locks): write it, or, where it is to be `write`n, read it.
    [[nodiscard]] bool used_by_others(bool write) const;
    /// Returns when they have ended, or after `limit_ns`. False: one has not. That is said once: until it ends nobody is waited for
    /// again. `*pid` is its process, 0 where that is not known. Throws std::bad_alloc.
    [[nodiscard]] bool wait_for_others(bool write, uint64_t limit_ns, pid_t* pid) const;
    /// Of its file: what /proc/PID/fd of another process shows for the same memory.
    [[nodiscard]] uint64_t inode() const;

  private:
    SharedMemory() = default;
    [[nodiscard]] bool map(uint64_t used_B);

    std::unique_ptr<MemfdUses> file_;
    uint8_t* data_ = nullptr;
    uint64_t size_B_ = 0, mapped_B_ = 0;
    const char* not_writable_ = nullptr;
    bool is_dmabuf_ = false;
    mutable std::atomic<bool> given_up_{false};  // of a dma-buf; a memfd's MemfdUses knows
};

}  // namespace terrazzo::winsys
