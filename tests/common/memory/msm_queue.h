// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work for the test GPU of the virtual kernel's msm driver.
#pragma once

#include <cstring>
#include <initializer_list>
#include <vector>

#include "drivers/common/memory/timeline.h"
#include "tests/common/memory/msm_device.h"
#include "winsys/uapi/msm.h"

namespace terrazzo::test {

/// A submitqueue whose submits signal points of a timeline.
struct MsmQueue {
    explicit MsmQueue(MsmTestDevice& d)
        : device(d), code(d.create_bo(4096, 0)), timeline(memory::Timeline::create(d)) {
        REQUIRE(code);
        REQUIRE(timeline);
        open();
    }
    void open() {
        uapi::drm_msm_submitqueue args{0, 1, 0};
        REQUIRE(device.drm().ioctl(uapi::kMsmSubmitqueueNew, &args) == 0);
        id = args.id;
        REQUIRE(timeline->attach(id, point));
    }
    uint64_t submit(std::initializer_list<Instr> instrs, const std::vector<memory::Point>& waits = {}) {
        const uint32_t size_B = uint32_t(instrs.size() * sizeof(Instr));
        memcpy(code->cpu + used_B, instrs.begin(), size_B);
        std::vector<uapi::drm_msm_syncobj> in;
        for (const memory::Point& w : waits)
            in.push_back({w.timeline->syncobj, 0, w.value});
        const uapi::drm_msm_syncobj out{timeline->syncobj, 0, point + 1};
        const uapi::drm_msm_gem_submit_cmd cmd{uapi::kMsmSubmitCmdBuf, 0, 0, size_B, 0, 0, code->va + used_B};
        uapi::drm_msm_gem_submit args{};
        args.flags =
            uapi::kMsmPipe3d0 | uapi::kMsmSubmitSyncobjOut | (in.empty() ? 0 : uapi::kMsmSubmitSyncobjIn);
        args.nr_cmds = 1;
        args.cmds = reinterpret_cast<uintptr_t>(&cmd);
        args.queueid = id;
        args.in_syncobjs = reinterpret_cast<uintptr_t>(in.data());
        args.nr_in_syncobjs = uint32_t(in.size());
        args.out_syncobjs = reinterpret_cast<uintptr_t>(&out);
        args.nr_out_syncobjs = 1;
        args.syncobj_stride = sizeof out;
        REQUIRE(device.drm().ioctl(uapi::kMsmGemSubmit, &args) == 0);
        used_B += size_B;
        timeline->note_submitted(++point);
        return point;
    }
    MsmTestDevice& device;
    pipe::Ref<memory::Bo> code;
    pipe::Ref<memory::Timeline> timeline;
    uint32_t id = 0, used_B = 0;
    uint64_t point = 0;
};

/// A device that executes submits, and some memory.
struct MsmScene {
    DrmControl control;
    GpuLog log;
    pipe::Ref<MsmTestDevice> device = open_msm(control, MsmAddresses::Bind, 4096, &log);
    pipe::Ref<memory::Bo> data = device->create_bo(4096, 0);
    [[nodiscard]] uint64_t word(unsigned n) const {
        uint64_t v;
        memcpy(&v, data->cpu + n * 8, 8);
        return v;
    }
    /// Blocks until the word is 1.
    [[nodiscard]] Instr gate(unsigned n) const { return {Op::WaitGe, data->va + n * 8, 1}; }
    void open_gate(unsigned n) const {
        __atomic_store_n(reinterpret_cast<uint64_t*>(data->cpu) + n, 1, __ATOMIC_RELEASE);
    }
};

}  // namespace terrazzo::test
