// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Addresses that the user manages (msm_gem_vma.c).
#include <unistd.h>

#include <cerrno>

#include "winsys/virtual/msm/driver.h"
#include "winsys/virtual/msm/syncs.h"

namespace terrazzo::winsys::virt::msm::ioctls {
namespace {

using uapi::drm_msm_vm_bind_op;

constexpr uint64_t kOp_B = 40;  // the size of each in the kernel's memory

int check_op(const Vm& vm, const drm_msm_vm_bind_op& op) {
    if (op.flags & ~uapi::kMsmVmBindOpDump) return -EINVAL;
    if ((op.iova | op.obj_offset | op.range) % kPageSize_B || !op.range || !vm.valid(op.iova, op.range))
        return -EINVAL;
    if ((op.op == uapi::kMsmVmBindOpMap) != (op.handle != 0)) return -EINVAL;
    // MapNull needs addresses that read as zero, which this SMMU does not support.
    return op.op == uapi::kMsmVmBindOpMap || op.op == uapi::kMsmVmBindOpUnmap ? 0 : -EINVAL;
}

/// Reads and checks what to bind. 0 or -errno.
int lookup_ops(File& file, const Vm& vm, const uapi::drm_msm_vm_bind& args, std::vector<Bind>* out) {
    std::vector<drm_msm_vm_bind_op> ops;
    const auto add = [&](const drm_msm_vm_bind_op& op, uint32_t) {
        ops.push_back(op);
        return check_op(vm, op);
    };
    const int error = args.nr_ops == 1
                          ? add(args.op, 0)
                          : for_each_struct<drm_msm_vm_bind_op>(file.user, args.ops, args.nr_ops, add);
    if (error) return error;
    for (const drm_msm_vm_bind_op& op : ops) {
        Bind bind{op.iova, op.range, nullptr, op.obj_offset};
        if (op.handle) {
            bind.bo = file.objects.find(op.handle);
            if (!bind.bo) return -EINVAL;
            if (op.range > bind.bo->size_B() || op.obj_offset > bind.bo->size_B() - op.range) return -EINVAL;
        }
        out->push_back(std::move(bind));
    }
    for (const Bind& bind : *out)
        if (bind.bo && object_of(*bind.bo).madv != uapi::kMsmMadvWillneed) return -EBUSY;
    return 0;
}

int commit(File& file, uapi::drm_msm_vm_bind* args, Syncs& syncs, const std::shared_ptr<BindJob>& job) {
    job->done = std::make_shared<Fence>(file.device().domain);
    const std::shared_ptr<Fence> done = job->done;
    FenceGuard guard(done);
    int fence_fd = -1;
    if (args->flags & uapi::kMsmVmBindFenceFdOut) {
        fence_fd = file.device().pollables.create(done);
        if (fence_fd < 0) return fence_fd;
    }
    try {
        const std::shared_ptr<JobQueue> queue = job->queue;
        JobQueue::depend(queue, job, syncs.waits);
        for (const Bind& bind : job->binds)
            if (bind.bo) bind.bo->reservation.add(done, true);
        queue->push(job);
    } catch (...) {
        if (fence_fd >= 0) close(fence_fd);
        throw;
    }
    guard.release();
    if (fence_fd >= 0) args->fence_fd = fence_fd;
    syncs.commit(done);
    return 0;
}

}  // namespace

int vm_bind(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_vm_bind*>(data);
    MsmFile& context = own(file);
    const Vm& vm = context.vm();
    if (vm.unusable) return -EPIPE;
    if (vm.managed || (args->flags & ~uapi::kMsmVmBindFlags)) return -EINVAL;
    const auto queue = context.find_queue(args->queue_id);
    if (!queue) return -ENOENT;
    if (!queue->binds) return -EINVAL;
    if (args->nr_ops > kMaxKernelAllocation_B / kOp_B) return -ENOMEM;
    Syncs syncs(file);
    if (args->flags & uapi::kMsmVmBindFenceFdIn)
        if (const int error = syncs.wait_for(args->fence_fd)) return error;
    if (args->in_syncobjs)
        if (const int error = syncs.read_waits(args->in_syncobjs, args->nr_in_syncobjs, args->syncobj_stride))
            return error;
    if (args->out_syncobjs)
        if (const int error =
                syncs.read_signals(args->out_syncobjs, args->nr_out_syncobjs, args->syncobj_stride))
            return error;
    auto job = std::make_shared<BindJob>();
    if (const int error = lookup_ops(file, vm, *args, &job->binds)) return error;
    job->queue = queue->binds;
    return commit(file, args, syncs, job);
}

}  // namespace terrazzo::winsys::virt::msm::ioctls
