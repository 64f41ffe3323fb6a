// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An asahi VM (mmu.rs): an address space with a part for the kernel, where commands lie while they run. Under
// the device's lock, except the address space.
#pragma once

#include <memory>
#include <vector>

#include "winsys/uapi/asahi.h"
#include "winsys/virtual/asahi/gpu.h"
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::winsys::virt::asahi {

/// The addresses that the user may divide between itself and the kernel: all of them without the first page,
/// and without the last two pages, of which the kernel needs one.
constexpr uint32_t kVaBits = 39;
constexpr uint64_t kVmStart = kGpuPage_B, kVmEnd = (uint64_t(1) << kVaBits) - 2 * kGpuPage_B;
constexpr uint64_t kVmKernelMinSize_B = 512 << 20;

/// Memory for one command. Read-only for the GPU.
struct RecordSlot {
    uint64_t va = 0;
    uint8_t* host = nullptr;
};

class Vm {
  public:
    /// Null: the kernel's part [start, end) is too small, not aligned, or outside of the user's addresses.
    [[nodiscard]] static std::shared_ptr<Vm> create(uint64_t kernel_start, uint64_t kernel_end);
    Vm(uint64_t kernel_start, uint64_t kernel_end)
        : kernel_start_(kernel_start), kernel_end_(kernel_end), next_chunk_va_(kernel_start) {}

    /// Whether the user may bind [va, va + size_B), which has no overflow.
    [[nodiscard]] bool is_users(uint64_t va, uint64_t size_B) const;
    /// The VM's id was closed: unmaps all that the user has bound. Its queues keep it.
    void unmap_users();

    /// Returns 0, or -errno without memory.
    [[nodiscard]] int allocate_record(RecordSlot* slot);
    void free_record(const RecordSlot& slot) noexcept { free_.push_back(slot); }

    AddressSpace space{kVaBits, kGpuPage_B};

  private:
    const uint64_t kernel_start_, kernel_end_;
    uint64_t next_chunk_va_;
    std::vector<RecordSlot> free_;  // has capacity for all slots
    size_t slots_ = 0;
};

/// A command in a VM.
class Record {
  public:
    Record(std::shared_ptr<Vm> vm, const RecordSlot& slot) : vm_(std::move(vm)), slot_(slot) {}
    ~Record() { vm_->free_record(slot_); }
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
    [[nodiscard]] uint64_t va() const { return slot_.va; }

  private:
    const std::shared_ptr<Vm> vm_;
    const RecordSlot slot_;
};

}  // namespace terrazzo::winsys::virt::asahi
