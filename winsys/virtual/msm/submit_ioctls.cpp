// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Submits (msm_gem_submit.c).
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "winsys/virtual/msm/driver.h"
#include "winsys/virtual/msm/syncs.h"

namespace terrazzo::winsys::virt::msm::ioctls {
namespace {

using uapi::drm_msm_gem_submit_cmd;
using uapi::drm_msm_gem_submit_reloc;

constexpr uint64_t kObject_B = 32, kCommand_B = 40;  // the size of each in the kernel's memory

/// One GEM_SUBMIT. Its steps are the kernel's functions, in their order.
class Request {
  public:
    Request(File& file, uapi::drm_msm_gem_submit& args)
        : file_(file), context_(own(file)), args_(args), syncs_(file) {}
    int run();

  private:
    struct Object {
        std::shared_ptr<BufferObject> bo;
        uint32_t flags, handle;
        uint64_t iova;
    };
    struct Command {
        drm_msm_gem_submit_cmd cmd;
        std::vector<drm_msm_gem_submit_reloc> relocs;
    };
    int check_flags();
    int read_syncs();
    int lookup_objects();
    int lookup_command(const drm_msm_gem_submit_cmd& cmd);
    int lock_objects();
    void add_implicit_waits();
    int pin_objects();
    int place_commands(SubmitJob& job);
    int patch(BufferObject& bo, const std::vector<drm_msm_gem_submit_reloc>& relocs);
    uint32_t choose_fence_id();
    int commit(const std::shared_ptr<SubmitJob>& job);

