// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/msm/vm.h"

#include <bit>
#include <cerrno>

#include "winsys/uapi/msm.h"

namespace terrazzo::winsys::virt::msm {
namespace {

MapFlags map_flags(const BufferObject& bo) {
    MapFlags flags;
    flags.read_only = bo.flags() & uapi::kMsmBoGpuReadonly;
    return flags;
}

int execute(Vm& vm, const Bind& bind) {
    try {
        return bind.bo ? vm.space.map(bind.iova, bind.size_B, bind.bo, bind.bo_offset_B, map_flags(*bind.bo))
                       : vm.space.unmap(bind.iova, bind.size_B);
    } catch (...) {
        return -ENOMEM;
    }
}

}  // namespace

MsmObject& object_of(BufferObject& bo) {
    if (!bo.driver_data) bo.driver_data = std::make_unique<MsmObject>();
    return static_cast<MsmObject&>(*bo.driver_data);
}

Vm::Vm(const GpuInfo& info, bool kernel_chooses)
    : space(static_cast<uint32_t>(std::bit_width(info.va_start + info.va_size_B - 1))),
      managed(kernel_chooses),
      start_(info.va_start),
      end_(info.va_start + info.va_size_B),
      vas_(start_, end_) {}

bool Vm::valid(uint64_t iova, uint64_t size_B) const {
    return iova >= start_ && iova < end_ && size_B <= end_ - iova;
}

int Vm::get_iova(const std::shared_ptr<BufferObject>& bo, uint64_t* iova) {
    if (const auto vma = vmas_.find(bo.get()); vma != vmas_.end()) {
        *iova = vma->second.iova;
        return 0;
    }
    uint64_t va;
    if (!vas_.allocate(bo->size_B(), &va)) return -ENOSPC;
    vmas_[bo.get()] = {bo, va, false};
    *iova = va;
    return 0;
}

int Vm::set_iova(const std::shared_ptr<BufferObject>& bo, uint64_t iova) {
    if (const auto vma = vmas_.find(bo.get()); vma != vmas_.end()) {
        if (vma->second.iova == iova) return 0;
        clear_iova(bo.get());
        return -EBUSY;
    }
    if (iova % kPageSize_B || !vas_.allocate_at(iova, bo->size_B())) return -ENOSPC;
    vmas_[bo.get()] = {bo, iova, false};
    return 0;
}

int Vm::pin(const std::shared_ptr<BufferObject>& bo, uint64_t* iova) {
    if (const int error = get_iova(bo, iova)) return error;
    if (object_of(*bo).madv != uapi::kMsmMadvWillneed) return -EBUSY;
    Vma& vma = vmas_[bo.get()];
    if (!vma.mapped)
        if (const int error = space.map(vma.iova, bo->size_B(), bo, 0, map_flags(*bo))) return error;
    vma.mapped = true;
    return 0;
}

void Vm::clear_iova(const BufferObject* bo) {
    const auto vma = vmas_.find(bo);
    if (vma == vmas_.end()) return;
    if (vma->second.mapped) (void)space.unmap(vma->second.iova, bo->size_B());
    vas_.free(vma->second.iova, bo->size_B());
    vmas_.erase(vma);
}

void BindQueue::run_head(Job&) {
    const auto job = std::static_pointer_cast<BindJob>(pop());
    int error = vm_->unusable ? -EINVAL : 0;
    for (const Bind& bind : job->binds) {
        if (error && bind.bo) continue;  // after an error nothing is mapped, but unmaps are still carried out
        if (const int now = execute(*vm_, bind)) error = now;
    }
    if (error) vm_->unusable = true;  // it is unknown what is mapped
    job->done->signal(error);
}

}  // namespace terrazzo::winsys::virt::msm
