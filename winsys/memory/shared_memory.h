// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that processes and devices share by a descriptor, for the CPU device: dma-bufs, or sealed memfds on
// kernels that cannot create dma-bufs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "winsys/memory/memfd_uses.h"

namespace terrazzo::winsys {

/// Mapped for the lifetime of the object. After its last mapped byte there is at least one page of padding
/// that may be read and written. Thread: any.
class SharedMemory {
  public:
    /// New zeroed memory: a dma-buf of /dev/udmabuf if the kernel has that, else a memfd sealed like the
    /// virtual kernel's, which accepts it as a dma-buf. Null: out of memory or descriptors.
    [[nodiscard]] static std::unique_ptr<SharedMemory> create(uint64_t size_B);
    /// Maps the memory of a dma-buf or memfd; the caller keeps `fd`. Null: it is neither, cannot be mapped,
    /// or is a memfd that could shrink, so that reads would raise SIGBUS. Only the pages of the first
    /// `used_B` bytes are mapped: a read beyond them reaches the padding, not other memory of the file.
    [[nodiscard]] static std::unique_ptr<SharedMemory> import(int fd, uint64_t used_B = UINT64_MAX);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    [[nodiscard]] uint8_t* data() const { return data_; }
    /// The size of the file.
    [[nodiscard]] uint64_t size_B() const { return size_B_; }
    /// False: its pages may only be read.
    [[nodiscard]] bool writable() const { return !not_writable_; }
    /// Why the pages may not be written; null: they may.
    [[nodiscard]] const char* not_writable() const { return not_writable_; }
    /// False: it is a memfd.
    [[nodiscard]] bool is_dmabuf() const { return is_dmabuf_; }
    /// A new descriptor, which the caller owns; -1: none is left.
    [[nodiscard]] int export_fd() const;
    /// Whether other processes or devices write it or, with `write`, read it (dma-buf's implicit fences, a
    /// memfd's locks).
    [[nodiscard]] bool used_by_others(bool write) const;
    /// Waits until these uses have ended, at most `limit_ns`. False: at least one has not ended. This is
    /// reported once: until that use ends, later calls do not wait. `*pid` is its process, 0 if unknown.
    /// Throws std::bad_alloc.
    [[nodiscard]] bool wait_for_others(bool write, uint64_t limit_ns, pid_t* pid) const;
    /// The file's inode, which /proc/PID/fd of other processes shows for the same memory.
    [[nodiscard]] uint64_t inode() const;

  private:
    SharedMemory() = default;
    [[nodiscard]] bool map(uint64_t used_B);

    std::unique_ptr<MemfdUses> file_;
    uint8_t* data_ = nullptr;
    uint64_t size_B_ = 0, mapped_B_ = 0;
    const char* not_writable_ = nullptr;
    bool is_dmabuf_ = false;
    mutable std::atomic<bool> given_up_{false};  // for dma-bufs; memfds have MemfdUses
};

}  // namespace terrazzo::winsys
