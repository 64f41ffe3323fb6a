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

/// Registers that a thread said it would not read again, and did not write since.
class LastUses {
  public:
    /// Of these registers, those that are dead in one of the threads.
    [[nodiscard]] uint64_t dead(uint64_t registers, uint32_t threads) const {
        const uint64_t some = registers & dead_;
        return some & partial_ ? dead_in_parts(some, threads) : some;
    }
    /// An instruction of `active` threads, of the `live` ones: what it reads for the last time, then what it
    /// writes.
    void step(uint64_t dies, uint64_t written, uint32_t active, uint32_t live) {
        if (!(dies | (written & dead_))) return;
        if (live & ~active) return step_in_parts(dies, written, active, live);
        dead_ = (dead_ | dies) & ~written;
        partial_ &= ~(dies | written);
    }

  private:
    [[nodiscard]] uint64_t dead_in_parts(uint64_t some, uint32_t threads) const;
    void step_in_parts(uint64_t dies, uint64_t written, uint32_t active, uint32_t live);
    uint64_t dead_ = 0;     // in some thread
    uint64_t partial_ = 0;  // of these: only in the threads of in_
    std::array<uint32_t, kRegisters> in_{};
};

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
    /// Registers that messages of a slot read as staging, by thread; all threads' of a slot.
    std::array<std::array<uint64_t, kWarpLanes>, 8> reading{};
    std::array<uint64_t, 8> any_reading{};
    LastUses last_uses;
    /// Memory of the threads' own: that of lane n is `local_B` bytes at local_base + n * local_B; 0: none.
    uint64_t local_base = 0;
    uint32_t local_B = 0;
    /// Bit per slot: messages that nobody waited for yet read (or write) such memory.
    uint8_t local_reads = 0, local_writes = 0;
    /// Bit per slot: messages that nobody waited for yet; those of them that interpolate.
    uint8_t under_way = 0, interpolating = 0;
    /// Slots 6 and 7 of a fragment's warp: fragments before it may still be at its pixels.
    uint8_t behind = 0;
    bool tested = false;        // ATEST is under way
    bool tells_stores = false;  // the space is told of the pages that are stored to

    std::span<const uint32_t> fau;  // uniforms, words
    std::array<uint64_t, 64>
        special{};  // by isa::Special, those that are the same for the warp; program counter and lane are not
    uint64_t resources =
        0;  // address of the shader resource table, and its entry count in the low bits, as the draw has it
    /// Of whoever made the warp: positions, varyings, coverage (units.h gets it back).
    void* stage = nullptr;
};

}  // namespace terrazzo::mali::sim
