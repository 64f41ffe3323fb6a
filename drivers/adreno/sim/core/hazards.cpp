// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The conflicts of reads and writes of registers with the accesses in flight.
#include "drivers/adreno/sim/core/hazards.h"

namespace terrazzo::adreno::sim {

Conflict Hazards::of_read(UnitRange range, bool alu, bool full, bool scalar, uint64_t cycle,
                          const LaneMask& lanes) const {
    using Kind = Conflict::Kind;
    if (const unsigned cycles = early(range, alu, full, cycle, lanes))
        return {Kind::Early, range.first, cycles};
    for (const UnderWay* results : {&result_ss, &scalar_full, &scalar_half}) {
        if (scalar && results == (full ? &scalar_full : &scalar_half)) continue;
        if (const int u = results->find(range, lanes); u >= 0) return {Kind::ReadSs, unsigned(u), 0};
    }
    if (const int u = result_sy.find(range, lanes); u >= 0) return {Kind::ReadSy, unsigned(u), 0};
    return {};
}

Conflict Hazards::of_write(UnitRange range, bool scalar, const LaneMask& lanes) const {
    using Kind = Conflict::Kind;
    for (const UnderWay* results : {&result_ss, &scalar_full, &scalar_half}) {
        if (scalar && results != &result_ss) continue;
        if (const int u = results->find(range, lanes); u >= 0) return {Kind::WriteSs, unsigned(u), 0};
    }
    if (const int u = result_sy.find(range, lanes); u >= 0) return {Kind::WriteSy, unsigned(u), 0};
    if (const int u = source_ss.find(range, lanes); u >= 0) return {Kind::SourceSs, unsigned(u), 0};
    if (const int u = scalar ? -1 : source_scalar.find(range, lanes); u >= 0)
        return {Kind::SourceSs, unsigned(u), 0};
    if (const int u = source_any.find(range, lanes); u >= 0) return {Kind::SourceAny, unsigned(u), 0};
    return {};
}

void Hazards::wait_ss() {
    result_ss.clear();
    scalar_full.clear();
    scalar_half.clear();
    source_ss.clear();
    source_any.clear();
    source_scalar.clear();
    constants_ss = barrier_ss = false;
}

void Hazards::wait_sy() {
    result_sy.clear();
    source_any.clear();
    constants_sy = barrier_sy = false;
}

void Hazards::reset() {
    wait_ss();
    wait_sy();
    now += 16;
}

}  // namespace terrazzo::adreno::sim