    File& file_;
    MsmFile& context_;
    uapi::drm_msm_gem_submit& args_;
    Syncs syncs_;
    std::shared_ptr<SubmitQueue> queue_;
    std::vector<Object> objects_;
    std::vector<Command> commands_;
};

int Request::check_flags() {
    if (args_.pad) return -EINVAL;
    if (context_.vm().unusable) return -EPIPE;
    if ((args_.flags & uapi::kMsmPipeIdMask) != uapi::kMsmPipe3d0) return -EINVAL;
    if (args_.flags & ~(uapi::kMsmPipeIdMask | uapi::kMsmSubmitFlags)) return -EINVAL;
    // the default configuration of kernels refuses it
    if (args_.flags & uapi::kMsmSubmitSudo) return -EINVAL;
    queue_ = context_.find_queue(args_.queueid);
    if (!queue_) return -ENOENT;
    if (queue_->binds) return -EINVAL;
    return args_.nr_bos * kObject_B + args_.nr_cmds * kCommand_B > kMaxKernelAllocation_B ? -ENOMEM : 0;
}

int Request::read_syncs() {
    if (args_.flags & uapi::kMsmSubmitFenceFdIn)
        if (const int error = syncs_.wait_for(args_.fence_fd)) return error;
    if (args_.flags & uapi::kMsmSubmitSyncobjIn)
        if (const int error =
                syncs_.read_waits(args_.in_syncobjs, args_.nr_in_syncobjs, args_.syncobj_stride))
            return error;
    return args_.flags & uapi::kMsmSubmitSyncobjOut
               ? syncs_.read_signals(args_.out_syncobjs, args_.nr_out_syncobjs, args_.syncobj_stride)
               : 0;
}

int Request::lookup_objects() {
    const int error = for_each_struct<uapi::drm_msm_gem_submit_bo>(
        file_.user, args_.bos, args_.nr_bos, [&](const uapi::drm_msm_gem_submit_bo& bo, uint32_t) {
            if ((bo.flags & ~uapi::kMsmSubmitBoFlags) ||
                !(bo.flags & (uapi::kMsmSubmitBoRead | uapi::kMsmSubmitBoWrite)))
                return -EINVAL;
            objects_.push_back({nullptr, bo.flags, bo.handle, 0});
            return 0;
        });
    if (error) return error;
    for (Object& object : objects_) {
        object.bo = file_.objects.find(object.handle);
        if (!object.bo) return -EINVAL;
    }
    return 0;
}

int Request::lookup_command(const drm_msm_gem_submit_cmd& cmd) {
    if (cmd.type < uapi::kMsmSubmitCmdBuf || cmd.type > uapi::kMsmSubmitCmdCtxRestoreBuf) return -EINVAL;
    if (cmd.size % 4) return -EINVAL;
    if (!context_.vm().managed && (cmd.nr_relocs || cmd.submit_idx || cmd.submit_offset)) return -EINVAL;
    if (cmd.nr_relocs > kMaxKernelAllocation_B / sizeof(drm_msm_gem_submit_reloc)) return -ENOMEM;
    Command command{cmd, {}};
    const int error = for_each_struct<drm_msm_gem_submit_reloc>(
        file_.user, cmd.relocs_or_iova, cmd.nr_relocs, [&](const drm_msm_gem_submit_reloc& reloc, uint32_t) {
            command.relocs.push_back(reloc);
            return 0;
        });
    commands_.push_back(std::move(command));
    return error;
}

/// Locks each object once. Objects that are not shared use their context's lock, which is held already: they
/// are for VM_BIND.
int Request::lock_objects() {
    if (!context_.vm().managed) return 0;
    std::set<const BufferObject*> locked;
    for (const Object& object : objects_)
        if ((object.bo->flags() & uapi::kMsmBoNoShare) || !locked.insert(object.bo.get()).second)
            return -EALREADY;
    return 0;
}

void Request::add_implicit_waits() {
    if (args_.flags & uapi::kMsmSubmitNoImplicit) return;
    for (const Object& object : objects_)
        if (!(object.flags & uapi::kMsmSubmitBoNoImplicit))
            object.bo->reservation.collect(object.flags & uapi::kMsmSubmitBoWrite, &file_.device().foreign,
                                           &syncs_.waits);
    // Many objects have the same users.
    std::sort(syncs_.waits.begin(), syncs_.waits.end());
    syncs_.waits.erase(std::unique(syncs_.waits.begin(), syncs_.waits.end()), syncs_.waits.end());
}

int Request::pin_objects() {
    if (!context_.vm().managed) return 0;  // the user has bound them
    for (Object& object : objects_)
        if (const int error = context_.vm().pin(object.bo, &object.iova)) return error;
    return 0;
}

int Request::place_commands(SubmitJob& job) {
    for (const Command& command : commands_) {
        const drm_msm_gem_submit_cmd& cmd = command.cmd;
        const uint32_t size_dw = cmd.size / 4;
        if (!context_.vm().managed) {
            job.commands.push_back({cmd.type, {cmd.relocs_or_iova, uint64_t{size_dw} * 4}});
            continue;
        }
        if (cmd.submit_idx >= objects_.size()) return -EINVAL;
        const Object& object = objects_[cmd.submit_idx];
        const uint64_t offset_dw = cmd.submit_offset / 4;
        if (!size_dw || size_dw + offset_dw > object.bo->size_B() / 4) return -EINVAL;
        job.commands.push_back({cmd.type, {object.iova + offset_dw * 4, uint64_t{size_dw} * 4}});
        if (command.relocs.empty()) continue;
        if (!context_.driver().info().allow_relocs) return -EINVAL;
        if (const int error = patch(*object.bo, command.relocs)) return error;
    }
    return 0;
}

/// On an error, words that were patched before keep the new values.
int Request::patch(BufferObject& bo, const std::vector<drm_msm_gem_submit_reloc>& relocs) {
    uint32_t last_dw = 0;
    for (const drm_msm_gem_submit_reloc& reloc : relocs) {
        const uint32_t at_dw = reloc.submit_offset / 4;
        if (reloc.submit_offset % 4 || at_dw >= bo.size_B() / 4 || at_dw < last_dw) return -EINVAL;
        if (reloc.reloc_idx >= objects_.size()) return -EINVAL;
        uint64_t value = objects_[reloc.reloc_idx].iova + reloc.reloc_offset;
        const uint32_t shift =
            reloc.shift < 0 ? 0u - static_cast<uint32_t>(reloc.shift) : static_cast<uint32_t>(reloc.shift);
        if (reloc.shift < 0)
            value >>= shift & 63;
        else
            value <<= shift & 63;
        reinterpret_cast<uint32_t*>(bo.host())[at_dw] = static_cast<uint32_t>(value) | reloc.or_value;
        last_dw = at_dw;
    }
    return 0;
}

/// The caller's number, or the next free one of 1 to 2^31 - 2.
uint32_t Request::choose_fence_id() {
    if (args_.flags & uapi::kMsmSubmitFenceSnIn) return args_.fence;
    uint32_t id = queue_->next_fence;
    while (queue_->fences.contains(id))
        id = id >= INT32_MAX - 1 ? 1 : id + 1;
    queue_->next_fence = id >= INT32_MAX - 1 ? 1 : id + 1;
    return id;
}

int Request::commit(const std::shared_ptr<SubmitJob>& job) {
    if ((args_.flags & uapi::kMsmSubmitFenceSnIn) && (!args_.fence || queue_->fences.contains(args_.fence)))
        return -EINVAL;
    std::shared_ptr<Group> group;
    if (const int error = context_.group(&group)) return error;
    job->queue = queue_;
    job->submit.number = ++group->submits;
    job->done = std::make_shared<Fence>(file_.device().domain);
    FenceGuard guard(job->done);
    int fence_fd = -1;
    if (args_.flags & uapi::kMsmSubmitFenceFdOut) {
        fence_fd = file_.device().pollables.create(job->done);
        if (fence_fd < 0) return fence_fd;
    }
    try {
        const std::shared_ptr<JobQueue> ring(group, group->queues[queue_->priority].get());
        JobQueue::depend(ring, job, syncs_.waits);
        if (context_.vm().managed)
            for (const Object& object : objects_)
                object.bo->reservation.add(job->done, object.flags & uapi::kMsmSubmitBoWrite);
        job->fence_id = choose_fence_id();
        queue_->fences.emplace(job->fence_id, job->done);
        queue_->last_fence = job->fence_id;
        ring->push(job);
    } catch (...) {
        queue_->fences.erase(job->fence_id);
        if (fence_fd >= 0) close(fence_fd);
        throw;
    }
    guard.release();
    args_.fence = job->fence_id;
    if (fence_fd >= 0) args_.fence_fd = fence_fd;
    syncs_.commit(job->done);
    return 0;
}

int Request::run() {
    if (const int error = check_flags()) return error;
    if (const int error = read_syncs()) return error;
    if (const int error = lookup_objects()) return error;
    if (const int error = for_each_struct<drm_msm_gem_submit_cmd>(
            file_.user, args_.cmds, args_.nr_cmds,
            [&](const drm_msm_gem_submit_cmd& cmd, uint32_t) { return lookup_command(cmd); }))
        return error;
    if (const int error = lock_objects()) return error;
    add_implicit_waits();
    if (const int error = pin_objects()) return error;
    auto job = std::make_shared<SubmitJob>();
    if (const int error = place_commands(*job)) return error;
    return commit(job);
}

}  // namespace

int gem_submit(File& file, void* data) {
    return Request(file, *static_cast<uapi::drm_msm_gem_submit*>(data)).run();
}

}  // namespace terrazzo::winsys::virt::msm::ioctls
