// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A panthor VM: an address space, the kernel's own objects at its top, its queue of asynchronous binds, its
// tiler heaps (panthor_mmu.c). Under the device's lock, but for the address space.
#pragma once

#include <memory>

#include "winsys/virtual/jobs/job.h"
#include "winsys/virtual/memory/address_space.h"
#include "winsys/virtual/memory/va_allocator.h"
#include "winsys/virtual/panthor/heap.h"

namespace terrazzo::winsys::virt::panthor {

/// A bind that was checked and waits for its turn.
struct BindJob final : Job {
    uint32_t type = 0;  // uapi::kVmBindOp*
    std::shared_ptr<BufferObject> bo;
    uint64_t bo_offset_B = 0, va = 0, size_B = 0;
    MapFlags flags;
};

class Vm final : public JobQueue, public std::enable_shared_from_this<Vm> {
  public:
    /// 0 and a VM, or -EINVAL: `user_va_range` leaves the kernel less than 256 MiB. `*user_va_range`: what it
    /// became.
    [[nodiscard]] static int create(uint32_t va_bits, uint64_t* user_va_range, std::shared_ptr<Vm>* out);
    explicit Vm(uint32_t va_bits) : space(va_bits) {}

    /// Maps a kernel object of `size_B` at a free address of the kernel's. Null: -ENOMEM in `*error`.
    [[nodiscard]] std::shared_ptr<KernelObject> create_object(uint64_t size_B, MapFlags flags, int* error);
    void free_object(const KernelObject& object);
    /// The end of an id: everything is unmapped, and nothing can be mapped again.
    void destroy();
    /// Carries a bind out now. 0 or -EINVAL.
    [[nodiscard]] int execute(const BindJob& job);

    AddressSpace space;
    uint64_t kernel_va = 0;  // the user's addresses are below
    VaAllocator kernel_vas;
    std::shared_ptr<HeapPool> heaps;
    bool destroyed = false, unusable = false;

  private:
    void run_head(Job& job) override;
};

/// An object of the kernel's in a VM: ring buffers, sync objects, heap chunks. Unmapped when it ends.
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
