// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave: 64 or 128 invocations that run one shader together. Who starts it puts inputs into registers and reads results from them at its end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using wave::F32;
using wave::U32;

/// Lanes are kept in groups, a vector of the host each.
inline constexpr unsigned kGroupLanes = wave::kLanes, kMaxGroups = 128 / kGroupLanes;
/// r0.x .. r47.w. Half registers lie in them where registers are merged: hr0.x and hr0.y are the low and the high half of r0.x.
inline constexpr unsigned kFullRegisters = 48 * 4;
/// r48.x .. r55.w: one value for the wave.
inline constexpr unsigned kSharedRegisters = 8 * 4;

/// A bit a lane.
struct LaneMask {
    uint64_t word[2] = {};

    /// Lanes 0 to count - 1.
    static constexpr LaneMask first(unsigned count) {
        const auto low = [](unsigned n) { return n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1; };
        return {{low(count), count > 64 ? low(count - 64) : 0}};
    }
    constexpr bool any() const { return word[0] | word[1]; }
    constexpr bool has(unsigned lane) const { return word[lane / 64] >> lane % 64 & 1; }
    constexpr void set(unsigned lane) { word[lane / 64] |= uint64_t(1) << lane % 64; }
    /// The bits of the 16 lanes of a group.
    constexpr uint32_t group(unsigned g) const { return uint32_t(word[g / 4] >> g % 4 * 16) & 0xffff; }
    constexpr void set_group(unsigned g, uint32_t bits) {
        const unsigned at = g % 4 * 16;
        word[g / 4] = (word[g / 4] & ~(uint64_t(0xffff) << at)) | uint64_t(bits) << at;
    }
    constexpr LaneMask operator&(const LaneMask& o) const {
        return {{word[0] & o.word[0], word[1] & o.word[1]}};
    }
    constexpr LaneMask operator|(const LaneMask& o) const {
        return {{word[0] | o.word[0], word[1] | o.word[1]}};
    }
    constexpr LaneMask operator~() const { return {{~word[0], ~word[1]}}; }
    bool operator==(const LaneMask&) const = default;
};

struct Wave {
    // ---- Set by who makes it ----
    unsigned groups = 4;  // of 16 lanes: 4 or 8
    LaneMask lanes;       // invocations that it was made with
    LaneMask helpers;     // fragments without coverage among them, there for derivatives
    bool merged_registers = true;
    unsigned full_registers = 0,
             half_registers = 0;  // footprint, in registers of four (CTRL_REG0): what is beyond is a fault
    unsigned branch_stack = 0;
    std::span<const uint32_t> constants;  // the stage's const file, words: c0.x is the first
    std::span<uint8_t> shared;            // shared memory of the workgroup, or what ldlw and stlw reach
    uint64_t private_va = 0;  // memory of lane n: private_va + n * private_B, for ldp and stp; 0: none
    uint32_t private_B = 0;
    void* stage = nullptr;  // of who makes it; units get it back

    // ---- Registers ----
    U32 full[kFullRegisters][kMaxGroups] = {};
    U32 half[kFullRegisters][kMaxGroups] = {};  // hrN where registers are not merged; low 16 bits
    uint32_t shared_register[kSharedRegisters] = {};
    U32 address[2][kMaxGroups] = {};  // a0.x (16 bits, sign-extended), a1.x
    LaneMask predicate[4];            // p0.x .. p0.w

    // ---- What became of it ----
    LaneMask killed;  // by kill or demote: no output

    /// A register as one result or input: by its id in a register field (4 * number + component). False: it is no such register.
    /// Halves are in the low 16 bits.
    bool set(isa::Reg reg, bool is_half, unsigned lane, uint32_t value);
    bool get(isa::Reg reg, bool is_half, unsigned lane, uint32_t* value) const;
    /// The same for the 16 lanes of a group.
    bool set_group(isa::Reg reg, bool is_half, unsigned group, U32 value);
    bool get_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const;
};

}  // namespace terrazzo::adreno::sim
