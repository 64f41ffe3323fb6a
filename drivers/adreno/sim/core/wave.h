// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave: 64 or 128 invocations that run one shader together (fewer, a multiple of 16, where no others have anything to do). Who starts it puts inputs into registers and reads results from them at its end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/sim/core/flow.h"
#include "drivers/adreno/sim/core/hazards.h"
#include "drivers/adreno/sim/core/lane_mask.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using wave::F32;
using wave::U32;

struct Wave {
    // ---- Set by who makes it ----
    unsigned groups = 4;  // of 16 lanes: 4 or 8
    unsigned size = 0;    // lanes that shaders know of: 64 or 128; 0: those of the groups
    LaneMask lanes;       // invocations that it was made with
    bool chains =
        false;         // programs for other lanes follow in it: registers of lanes that do not run are kept
    LaneMask helpers;  // fragments without coverage among them, there for derivatives
    bool merged_registers = true;
    unsigned full_registers = 0,
             half_registers = 0;  // footprint, in registers of four (CTRL_REG0): what is beyond is a fault
    unsigned branch_stack = 0;
    std::span<const uint32_t> constants;  // the stage's const file, words: c0.x is the first
    /// The same words where the shader's preamble may write them (stc, ldc.k): the draw's own copy. Empty: it may not.
    std::span<uint32_t> writable_constants;
    /// Another wave of the draw has run the preamble: shps jumps over it. The core sets it when a preamble has ended.
    bool preamble_done = false;
    bool demote_constants = true;  // SP_MODE_CONTROL: hc reads a word and converts it; else halves are packed
    std::span<uint8_t> shared;     // shared memory of the workgroup, or what ldlw and stlw reach
    uint64_t private_va = 0;       // memory of lane n: private_va + n * private_B, for ldp and stp; 0: none
    uint32_t private_B = 0;
    void* stage = nullptr;  // of who makes it; units get it back
    /// Whether reading a register that nobody wrote is a fault: else nobody notes who writes. Mesa's compiler reads such registers, for values that do not matter.
    bool check_defined = false;

    // ---- Registers ----
    U32 full[kFullRegisters][kMaxGroups] = {};
    U32 half[kFullRegisters][kMaxGroups] = {};  // hrN where registers are not merged; low 16 bits
    uint32_t shared_register[kSharedRegisters] = {};
    /// Where lanes of several workgroups run as one wave: kLaneShared words from lane_shared_first on, each lane's own, hide shared registers, which nothing writes.
    static constexpr unsigned kLaneShared = 3;
    bool has_lane_shared = false;
    unsigned lane_shared_first = 0;
    U32 lane_shared[kLaneShared][kMaxGroups] = {};
    U32 address[2][kMaxGroups] = {};  // a0.x (16 bits, sign-extended), a1.x
    LaneMask predicate[4];            // p0.x .. p0.w

    // ---- Of the core: start() sets it up ----
    Flow flow;
    Hazards hazards;
    Defined defined;

    // ---- What became of it ----
    LaneMask killed;  // by kill or demote: no output

    /// Shared registers, counted from r48.x or hr48.x.
    uint32_t read_shared(unsigned i, bool is_half) const {
        return is_half ? shared_register[i / 2] >> 16 * (i & 1) & 0xffff : shared_register[i];
    }
    void write_shared(unsigned i, bool is_half, uint32_t value) {
        const unsigned shift = is_half ? 16 * (i & 1) : 0;
        uint32_t& r = shared_register[is_half ? i / 2 : i];
        r = is_half ? (r & ~(0xffffu << shift)) | (value & 0xffff) << shift : value;
    }

    /// A register as one result or input: by its id in a register field (4 * number + component). False: it is no such register.
    /// Halves are in the low 16 bits.
    bool set(isa::Reg reg, bool is_half, unsigned lane, uint32_t value);
    bool get(isa::Reg reg, bool is_half, unsigned lane, uint32_t* value) const;
    /// The same for the 16 lanes of a group.
    bool set_group(isa::Reg reg, bool is_half, unsigned group, U32 value);
    bool get_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const;
    /// Whether nothing is on its way to the register: false, where the program ended before it waited for a result.
    bool arrived(isa::Reg reg, bool is_half) const;
    /// After start(): the register's value comes from a unit (a texture prefetch), and is waited for by (sy).
    void comes_by_sy(isa::Reg reg, bool is_half);
    /// What registers hold is undefined from here on (their values stay): before a wave is used again.
    void forget_registers() {
        if (check_defined) defined = {};
    }
};

}  // namespace terrazzo::adreno::sim
