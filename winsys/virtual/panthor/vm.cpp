// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/vm.h"

#include <bit>
#include <cerrno>

#include "winsys/uapi/panthor.h"

namespace terrazzo::winsys::virt::panthor {
namespace {

constexpr uint64_t kMinKernelRange = 256ull << 20;
constexpr uint64_t kTaskSize = 1ull << 47;  // the addresses of a process on 64-bit machines

}  // namespace

int Vm::create(uint32_t va_bits, uint64_t* user_va_range, std::shared_ptr<Vm>* out) {
    const uint64_t full = 1ull << va_bits;
    uint64_t range = *user_va_range;
    if (range == 0)
        range = kTaskSize < full ? kTaskSize : full > (1ull << 32) ? full / 2 : full - kMinKernelRange;
    if (range > full - kMinKernelRange) return -EINVAL;
    auto vm = std::make_shared<Vm>(va_bits);
    // The kernel's part is a power of two, so that the boundary is aligned.
    vm->kernel_va = full - std::bit_floor(full - range);
    vm->kernel_vas = VaAllocator(vm->kernel_va, vm->space.end());
    *user_va_range = vm->kernel_va;
    *out = std::move(vm);
    return 0;
}

std::shared_ptr<KernelObject> Vm::create_object(uint64_t size_B, MapFlags flags, int* error) {
    auto bo = BufferObject::create(size_B, 0, false, error);
    if (!bo) return nullptr;
    bo->exclusive = space.number;
    uint64_t va;
    *error = kernel_vas.allocate(bo->size_B(), &va) ? 0 : -ENOSPC;
    if (*error) return nullptr;
    auto object = std::make_shared<KernelObject>(weak_from_this(), bo, va);
    *error = space.map(va, bo->size_B(), bo, 0, flags);
    return *error ? nullptr : object;
}

void Vm::free_object(const KernelObject& object) {
    try {
        (void)space.unmap(object.va(), object.size_B());
        kernel_vas.free(object.va(), object.size_B());
    } catch (...) {
        // If unmapping needs memory and there is none, the addresses stay allocated.
    }
}

KernelObject::~KernelObject() {
    if (const auto vm = vm_.lock()) vm->free_object(*this);
}

void Vm::destroy() {
    destroyed = true;
    heaps.reset();
    (void)space.unmap(0, space.end());
}

int Vm::execute(const BindJob& job) {
    switch (job.type) {
        case uapi::kVmBindOpMap:
            return unusable ? -EINVAL : space.map(job.va, job.size_B, job.bo, job.bo_offset_B, job.flags);
        case uapi::kVmBindOpUnmap:
            return space.unmap(job.va, job.size_B);
        default:  // checked before: only a point of synchronisation is left
            return 0;
    }
}

void Vm::run_head(Job&) {
    const auto job = std::static_pointer_cast<BindJob>(pop());
    int error;
    try {
        error = execute(*job);
    } catch (...) {
        error = -ENOMEM;
    }
    if (error) unusable = true;  // it is unknown what is mapped
    job->done->signal(error);
}

}  // namespace terrazzo::winsys::virt::panthor
