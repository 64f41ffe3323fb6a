// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave: 64 or 128 invocations that run one shader together (a smaller multiple of 16 if the others have
// nothing to do). The code that creates it puts inputs into registers and reads results from them at its end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/sim/core/flow.h"
#include "drivers/adreno/sim/core/hazards.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using wave::F32;
using wave::U32;

struct Wave {
    RegisterMode mode() const { return {merged_registers, demote_constants}; }

    // ---- The creator sets these ----
    unsigned groups = 4;  // of 16 lanes: 4 or 8
    unsigned size = 0;    // the lanes that shaders see: 64 or 128; 0: those of the groups
    LaneMask lanes;       // the invocations that it starts with
    /// Programs for other lanes follow in the same wave. If not, the registers of its groups' other lanes may
    /// change.
    bool chains = false;
    LaneMask helpers;  // fragments without coverage, which run for derivatives
    bool merged_registers = true;
    /// The footprint, in registers of four (CTRL_REG0): registers beyond it are a fault.
    unsigned full_registers = 0, half_registers = 0;
    unsigned branch_stack = 0;
    std::span<const uint32_t> constants;  // the stage's const file, words: c0.x is the first
    /// The same words if the shader's preamble may write them (stc, ldc.k): the draw's own copy. Empty: it
    /// must not.
    std::span<uint32_t> writable_constants;
    /// Another wave of the draw ran the preamble: shps jumps over it. The core sets it when a preamble has
    /// ended.
    bool preamble_done = false;
    // SP_MODE_CONTROL: hc reads a word and converts it; false: halves are packed.
    bool demote_constants = true;
    std::span<uint8_t> shared;  // shared memory of the workgroup, or the memory of ldlw and stlw
    uint64_t private_va = 0;    // memory of lane n: private_va + n * private_B, for ldp and stp; 0: none
    uint32_t private_B = 0;
    void* stage = nullptr;  // the creator's data; units receive it
    /// Whether reading a register that was never written is a fault; only then are writes recorded. Mesa's
    /// compiler reads such registers where the values do not matter.
    bool check_defined = false;

    // ---- Registers ----
    U32 rows[kRows][kMaxGroups] = {};  // registers.h says which ones
    uint32_t shared_register[kSharedRegisters] = {};
    /// When lanes of several workgroups run as one wave: kLaneShared words from lane_shared_first on, one per
    /// lane, replace shared registers, which the program must not write.
    static constexpr unsigned kLaneShared = 3;
    bool has_lane_shared = false;
    unsigned lane_shared_first = 0;
    U32 lane_shared[kLaneShared][kMaxGroups] = {};

    // ---- The core's: start() sets these ----
    uint32_t planes = 0;  // locations whose planes are in rows
    Flow flow;
    Hazards hazards;
    Defined defined;

    // ---- Results ----
    LaneMask killed;  // by kill or demote: they have no output

    /// Shared registers, counted from r48.x or hr48.x.
    uint32_t read_shared(unsigned i, bool is_half) const {
        return is_half ? shared_register[i / 2] >> 16 * (i & 1) & 0xffff : shared_register[i];
    }
    void write_shared(unsigned i, bool is_half, uint32_t value) {
        const unsigned shift = is_half ? 16 * (i & 1) : 0;
        uint32_t& r = shared_register[is_half ? i / 2 : i];
        r = is_half ? (r & ~(0xffffu << shift)) | (value & 0xffff) << shift : value;
    }

    /// Writes or reads a register as an input or result: by its id in a register field (4 * number +
    /// component). False: not such a register. Halves are in the low 16 bits.
    bool set(isa::Reg reg, bool is_half, unsigned lane, uint32_t value);
    bool get(isa::Reg reg, bool is_half, unsigned lane, uint32_t* value) const;
    /// The same for the 16 lanes of a group.
    bool set_group(isa::Reg reg, bool is_half, unsigned group, U32 value) {
        if (is_half || reg.index >= kFullRegisters || group >= groups || check_defined)
            return set_any_group(reg, is_half, group, value);
        rows[reg.index][group] = value;
        return true;
    }
    bool get_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const {
        if (is_half || reg.index >= kFullRegisters || group >= groups)
            return get_any_group(reg, is_half, group, value);
        *value = rows[reg.index][group];
        return true;
    }
    /// Whether no result for the register is in flight: false if the program ended before it waited for one.
    bool arrived(isa::Reg reg, bool is_half) const;
    /// After start(): the register's value comes from a unit (a texture prefetch), and (sy) waits for it.
    void comes_by_sy(isa::Reg reg, bool is_half);
    /// The contents of registers are undefined from here on (their values stay): before a wave is reused.
    void forget_registers() {
        if (check_defined) defined = {};
    }

  private:
    bool set_any_group(isa::Reg reg, bool is_half, unsigned group, U32 value);
    bool get_any_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const;
};

}  // namespace terrazzo::adreno::sim
