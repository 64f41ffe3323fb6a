// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/asahi/vm.h"

#include <algorithm>
#include <cerrno>

namespace terrazzo::winsys::virt::asahi {
namespace {

constexpr uint64_t kRecord_B = 2048, kChunk_B = 4 * kGpuPage_B;
static_assert(sizeof(RenderCommand) <= kRecord_B && sizeof(ComputeCommand) <= kRecord_B);
constexpr size_t kRecordsPerChunk = kChunk_B / kRecord_B;

}  // namespace

std::shared_ptr<Vm> Vm::create(uint64_t kernel_start, uint64_t kernel_end) {
    if (kernel_start >= kernel_end || kernel_start < kVmStart || kernel_end > kVmEnd ||
        kernel_end - kernel_start < kVmKernelMinSize_B || (kernel_start | kernel_end) % kGpuPage_B)
        return nullptr;
    return std::make_shared<Vm>(kernel_start, kernel_end);
}

bool Vm::is_users(uint64_t va, uint64_t size_B) const {
    if (size_B == 0) return true;
    const uint64_t end = va + size_B;
    return va >= kVmStart && end <= kVmEnd && (end <= kernel_start_ || va >= kernel_end_);
}

void Vm::unmap_users() {
    (void)space.unmap(0, kernel_start_);
    (void)space.unmap(kernel_end_, space.end() - kernel_end_);
}

int Vm::allocate_record(RecordSlot* slot) {
    if (free_.empty()) {
        if (kernel_end_ - next_chunk_va_ < kChunk_B) return -ENOMEM;
        free_.reserve(slots_ + kRecordsPerChunk);
        int error = 0;
        auto bo = BufferObject::create(kChunk_B, 0, false, &error);
        if (!bo) return error;
        uint8_t* const host = bo->host();
        if ((error = space.map(next_chunk_va_, kChunk_B, std::move(bo), 0, {.read_only = true})))
            return error;
        for (size_t i = 0; i < kRecordsPerChunk; i++)
            free_.push_back({next_chunk_va_ + i * kRecord_B, host + i * kRecord_B});
        slots_ += kRecordsPerChunk;
        next_chunk_va_ += kChunk_B;
    }
    *slot = free_.back();
    free_.pop_back();
    return 0;
}

}  // namespace terrazzo::winsys::virt::asahi
