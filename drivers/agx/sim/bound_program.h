// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program with what its USC words bind: code, uniform registers, textures, samplers, threadgroup memory or
// the shape of the tilebuffer.
#pragma once

#include "drivers/agx/hw/records.h"
#include "drivers/agx/sim/machine.h"

namespace terrazzo::agx::sim {

struct BoundProgram {
    uint64_t code_va = 0, preshader_va = 0;  // preshader_va: 0 for none
    Uniforms uniforms;                       // after bind_program(): with what the preshader stored
    Bindings bindings;
    hw::UscShared shared;
    bool has_shared = false;
    hw::UscFragmentProperties fragment;
    unsigned registers = 0;  // of 32 bits
    unsigned stack_B = 0;    // of each thread
};

/// Reads the USC words of `pipeline`, whose addresses are relative to usc_base, and runs the preshader on
/// `core`. `what`: whose program it is, for reports.
[[nodiscard]] bool bind_program(Core& core, uint64_t usc_base, const hw::Pipeline& pipeline,
                                const hw::Counts& counts, const std::string& what, BoundProgram* out,
                                Fault* fault);

}  // namespace terrazzo::agx::sim
