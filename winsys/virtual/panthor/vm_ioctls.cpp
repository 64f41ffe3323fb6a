// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VMs, binds and tiler heaps (panthor_drv.c, panthor_mmu.c).
#include <cerrno>

#include "winsys/virtual/files/file.h"
#include "winsys/virtual/panthor/driver.h"
#include "winsys/virtual/panthor/user_arrays.h"

namespace terrazzo::winsys::virt::panthor::ioctls {
namespace {

using uapi::drm_panthor_vm_bind_op;

PanthorFile& own(File& file) {
    return static_cast<PanthorFile&>(*file.driver_file);
}

int prepare_map(File& file, const Vm& vm, const drm_panthor_vm_bind_op& op, BindJob* job) {
    job->bo = file.objects.find(op.bo_handle);
    if (!job->bo || (op.flags & ~(uapi::kVmBindOpTypeMask | uapi::kVmBindOpReadOnly | uapi::kVmBindOpNoExec |
                                  uapi::kVmBindOpUncached)))
        return -EINVAL;
    if (op.size > job->bo->size_B() || op.bo_offset > job->bo->size_B() - op.size) return -EINVAL;
    if (job->bo->exclusive && job->bo->exclusive != vm.space.number) return -EINVAL;
    job->flags = {.read_only = (op.flags & uapi::kVmBindOpReadOnly) != 0,
                  .no_exec = (op.flags & uapi::kVmBindOpNoExec) != 0,
                  .uncached = (op.flags & uapi::kVmBindOpUncached) != 0};
    return 0;
}

/// Checks an operation and fills its job. Returns 0 or -EINVAL.
int prepare(File& file, const Vm& vm, const drm_panthor_vm_bind_op& op, BindJob* job) {
    if ((op.va | op.size) % kPageSize_B) return -EINVAL;
    job->type = op.flags & uapi::kVmBindOpTypeMask;
    job->bo_offset_B = op.bo_offset;
    job->va = op.va;
    job->size_B = op.size;
    if (job->type == uapi::kVmBindOpMap) {
        if (const int error = prepare_map(file, vm, op, job)) return error;
    } else if (op.flags & ~uapi::kVmBindOpTypeMask || op.bo_handle || op.bo_offset) {
        return -EINVAL;
    } else if (job->type == uapi::kVmBindOpSyncOnly) {
        return op.va || op.size || !op.syncs.count ? -EINVAL : 0;
    } else if (job->type != uapi::kVmBindOpUnmap) {
        return -EINVAL;
    }
    return op.va < vm.kernel_va && op.va + op.size > vm.kernel_va ? -EINVAL
           : op.va >= vm.kernel_va && op.va < vm.space.end()      ? -EINVAL
                                                                  : 0;
}

int bind_now(File& file, Vm& vm, uapi::drm_panthor_vm_bind* args,
             const std::vector<drm_panthor_vm_bind_op>& ops) {
    for (uint32_t i = 0; i < ops.size(); i++) {
        BindJob job;
        int error = ops[i].syncs.count ? -EINVAL : 0;
        if (!error && ops[i].size == 0) continue;
        if (!error) error = prepare(file, vm, ops[i], &job);
        if (!error) error = vm.execute(job);
        if (error) {
            args->ops.count = i;  // tells the user how many operations succeeded
            return error;
        }
    }
    return 0;
}

int bind_later(File& file, const std::shared_ptr<Vm>& vm, const std::vector<drm_panthor_vm_bind_op>& ops) {
    Submission submission(file);
    for (const drm_panthor_vm_bind_op& op : ops) {
        if (vm->destroyed || vm->unusable) return -EINVAL;
        auto job = std::make_shared<BindJob>();
        if (const int error = prepare(file, *vm, op, job.get())) return error;
        std::vector<SyncOp> syncs;
        if (const int error = read_syncs(file.user, op.syncs, &syncs)) return error;
        submission.add(vm, std::move(job), std::move(syncs));
    }
    return submission.commit();
}

}  // namespace

int vm_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_vm_create*>(data);
    PanthorFile& panthor = own(file);
    if (args->flags) return -EINVAL;
    std::shared_ptr<Vm> vm;
    uint64_t user_va_range = args->user_va_range;
    uint32_t id;
    if (const int error = Vm::create(panthor.driver().info().gpu.mmu_features & 0xff, &user_va_range, &vm))
        return error;
    if (!panthor.vms.reserve(&id)) return -EBUSY;
    panthor.vms.add(id, std::move(vm));
    args->user_va_range = user_va_range;
    args->id = id;
    return 0;
}

int vm_destroy(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_vm_destroy*>(data);
    if (args->pad) return -EINVAL;
    const auto vm = own(file).vms.remove(args->id);
    if (!vm) return -EINVAL;
    vm->destroy();
    return 0;
}

int vm_get_state(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_vm_get_state*>(data);
    const auto vm = own(file).vms.find(args->vm_id);
    if (!vm) return -EINVAL;
    args->state = vm->unusable ? uapi::kVmStateUnusable : uapi::kVmStateUsable;
    return 0;
}

int vm_bind(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_vm_bind*>(data);
    const auto vm = own(file).vms.find(args->vm_id);
    if (!vm) return -EINVAL;
    std::vector<drm_panthor_vm_bind_op> ops;
    if (const int error = read_array(file.user, args->ops, sizeof(drm_panthor_vm_bind_op), &ops))
        return error;
    return args->flags & uapi::kVmBindAsync ? bind_later(file, vm, ops) : bind_now(file, *vm, args, ops);
}

int tiler_heap_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_tiler_heap_create*>(data);
    PanthorFile& panthor = own(file);
    const auto vm = panthor.vms.find(args->vm_id);
    if (!vm) return -EINVAL;
    if (!vm->heaps) {
        const uint32_t line_B = 1u << (panthor.driver().info().gpu.l2_features & 0xff);
        if (const int error = HeapPool::create(*vm, line_B, &vm->heaps)) return error;
    }
    uint32_t id;
    if (const int error = vm->heaps->add(args->initial_chunk_count, args->chunk_size, args->max_chunks,
                                         args->target_in_flight, &id, &args->tiler_heap_ctx_gpu_va,
                                         &args->first_heap_chunk_gpu_va))
        return error;
    args->handle = args->vm_id << 16 | id;
    return 0;
}

int tiler_heap_destroy(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_tiler_heap_destroy*>(data);
    if (args->pad) return -EINVAL;
    const auto vm = own(file).vms.find(args->handle >> 16);
    if (!vm) return -EINVAL;
    return vm->heaps ? vm->heaps->remove(args->handle & 0xffff) : -ENOENT;
}

}  // namespace terrazzo::winsys::virt::panthor::ioctls
