// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a wave has in flight: how many cycles ago registers were written, and which results and sources must
// be waited for. Facts: Mesa 25.0.7, ir3_legalize.c and ir3_delay.c.
//
// Registers are units of 16 bits. The rules hold per lane: what one side of a branch writes does not concern
// the lanes of the other side.
#pragma once

#include <cstdint>

#include "drivers/adreno/sim/core/lane_mask.h"

namespace terrazzo::adreno::sim {

/// r0.x .. r47.w. Merged half registers lie in them: hr0.x and hr0.y are the low and the high half of r0.x.
inline constexpr unsigned kFullRegisters = 48 * 4;
/// r48.x .. r55.w: one value per wave. Halves always lie in them: hr48.x and hr48.y are the halves of r48.x
/// (Mesa, ir3_shared_ra.c).
inline constexpr unsigned kSharedRegisters = 8 * 4;

/// Consecutive units: a full register has two.
struct UnitRange {
    uint16_t first = 0, count = 0;
};
inline constexpr unsigned kFirstHalfUnit = 2 * kFullRegisters;  // of half registers that are not merged
inline constexpr unsigned kFirstSharedUnit = kFirstHalfUnit + kFullRegisters;
inline constexpr unsigned kAddressUnit = kFirstSharedUnit + 2 * kSharedRegisters;  // a0.x, a1.x
inline constexpr unsigned kPredicateUnit = kAddressUnit + 2;
inline constexpr unsigned kUnits = kPredicateUnit + 4;

/// The units of shared register `i`, counted from r48.x or hr48.x.
constexpr UnitRange shared_units(unsigned i, bool half) {
    return half ? UnitRange{uint16_t(kFirstSharedUnit + i), 1}
                : UnitRange{uint16_t(kFirstSharedUnit + 2 * i), 2};
}

/// Registers with reads or writes in flight, and their lanes.
class UnderWay {
  public:
    bool any() const { return any_; }
    void add(UnitRange range, const LaneMask& lanes);
    /// A unit of the range that is in flight for some of the lanes; -1: none.
    int find(UnitRange range, const LaneMask& lanes) const;
    void clear();
    /// Whether the range, which lies in one word of the set, may be in flight for some lane.
    bool may_have(UnitRange range) const {
        return any_ &&
               (units_[range.first / 64] >> range.first % 64 & ((uint64_t(1) << range.count) - 1)) != 0;
    }

  private:
    static constexpr unsigned kWords = (kUnits + 63) / 64;
    bool any_ = false;
    uint64_t units_[kWords] = {};
    LaneMask lanes_[kUnits];  // of units that are in units_
};

struct Hazards {
    /// Cycles since the wave was made; starts beyond all delays of earlier code.
    uint64_t now = 16;
    UnderWay result_ss, result_sy;  // results that (ss) and (sy) wait for
    /// Results of the scalar ALU, by the precision of the write: (ss), except when the scalar ALU reads them
    /// itself with the same precision.
    UnderWay scalar_full, scalar_half;
    UnderWay source_ss;      // sources that may be overwritten after (ss)
    UnderWay source_any;     // after (ss) or (sy)
    UnderWay source_scalar;  // of the scalar ALU, which reads in order: only others must wait
    bool constants_ss = false, constants_sy = false;
    /// A barrier or fence is in flight: the next instruction needs both flags.
    bool barrier_ss = false, barrier_sy = false;

    /// The ALU wrote the range in the cycle before `cycle`.
    void wrote(UnitRange range, bool full, uint64_t cycle, const LaneMask& lanes) {
        for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u) {
            written_[u] = cycle << 1 | uint64_t(full);
            writer_[u] = lanes;
        }
    }
    /// Another unit wrote it: that unit waits for the ALU itself.
    void wrote_later(UnitRange range) {
        for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u)
            written_[u] = 0;
    }
    /// How many cycles too early a reader in `cycle` is; 0: it may read. `alu`: the reader is the ALU;
    /// `full`: it reads a full register.
    unsigned early(UnitRange range, bool alu, bool full, uint64_t cycle, const LaneMask& lanes) const {
        for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u) {
            const uint64_t w = written_[u];
            const uint64_t ready = (w >> 1) + (alu && bool(w & 1) == full && u < kAddressUnit ? 3 : 6);
            if (ready > cycle && (writer_[u] & lanes).any()) return unsigned(ready - cycle);
        }
        return 0;
    }
    /// Whether nothing that (ss) or (sy) waits for concerns the unit or the pair of units.
    bool is_quiet(UnitRange range) const {
        return !result_ss.may_have(range) && !result_sy.may_have(range) && !scalar_full.may_have(range) &&
               !scalar_half.may_have(range);
    }
    bool is_free(UnitRange range) const {
        return is_quiet(range) && !source_ss.may_have(range) && !source_any.may_have(range) &&
               !source_scalar.may_have(range);
    }
    void wait_ss();
    void wait_sy();
    /// Nothing is in flight.
    void reset();

  private:
    uint64_t written_[kUnits] = {};  // the cycle after the write, and whether it was as a full register
    LaneMask writer_[kUnits];
};

/// Lanes in which a unit was written since the wave was made.
struct Defined {
    LaneMask lanes[kUnits];
    void add(UnitRange range, const LaneMask& mask) {
        for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u)
            lanes[u] = lanes[u] | mask;
    }
};

}  // namespace terrazzo::adreno::sim
