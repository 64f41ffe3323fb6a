// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sixteen threads that run one shader together: registers, what they may see, and where each stands.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "drivers/common/wave/lanes.h"

namespace terrazzo::mali::sim {

using wave::F32;
using wave::U32;
using wave::U64;

inline constexpr unsigned kWarpLanes = wave::kLanes, kRegisters = 64;

struct Warp {
    U32 r[kRegisters] = {};
    uint64_t defined = 0;          // registers that were written or preloaded
    unsigned register_count = 64;  // the shader's; 64, or 32: r0 to r15 and r48 to r63

    uint32_t lanes = 0;    // threads that the warp was made with
    uint32_t live = 0;     // and have not ended
    uint32_t helpers = 0;  // threads of fragments without coverage, there for derivatives
    std::array<uint64_t, kWarpLanes> pc{};
    /// Registers that messages of a slot write and nobody waited for yet.
    std::array<uint64_t, 8> writing{};
    /// Memory of the threads' own: that of lane n is `local_B` bytes at local_base + n * local_B; 0: none.
    uint64_t local_base = 0;
    uint32_t local_B = 0;
    /// Bit per slot: messages that nobody waited for yet read (or write) such memory.
    uint8_t local_reads = 0, local_writes = 0;

    std::span<const uint32_t> fau;  // uniforms, words
    std::array<uint64_t, 64>
        special{};  // by isa::Special, those that are the same for the warp; program counter and lane are not
    uint64_t resources =
        0;  // address of the shader resource table, and its entry count in the low bits, as the draw has it
    /// Of whoever made the warp: positions, varyings, coverage (units.h gets it back).
    void* stage = nullptr;
};

}  // namespace terrazzo::mali::sim
