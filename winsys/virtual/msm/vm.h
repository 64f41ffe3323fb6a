// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's addresses (msm_gem_vma.c). The kernel chooses an address for each object, or the user chooses
// with VM_BIND.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "winsys/virtual/jobs/job.h"
#include "winsys/virtual/memory/address_space.h"
#include "winsys/virtual/memory/va_allocator.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::winsys::virt::msm {

/// The driver's data of an object.
struct MsmObject final : ObjectData {
    std::string name;
    std::vector<uint8_t> metadata;
    uint32_t madv = 0;  // uapi::kMsmMadv*
};
[[nodiscard]] MsmObject& object_of(BufferObject& bo);

/// Under the device's lock.
class Vm {
  public:
    Vm(const GpuInfo& info, bool managed);

    /// Whether the user may bind this range.
    [[nodiscard]] bool valid(uint64_t iova, uint64_t size_B) const;

    // For VMs in which the kernel chooses.

    /// The address of an object, chosen on the first call. Returns 0 or -ENOSPC.
    [[nodiscard]] int get_iova(const std::shared_ptr<BufferObject>& bo, uint64_t* iova);
    /// Returns 0; -ENOSPC: the range is not free; -EBUSY: the object had another address, which is freed.
    [[nodiscard]] int set_iova(const std::shared_ptr<BufferObject>& bo, uint64_t iova);
    /// Maps an object for the VM's lifetime, so that the GPU may use it. Returns 0; -EBUSY: the object is
    /// marked as not needed; -ENOSPC.
    [[nodiscard]] int pin(const std::shared_ptr<BufferObject>& bo, uint64_t* iova);
    /// Unmaps an object and frees its address.
    void clear_iova(const BufferObject* bo);
    [[nodiscard]] bool has(const BufferObject* bo) const { return vmas_.contains(bo); }

    AddressSpace space;
    const bool managed;                 // the kernel chooses addresses
    std::atomic<bool> unusable{false};  // the user chooses addresses, and a bind or a submit failed
    uint32_t faults = 0;

  private:
    struct Vma {
        std::shared_ptr<BufferObject> bo;
        uint64_t iova;
        bool mapped;
    };
    const uint64_t start_, end_;
    VaAllocator vas_;
    std::map<const BufferObject*, Vma> vmas_;
};

struct Bind {
    uint64_t iova = 0, size_B = 0;
    std::shared_ptr<BufferObject> bo;  // null: unmap
    uint64_t bo_offset_B = 0;
};

class BindQueue;
/// A VM_BIND request that waits for its turn.
struct BindJob final : Job {
    std::vector<Bind> binds;
    std::shared_ptr<BindQueue> queue;  // the queue outlives its jobs
};

class BindQueue final : public JobQueue {
  public:
    explicit BindQueue(std::shared_ptr<Vm> vm) : vm_(std::move(vm)) {}

  private:
    void run_head(Job& job) override;
    const std::shared_ptr<Vm> vm_;
};

}  // namespace terrazzo::winsys::virt::msm
