// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One RUN_COMPUTE. The caller has begun the job in the compute stream (Recorder::begin_compute and
// begin_dispatch).
#pragma once

#include "drivers/mali/program/program.h"
#include "drivers/mali/submission/recorder.h"

namespace terrazzo::mali {

struct ComputeJob {
    const ShaderPart& shader;
    uint64_t tables = 0;  // their address and number, as in the register
    uint64_t fau_va = 0;
    uint64_t local_storage_va = 0;
    std::array<uint32_t, 3> group;   // invocations of a workgroup
    std::array<uint32_t, 3> groups;  // none is 0, unless there is `indirect_va`
    /// Where the device reads the numbers of workgroups; 0: they are `groups`.
    uint64_t indirect_va = 0;
    /// With `indirect_va`: where the shader expects these numbers; 0: nowhere. For each axis an address in
    /// its FAU, and one in its system block.
    std::array<std::array<uint64_t, 2>, 3> copies_va{};
};
void run_compute(Recorder& recorder, const ComputeJob& job);

}  // namespace terrazzo::mali
