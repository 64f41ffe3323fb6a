// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A panthor VM (panthor_mmu.c): an address space, the kernel's own objects at its top, a queue of
// asynchronous binds, and tiler heaps. Under the device's lock, except the address space.
#pragma once

#include <memory>

#include "winsys/virtual/jobs/job.h"
#include "winsys/virtual/memory/address_space.h"
#include "winsys/virtual/memory/va_allocator.h"
#include "winsys/virtual/panthor/heap.h"

namespace terrazzo::winsys::virt::panthor {

/// A checked bind that waits for its turn.
struct BindJob final : Job {
    uint32_t type = 0;  // uapi::kVmBindOp*
    std::shared_ptr<BufferObject> bo;
    uint64_t bo_offset_B = 0, va = 0, size_B = 0;
    MapFlags flags;
};

class Vm final : public JobQueue, public std::enable_shared_from_this<Vm> {
  public:
    /// Returns 0 and a VM, or -EINVAL if `user_va_range` leaves the kernel less than 256 MiB.
    /// `*user_va_range` receives the actual size.
    [[nodiscard]] static int create(uint32_t va_bits, uint64_t* user_va_range, std::shared_ptr<Vm>* out);
    explicit Vm(uint32_t va_bits) : space(va_bits) {}

    /// Maps a kernel object of `size_B` at a free address of the kernel's part. Null: `*error`.
    [[nodiscard]] std::shared_ptr<KernelObject> create_object(uint64_t size_B, MapFlags flags, int* error);
    void free_object(const KernelObject& object);
    /// The VM's id was closed: unmaps everything; nothing can be mapped again.
    void destroy();
    /// Carries out a bind. Returns 0 or -EINVAL.
    [[nodiscard]] int execute(const BindJob& job);

    AddressSpace space;
    uint64_t kernel_va = 0;  // the user's addresses are below this
    VaAllocator kernel_vas;
    std::shared_ptr<HeapPool> heaps;
    bool destroyed = false, unusable = false;

  private:
    void run_head(Job& job) override;
};

/// A kernel object in a VM: ring buffer, sync object, heap chunk. Its destructor unmaps it.
class KernelObject {
  public:
    KernelObject(std::weak_ptr<Vm> vm, std::shared_ptr<BufferObject> bo, uint64_t va)
        : vm_(std::move(vm)), bo_(std::move(bo)), va_(va) {}
    ~KernelObject();
    KernelObject(const KernelObject&) = delete;
    KernelObject& operator=(const KernelObject&) = delete;
    [[nodiscard]] uint64_t va() const { return va_; }
    [[nodiscard]] uint64_t size_B() const { return bo_->size_B(); }
    [[nodiscard]] uint8_t* host() const { return bo_->host(); }

  private:
    std::weak_ptr<Vm> vm_;
    std::shared_ptr<BufferObject> bo_;
    const uint64_t va_;
};

}  // namespace terrazzo::winsys::virt::panthor
