// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/msm_drm.h, drivers/gpu/drm/msm/msm_gem_submit.c of Linux 6.17. Kernels without
// VM_BIND require a list of all buffer objects with each submission, and a command names its object by the
// index in it. The kernel is told not to order work by these objects (kMsmSubmitNoImplicit): the timelines
// do.
#include "drivers/adreno/submission/queue.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace terrazzo::adreno {
namespace {

using namespace terrazzo::uapi;

uint64_t pointer(const void* p) {
    return reinterpret_cast<uintptr_t>(p);
}

/// The access to an object that is shared with other processes. They wait for the submissions that name the
/// object, so a submission that does not use it must not name it (0).
uint32_t access_of(const submission::Needs& needs, uint32_t handle) {
    uint32_t access = 0;
    for (const auto& use : needs.uses)
        if (use.handle == handle)
            access |= use.write ? kMsmSubmitBoRead | kMsmSubmitBoWrite : kMsmSubmitBoRead;
    return access;
}

}  // namespace

/// On a kernel with few priorities several of ours are the same one; the one of medium is reported as medium.
int Queue::create_queue(uint32_t* id) {
    const uint32_t last = device().priorities() - 1, medium = last / 2;
    const uint32_t priority = priority_ > 1 ? 0 : priority_ == 1 ? medium : last;
    drm_msm_submitqueue args{0, priority, 0};
    if (const int error = device_->drm().ioctl(kMsmSubmitqueueNew, &args)) return error;
    priority_ = priority < medium ? 2 : priority == medium ? 1 : 0;
    *id = args.id;
    return 0;
}

uint64_t Queue::submit(std::span<const Segment> stream, const submission::Needs& needs) {
    if (!prepare()) return 0;
    std::vector<drm_msm_syncobj> in;
    in.reserve(needs.waits.size());
    for (const Point& point : needs.waits)
        in.push_back({point.timeline->syncobj, 0, point.value});
    const drm_msm_syncobj out{timeline()->syncobj, 0, last_point() + 1};
    std::vector<drm_msm_gem_submit_cmd> commands;
    commands.reserve(stream.size());
    for (const Segment& s : stream)
        commands.push_back({kMsmSubmitCmdBuf, 0, 0, s.size_dw * 4, 0, 0, s.va});
    drm_msm_gem_submit args{};
    args.flags =
        kMsmPipe3d0 | kMsmSubmitNoImplicit | kMsmSubmitSyncobjOut | (in.empty() ? 0 : kMsmSubmitSyncobjIn);
    args.queueid = id();
    args.nr_cmds = uint32_t(commands.size());
    args.cmds = pointer(commands.data());
    args.in_syncobjs = pointer(in.data());
    args.nr_in_syncobjs = uint32_t(in.size());
    args.out_syncobjs = pointer(&out);
    args.nr_out_syncobjs = 1;
    args.syncobj_stride = sizeof out;
    if (device().msm().addresses() == MsmAddresses::Bind)
        return note_submission(device_->drm().ioctl(kMsmGemSubmit, &args));
    int error = 0;
    device_->with_objects([&](std::span<const memory::Device::Object> list) {
        std::vector<drm_msm_gem_submit_bo> objects;
        objects.reserve(list.size());
        for (const auto& object : list) {
            const uint32_t access =
                object.shared ? access_of(needs, object.handle) : kMsmSubmitBoRead | kMsmSubmitBoWrite;
            if (access) objects.push_back({access, object.handle, 0});
        }
        for (drm_msm_gem_submit_cmd& command : commands) {
            const uint64_t va = std::exchange(command.relocs_or_iova, 0);
            const auto in_it = [va](const auto& object) { return va - object.va < object.size_B; };
            const auto at = std::find_if(list.begin(), list.end(), in_it);
            const auto is_it = [&](const drm_msm_gem_submit_bo& o) { return o.handle == at->handle; };
            const auto place =
                at == list.end() ? objects.end() : std::find_if(objects.begin(), objects.end(), is_it);
            command.submit_idx =
                uint32_t(place - objects.begin());  // an index past the list: the kernel refuses
            if (place == objects.end()) continue;
            command.submit_offset = uint32_t(va - at->va);
        }
        args.nr_bos = uint32_t(objects.size());
        args.bos = pointer(objects.data());
        error = device_->drm().ioctl(kMsmGemSubmit, &args);
    });
    return note_submission(error);
}

}  // namespace terrazzo::adreno
