// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sets of registers with work in flight.
#include "drivers/adreno/sim/core/hazards.h"

#include <cstring>

namespace terrazzo::adreno::sim {

void UnderWay::add(UnitRange range, const LaneMask& lanes) {
    for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u) {
        uint64_t& word = units_[u / 64];
        const uint64_t bit = uint64_t(1) << u % 64;
        lanes_[u] = word & bit ? lanes_[u] | lanes : lanes;
        word |= bit;
    }
    any_ = any_ || range.count;
}

int UnderWay::find(UnitRange range, const LaneMask& lanes) const {
    if (!any_) return -1;
    for (unsigned u = range.first; u < unsigned(range.first) + range.count; ++u)
        if (units_[u / 64] >> u % 64 & 1 && (lanes_[u] & lanes).any()) return int(u);
    return -1;
}

void UnderWay::clear() {
    if (!any_) return;
    any_ = false;
    std::memset(units_, 0, sizeof(units_));
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
