// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The size of tasks is chosen as in Mesa 25.0.7, pan_csf.c, csf_launch_grid.
#include "drivers/mali/passes/compute_job.h"

#include <algorithm>

#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

using R = hw::ComputeRegisters;

/// The workgroups for which a core has threads.
uint32_t groups_per_core(const hw::Chip& chip, const ComputeJob& job) {
    const uint32_t threads = chip.max_threads / (job.shader.info.work_registers > 32 ? 2 : 1);
    return std::max(1u, threads / (job.group[0] * job.group[1] * job.group[2]));
}

/// A task has as many workgroups as a core has threads for: along x, or whole rows, or whole layers.
hw::CsRunCompute task(const hw::Chip& chip, const ComputeJob& job) {
    const auto [x, y, z] = job.groups;
    const uint32_t count = groups_per_core(chip, job);
    const uint32_t rows = count / x, layers = rows / y;
    hw::CsRunCompute run;
    if (!rows) {
        run.task_axis = hw::TaskAxis::X;
        run.task_increment = count;
    } else if (!layers || z == 1) {
        run.task_axis = hw::TaskAxis::Y;
        run.task_increment = std::min(rows, y);
    } else {
        run.task_axis = hw::TaskAxis::Z;
        run.task_increment = std::min(layers, z);
    }
    return run;
}

/// Loads the numbers of workgroups, and copies them to where the shader expects them.
void load_groups(CsBuilder& b, const ComputeJob& job) {
    constexpr unsigned kFrom = kScratchRegister + 12, kTo = kScratchRegister + 14;
    constexpr uint32_t kLoadStore = 1u << kSlotLoadStore;
    b.set64(kFrom, job.indirect_va);
    b.load(R::job_size_x, 3, kFrom, 0);
    b.wait(kLoadStore);
    for (unsigned axis = 0; axis < 3; ++axis)
        for (const uint64_t va : job.copies_va[axis]) {
            if (!va) continue;
            b.set64(kTo, va);
            b.store(R::job_size_x + axis, 1, kTo, 0);
            b.wait(kLoadStore);
        }
}

}  // namespace

void run_compute(Recorder& recorder, const ComputeJob& job) {
    CsBuilder& b = recorder.compute;
    b.set64(R::srt, job.tables);
    b.set64(R::fau, job.fau_va | uint64_t(job.shader.fau_count()) << 56);
    b.set64(R::spd, job.shader.spd_va());
    b.set64(R::tsd, job.local_storage_va);
    b.set32(R::global_attribute_offset, 0);
    hw::ComputeSizeWorkgroup group;
    group.workgroup_size_x = job.group[0];
    group.workgroup_size_y = job.group[1];
    group.workgroup_size_z = job.group[2];
    group.allow_merging_workgroups = !job.shader.info.uses_barriers && !job.shader.info.shared_B;
    b.set32(R::workgroup_size, word_of(group));
    for (unsigned i = 0; i < 3; ++i)
        b.set32(R::job_offset_x + i, 0);
    if (job.indirect_va) {
        load_groups(b, job);
        return b.emit(hw::CsRunComputeIndirect{.workgroups_per_task = groups_per_core(recorder.chip(), job)});
    }
    for (unsigned i = 0; i < 3; ++i)
        b.set32(R::job_size_x + i, job.groups[i]);
    b.emit(task(recorder.chip(), job));
}

}  // namespace terrazzo::mali
