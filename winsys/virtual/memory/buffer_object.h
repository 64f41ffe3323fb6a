// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A buffer object of the virtual kernel: shared memory, mapped once for the virtual GPU. One that may be
// exported has a sealed memfd, which also is its dma-buf: a process that receives the descriptor imports the
// same memory, and knows the object by its inode. Others take no descriptor: programs have thousands of
// buffers and 1024 descriptors.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "winsys/memory/memfd_uses.h"
#include "winsys/virtual/fences/reservation.h"

namespace terrazzo::winsys::virt {

constexpr uint64_t kPageSize_B = 4096;

/// What identifies a memfd (or pipe) however often it is duplicated or sent.
struct Inode {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const Inode&) const = default;
};
/// Of a descriptor. False: it is closed.
[[nodiscard]] bool inode_of(int fd, Inode* out);

/// What a kernel driver keeps of an object, however many files have it.
class ObjectData {
  public:
    virtual ~ObjectData() = default;
};

class BufferObject {
  public:
    /// Zeroed memory. `size_B` is rounded up to pages. Null: `*error` is -EINVAL (no size, or no such size),
    /// -ENOMEM or -EMFILE.
    [[nodiscard]] static std::shared_ptr<BufferObject> create(uint64_t size_B, uint32_t flags,
                                                              bool can_be_exported, int* error);
    /// The object that another kernel's dma-buf is, a virtual one's or the real one's; duplicates `fd`. Null: -EBADF, or -EINVAL
    /// where it is neither.
    [[nodiscard]] static std::shared_ptr<BufferObject> import(int fd, int* error);
    ~BufferObject();
    BufferObject(const BufferObject&) = delete;
    BufferObject& operator=(const BufferObject&) = delete;

    [[nodiscard]] uint64_t size_B() const { return size_B_; }
    [[nodiscard]] uint8_t* host() const { return host_; }
    /// A new descriptor, the caller's. -EPERM: it cannot be exported; or another -errno. From now on the reservation tells others
    /// who uses the object.
    [[nodiscard]] int export_fd(bool close_on_exec);
    [[nodiscard]] const Inode& inode() const { return inode_; }
    /// Maps the memory once more, as mmap(2) at `address` with `prot` and `flags` does. 0 or -errno.
    [[nodiscard]] int map(void* address, uint64_t size_B, int prot, int flags, void** out) const;
    /// As given to create(): the driver's.
    [[nodiscard]] uint32_t flags() const { return flags_; }

    // Guarded by the kernel's lock.
    uint64_t mmap_offset = 0;         // 0: none was asked for
    const void* exclusive = nullptr;  // the only address space that may map it, if any
    Reservation reservation;          // who uses it, where the driver's submissions name their objects
    std::unique_ptr<ObjectData> driver_data;

  private:
    BufferObject() = default;
    [[nodiscard]] int map_first(int flags);

    uint64_t size_B_ = 0;
    uint8_t* host_ = nullptr;
    Inode inode_;
    std::shared_ptr<MemfdUses> file_;  // null: it cannot be exported
    uint32_t flags_ = 0;
};

}  // namespace terrazzo::winsys::virt
