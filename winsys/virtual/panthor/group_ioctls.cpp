// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups and submissions (panthor_drv.c, panthor_sched.c).
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>

#include "winsys/virtual/files/file.h"
#include "winsys/virtual/panthor/driver.h"
#include "winsys/virtual/panthor/user_arrays.h"

namespace terrazzo::winsys::virt::panthor::ioctls {
namespace {

using uapi::drm_panthor_queue_create;
using uapi::drm_panthor_queue_submit;

PanthorFile& own(File& file) {
    return static_cast<PanthorFile&>(*file.driver_file);
}

int check_cores(const uapi::drm_panthor_group_create& args, const uapi::drm_panthor_gpu_info& gpu) {
    if ((args.compute_core_mask & ~gpu.shader_present) || (args.fragment_core_mask & ~gpu.shader_present) ||
        (args.tiler_core_mask & ~gpu.tiler_present))
        return -EINVAL;
    return std::popcount(args.compute_core_mask) < args.max_compute_cores ||
                   std::popcount(args.fragment_core_mask) < args.max_fragment_cores ||
                   std::popcount(args.tiler_core_mask) < args.max_tiler_cores
               ? -EINVAL
               : 0;
}

int check_submit(const drm_panthor_queue_submit& submit) {
    if (submit.pad || (submit.stream_size == 0) != (submit.stream_addr == 0)) return -EINVAL;
    if (submit.stream_addr % 64 || submit.stream_size % 8)  // multiples of a cache line and of an instruction
        return -EINVAL;
    return submit.latest_flush & 0x7f000000
               ? -EINVAL
               : 0;  // the register's 24 bits, and one that is reserved for tests
}

}  // namespace

int group_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_group_create*>(data);
    PanthorFile& panthor = own(file);
    Driver& driver = panthor.driver();
    const GpuInfo& info = driver.info();
    if (!args->queues.count || args->queues.count > std::min(32u, info.csif.cs_slot_count)) return -EINVAL;
    std::vector<drm_panthor_queue_create> queues;
    if (const int error = read_array(file.user, args->queues, sizeof(drm_panthor_queue_create), &queues))
        return error;
    if (args->priority > uapi::kGroupPriorityRealtime) return -EINVAL;
    if (args->priority > uapi::kGroupPriorityMedium && !driver.may_raise_priority() && !file.master)
        return -EACCES;
    if (args->pad) return -EINVAL;
    if (const int error = check_cores(*args, info.gpu)) return error;
    auto vm = panthor.vms.find(args->vm_id);
    if (!vm) return -EINVAL;

    auto group =
        std::make_shared<Group>(driver.scheduler(), std::move(vm), args->priority, info.timestamp_hz);
    uint32_t handle;
    if (!panthor.groups.reserve(&handle)) return -EBUSY;
    if (const int error = group->create(driver.gpu(), queues)) return error;
    group->number = handle;
    if (const int error = driver.scheduler().add(group)) return error;
    panthor.groups.add(handle, std::move(group));
    args->group_handle = handle;
    return 0;
}

int group_destroy(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_group_destroy*>(data);
    if (args->pad) return -EINVAL;
    const auto group = own(file).groups.remove(args->group_handle);
    if (!group) return -EINVAL;
    group->destroy();
    own(file).driver().scheduler().remove(group.get());
    return 0;
}

int group_submit(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_group_submit*>(data);
    if (args->pad) return -EINVAL;
    std::vector<drm_panthor_queue_submit> submits;
    if (const int error =
            read_array(file.user, args->queue_submits, sizeof(drm_panthor_queue_submit), &submits))
        return error;
    Submission submission(file);
    for (const drm_panthor_queue_submit& submit : submits) {
        if (const int error = check_submit(submit)) return error;
        // Only the low 16 bits of the handle count, as in the kernel.
        const auto group = own(file).groups.find(args->group_handle & 0xffff);
        if (!group || !group->can_run() || submit.queue_index >= group->queues.size()) return -EINVAL;
        Queue& queue = static_cast<Queue&>(*group->queues[submit.queue_index]);
        auto job = std::make_shared<StreamJob>();
        job->submit = {.streams = {{submit.stream_addr, submit.stream_size}}, .number = queue.next_number};
        queue.next_number += submit.stream_size != 0;
        std::vector<SyncOp> syncs;
        if (const int error = read_syncs(file.user, submit.syncs, &syncs)) return error;
        job->submit.announced =
            std::any_of(syncs.begin(), syncs.end(), [](const SyncOp& op) { return op.signal; });
        submission.add(std::shared_ptr<JobQueue>(group, &queue), std::move(job), std::move(syncs));
    }
    return submission.commit();
}

int group_get_state(File& file, void* data) {
    auto* args = static_cast<uapi::drm_panthor_group_get_state*>(data);
    if (args->pad) return -EINVAL;
    const auto group = own(file).groups.find(args->group_handle);
    if (!group) return -EINVAL;
    *args = {};  // clears the handle too, as the kernel does
    if (group->timedout) args->state |= uapi::kGroupStateTimedout;
    if (group->fatal_queues) {
        args->state |= uapi::kGroupStateFatalFault;
        args->fatal_queues = group->fatal_queues;
    }
    if (group->innocent) args->state |= uapi::kGroupStateInnocent;
    return 0;
}

}  // namespace terrazzo::winsys::virt::panthor::ioctls
