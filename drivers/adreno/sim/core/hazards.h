// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a wave has in flight: how many cycles ago registers were written, and which results and sources must
// be waited for. Facts: Mesa 25.0.7, ir3_legalize.c and ir3_delay.c.
//
// The rules hold per lane: what one side of a branch writes does not concern the lanes of the other side.
#pragma once

#include <algorithm>
#include <cstdint>

#include "drivers/adreno/sim/core/registers.h"
#include "drivers/common/core/in_flight.h"

namespace terrazzo::adreno::sim {

struct UnitSet : core::RegisterSet<kUnits> {
    using RegisterSet::add;
    void add(UnitRange r) { add(r.first, r.count); }
};

/// Registers with reads or writes in flight, and their lanes.
struct UnderWay : core::InFlight<kUnits, LaneMask> {
    using InFlight::add;
    using InFlight::find;
    void add(UnitRange r, const LaneMask& lanes) { add(r.first, r.count, lanes); }
    /// A unit of the range that is in flight for some of the lanes; -1: none.
    int find(UnitRange r, const LaneMask& lanes) const { return find(r.first, r.count, lanes); }
};

/// Why a register must not be accessed, and the unit of it.
struct Conflict {
    enum class Kind : uint8_t {
        None,
        Early,      // read `early` cycles too early
        ReadSs,     // read without (ss) after what writes it
        ReadSy,     // without (sy)
        WriteSs,    // written without (ss) after what writes it, too
        WriteSy,    // without (sy)
        SourceSs,   // written without (ss) after what may still read it
        SourceAny,  // without (ss) or (sy)
    };
    Kind kind = Kind::None;
    unsigned unit = 0, early = 0;
    explicit operator bool() const { return kind != Kind::None; }
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

    /// The longest that a reader waits for the ALU.
    static constexpr unsigned kMostDelay = 6;

    /// The ALU wrote the range in the cycle before `cycle`.
    void wrote(UnitRange range, bool full, uint64_t cycle, const LaneMask& lanes) {
        latest_ = std::max(latest_, cycle);
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
    /// Whether any reader may read anything that the ALU wrote.
    bool is_settled() const { return latest_ + kMostDelay <= now; }
    /// How many cycles too early a reader in `cycle` is; 0: it may read. `alu`: the reader is the ALU;
    /// `full`: it reads a full register.
    unsigned early(UnitRange range, bool alu, bool full, uint64_t cycle, const LaneMask& lanes) const {
        for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u) {
            const uint64_t w = written_[u];
            const uint64_t ready =
                (w >> 1) + (alu && bool(w & 1) == full && u < kAddressUnit ? 3 : kMostDelay);
            if (ready > cycle && (writer_[u] & lanes).any()) return unsigned(ready - cycle);
        }
        return 0;
    }
    /// Of an access in `cycle`; `scalar`: by the scalar ALU.
    Conflict of_read(UnitRange range, bool alu, bool full, bool scalar, uint64_t cycle,
                     const LaneMask& lanes) const;
    Conflict of_write(UnitRange range, bool scalar, const LaneMask& lanes) const;
    void wait_ss();
    void wait_sy();
    /// Nothing is in flight.
    void reset();

  private:
    uint64_t latest_ = 0;            // the last `cycle` of wrote()
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
