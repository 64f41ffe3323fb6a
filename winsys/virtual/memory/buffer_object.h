// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A buffer object of the virtual kernel: shared memory that is mapped once for the virtual GPU. An object
// that may be exported has a sealed memfd, which is also its dma-buf. A process that receives the descriptor
// imports the same memory and recognises the object by its inode. Other objects need no descriptor: programs
// have thousands of buffers, but only 1024 descriptors. (Where memory without a descriptor cannot be mapped a
// second time, each object has one.)
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "winsys/memory/memfd_uses.h"
#include "winsys/virtual/fences/reservation.h"

namespace terrazzo::winsys::virt {

constexpr uint64_t kPageSize_B = 4096;

/// Identifies a memfd or pipe, however often its descriptor is duplicated or sent.
struct Inode {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const Inode&) const = default;
};
/// The inode of a descriptor. False: it is closed.
[[nodiscard]] bool inode_of(int fd, Inode* out);

/// A kernel driver's data of an object, shared by all files that have the object.
class ObjectData {
  public:
    virtual ~ObjectData() = default;
};

class BufferObject {
  public:
    /// Zeroed memory; `size_B` is rounded up to pages. Null: `*error` is -EINVAL (the size is 0 or too
    /// large), -ENOMEM or -EMFILE.
    [[nodiscard]] static std::shared_ptr<BufferObject> create(uint64_t size_B, uint32_t flags,
                                                              bool can_be_exported, int* error);
    /// The object of a dma-buf of another virtual kernel or of the real one; duplicates `fd`. Null: `*error`
    /// is -EBADF, or -EINVAL if `fd` is no dma-buf.
    [[nodiscard]] static std::shared_ptr<BufferObject> import(int fd, int* error);
    ~BufferObject();
    BufferObject(const BufferObject&) = delete;
    BufferObject& operator=(const BufferObject&) = delete;

    [[nodiscard]] uint64_t size_B() const { return size_B_; }
    [[nodiscard]] uint8_t* host() const { return host_; }
    /// Returns a new descriptor, which the caller owns, or -errno; -EPERM: the object cannot be exported.
    /// From now on other processes see the uses of the object (Reservation::share).
    [[nodiscard]] int export_fd(bool close_on_exec);
    [[nodiscard]] const Inode& inode() const { return inode_; }
    /// Maps the memory once more, as mmap(2) with these arguments. Returns 0 or -errno.
    [[nodiscard]] int map(void* address, uint64_t size_B, int prot, int flags, void** out) const;
    /// The `flags` of create(). Only the driver interprets them.
    [[nodiscard]] uint32_t flags() const { return flags_; }

    // Guarded by the device's lock.
    uint64_t mmap_offset = 0;  // 0: none was asked for
    uint64_t exclusive = 0;    // if not 0, the number of the only address space that may map the object
    Reservation reservation;   // its uses, if the driver's submissions name their objects
    std::unique_ptr<ObjectData> driver_data;

  private:
    BufferObject() = default;
    [[nodiscard]] int map_first(int flags);

    uint64_t size_B_ = 0;
    uint8_t* host_ = nullptr;
    Inode inode_;
    std::shared_ptr<MemfdUses> file_;  // null: memory without a descriptor
    bool can_be_exported_ = true;
    uint32_t flags_ = 0;
};

}  // namespace terrazzo::winsys::virt
