// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers: hw/cs.rows. Preloaded registers of shaders (Mesa 25.0.7, compiler/bifrost_compile.c): r55, r56
// the invocation in its group (16 bits each), r57 to r59 the group, r60 to r62 the invocation. Merged groups
// run like separate ones. The warps of a group take turns at barriers.
#include "drivers/mali/sim/compute/compute.h"

#include <algorithm>

namespace terrazzo::mali::sim {

namespace {

using R = hw::ComputeRegisters;

void fill(const ShaderState& shader, const uint32_t size[3], const uint32_t group[3], uint32_t first,
          uint32_t count, Warp* warp) {
    U32 local01{}, local2{}, global[3] = {};
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t n = first + i;
        const uint32_t local[3] = {n % size[0], n / size[0] % size[1], n / size[0] / size[1]};
        local01[i] = local[0] | local[1] << 16;
        local2[i] = local[2];
        for (unsigned c = 0; c < 3; ++c)
            global[c][i] = group[c] * size[c] + local[c];
    }
    preload(shader, warp, 55, local01);
    preload(shader, warp, 56, local2);
    for (unsigned c = 0; c < 3; ++c) {
        preload(shader, warp, 57 + c, wave::splat(group[c]));
        preload(shader, warp, 60 + c, global[c]);
    }
}

}  // namespace

bool ComputeJob::run_group(const ShaderState& shader, const uint32_t size[3], const uint32_t group[3],
                           std::vector<Warp>& warps, Fault* fault) {
    const uint32_t threads = size[0] * size[1] * size[2];
    for (size_t w = 0; w < warps.size(); ++w) {
        const auto first = uint32_t(w * kWarpLanes), count = std::min<uint32_t>(kWarpLanes, threads - first);
        begin_run(&warps[w]);
        fill(shader, size, group, first, count, &warps[w]);
        Core::start(warps[w], shader.program.binary, (1u << count) - 1);
    }
    // All warps run to the barrier, then all to the next one.
    for (bool running = true; running;) {
        running = false;
        for (Warp& w : warps) {
            if (!w.live) continue;
            CoreFault core_fault;
            const Outcome o = core_.run(w, &core_fault);
            if (o == Outcome::Fault)
                return report(fault, "compute shader: " + to_string(core_fault, shader.program.binary));
            running = running || o == Outcome::Barrier;
        }
    }
    return true;
}

JobStatus ComputeJob::run(unsigned srt, unsigned fau, unsigned spd, unsigned tsd, const CsRegisters& r,
                          Fault* fault) {
    ShaderAddresses a{r.pair(R::spd + 2 * spd), r.pair(R::srt + 2 * srt), 0, r.pair(R::tsd + 2 * tsd), 0};
    set_fau(&a, r.pair(R::fau + 2 * fau));
    ShaderState shader;
    hw::ComputeSizeWorkgroup workgroup;
    if (!load_shader(machine_.memory, a, hw::ShaderStage::Compute, &shader, fault) ||
        !take_struct(&r.r[R::workgroup_size], &workgroup, "workgroup size", fault))
        return JobStatus::Fault;
    const uint32_t size[3] = {workgroup.workgroup_size_x, workgroup.workgroup_size_y,
                              workgroup.workgroup_size_z};
    if (uint64_t(size[0]) * size[1] * size[2] > machine_.chip.thread_max_workgroup_size)
        return report(fault, "a workgroup is larger than the chip has threads for"), JobStatus::Fault;
    Stage stage{StageKind::Compute, &shader, 0, 0, 0, 0};
    std::vector<Warp> warps((size[0] * size[1] * size[2] + kWarpLanes - 1) / kWarpLanes);
    for (size_t w = 0; w < warps.size(); ++w) {
        set_shader(shader, kComputeWarpSlot + unsigned(w), &warps[w]);
        warps[w].stage = &stage;
        warps[w].tells_stores = true;
    }
    const uint32_t* offset = &r.r[R::job_offset_x];
    const uint32_t* count = &r.r[R::job_size_x];
    for (uint32_t z = 0; z < count[2]; ++z)
        for (uint32_t y = 0; y < count[1]; ++y)
            for (uint32_t x = 0; x < count[0]; ++x) {
                if (machine_.host.should_stop()) return JobStatus::Stopped;
                const uint32_t group[3] = {x + offset[0], y + offset[1], z + offset[2]};
                if (!run_group(shader, size, group, warps, fault)) return failed(machine_.host);
            }
    return JobStatus::Done;
}

}  // namespace terrazzo::mali::sim
