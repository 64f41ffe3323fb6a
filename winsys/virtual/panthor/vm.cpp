// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/vm.h"

#include <bit>
#include <cerrno>
#include <iterator>

#include "winsys/uapi/panthor.h"

namespace terrazzo::winsys::virt::panthor {
namespace {

constexpr uint64_t kMinKernelRange = 256ull << 20;
constexpr uint64_t kTaskSize = 1ull << 47;  // what a process has of addresses on 64-bit machines

}  // namespace

int Vm::create(uint32_t va_bits, uint64_t* user_va_range, std::shared_ptr<Vm>* out) {
    const uint64_t full = 1ull << va_bits;
    uint64_t range = *user_va_range;
    if (range == 0)
        range = kTaskSize < full ? kTaskSize : full > (1ull << 32) ? full / 2 : full - kMinKernelRange;
    if (range > full - kMinKernelRange) return -EINVAL;
    auto vm = std::make_shared<Vm>(va_bits);
    // The kernel's part is a power of two, to have a clear split.
    vm->kernel_va = full - std::bit_floor(full - range);
    vm->add_free(vm->kernel_va, vm->space.end());
    *user_va_range = vm->kernel_va;
    *out = std::move(vm);
    return 0;
}

std::shared_ptr<KernelObject> Vm::create_object(uint64_t size_B, MapFlags flags, int* error) {
    auto bo = BufferObject::create(size_B, 0, false, error);
    if (!bo) return nullptr;
    bo->exclusive = this;
    const auto fits = free_by_size_.lower_bound({bo->size_B(), 0});
    *error = fits == free_by_size_.end() ? -ENOSPC : 0;
    if (*error) return nullptr;
    const uint64_t va = fits->second, end = va + fits->first;
    auto object = std::make_shared<KernelObject>(weak_from_this(), bo, va);
    remove_free(free_.find(va));
    add_free(va + bo->size_B(), end);
    *error = space.map(va, bo->size_B(), bo, 0, flags);
    return *error ? nullptr : object;
}

void Vm::free_object(const KernelObject& object) {
    try {
        (void)space.unmap(object.va(), object.size_B());
        uint64_t begin = object.va(), end = begin + object.size_B();
        auto next = free_.lower_bound(end);
        if (next != free_.end() && next->first == end) {
            end = next->second;
            remove_free(next++);
        }
        if (next != free_.begin() && std::prev(next)->second == begin) {
            begin = std::prev(next)->first;
            remove_free(std::prev(next));
        }
        add_free(begin, end);
    } catch (...) {
        // Without memory even for this, its addresses stay taken.
    }
}

/// Both or neither. Throws std::bad_alloc.
void Vm::add_free(uint64_t begin, uint64_t end) {
    if (begin == end) return;
    const auto range = free_.emplace(begin, end).first;
    try {
        free_by_size_.emplace(end - begin, begin);
    } catch (...) {
        free_.erase(range);
        throw;
    }
}

void Vm::remove_free(std::map<uint64_t, uint64_t>::iterator range) {
    free_by_size_.erase({range->second - range->first, range->first});
    free_.erase(range);
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
    if (error) unusable = true;  // nobody can know any more what is mapped
    job->done->signal(error);
}

}  // namespace terrazzo::winsys::virt::panthor
