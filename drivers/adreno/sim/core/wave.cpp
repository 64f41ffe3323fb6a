// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave's registers for the code that starts it and reads its results.
#include "drivers/adreno/sim/core/wave.h"

#include "drivers/adreno/sim/core/program.h"

namespace terrazzo::adreno::sim {

namespace {

// A register of an input or result; row: null for registers without one value per lane.
struct Place {
    From from = From::None;
    unsigned index = 0;  // in its file
    U32* row = nullptr;
    RowBits bits;
    UnitRange units;
};

Place place_of(const Wave& w, isa::Reg reg, bool half) {
    Place p;
    int16_t index = 0;
    p.from = file_of(reg.index, half, &index);
    p.index = unsigned(index);
    if (!has_row(p.from) && p.from != From::Shared) return p;
    p.units = units_of(p.from, p.index, half, w.merged_registers);
    if (p.from == From::Shared) return p;
    p.bits = row_of(p.from, p.index, w.merged_registers);
    p.row = const_cast<Wave&>(w).rows[p.bits.row];
    return p;
}

// What a register holds of a value: a predicate whether it is not zero.
U32 held(From from, U32 value) {
    return from == From::Predicate ? U32(value != 0u) & 1u : value;
}

}  // namespace

bool Wave::set(isa::Reg reg, bool is_half, unsigned lane, uint32_t value) {
    if (lane >= groups * kGroupLanes) return false;
    const Place p = place_of(*this, reg, is_half);
    if (p.from == From::Shared) {
        if (check_defined) defined.add(p.units, LaneMask::first(kMaxLanes));
        write_shared(p.index, is_half, value);
        return true;
    }
    if (!p.row) return false;
    const uint32_t mask = p.bits.mask << p.bits.shift, v = held(p.from, wave::splat(value))[0];
    put_at(p.row, lane, (at(p.row, lane) & ~mask) | (v << p.bits.shift & mask));
    LaneMask one;
    one.set(lane);
    if (check_defined) defined.add(p.units, one);
    return true;
}

bool Wave::get(isa::Reg reg, bool is_half, unsigned lane, uint32_t* value) const {
    if (lane >= groups * kGroupLanes) return false;
    const Place p = place_of(*this, reg, is_half);
    if (p.from == From::Shared) *value = read_shared(p.index, is_half);
    if (p.row) *value = at(p.row, lane) >> p.bits.shift & p.bits.mask;
    return p.row || p.from == From::Shared;
}

bool Wave::set_any_group(isa::Reg reg, bool is_half, unsigned group, U32 value) {
    if (group >= groups) return false;
    const Place p = place_of(*this, reg, is_half);
    if (p.from == From::Shared) return set(reg, is_half, group * kGroupLanes, value[kGroupLanes - 1]);
    if (!p.row) return false;
    const uint32_t mask = p.bits.mask << p.bits.shift;
    U32& r = p.row[group];
    r = (r & ~mask) | (held(p.from, value) << p.bits.shift & mask);
    if (check_defined) {
        LaneMask lanes_of_group;
        lanes_of_group.set_group(group, 0xffff);
        defined.add(p.units, lanes_of_group);
    }
    return true;
}

bool Wave::get_any_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const {
    if (group >= groups) return false;
    const Place p = place_of(*this, reg, is_half);
    if (p.from == From::Shared) *value = wave::splat(read_shared(p.index, is_half));
    if (p.row) *value = p.row[group] >> p.bits.shift & p.bits.mask;
    return p.row || p.from == From::Shared;
}

bool Wave::arrived(isa::Reg reg, bool is_half) const {
    const UnitRange units = place_of(*this, reg, is_half).units;
    return hazards.result_ss.find(units, lanes) < 0 && hazards.result_sy.find(units, lanes) < 0 &&
           hazards.scalar_full.find(units, lanes) < 0 && hazards.scalar_half.find(units, lanes) < 0;
}

void Wave::comes_by_sy(isa::Reg reg, bool is_half) {
    hazards.result_sy.add(place_of(*this, reg, is_half).units, lanes);
}

}  // namespace terrazzo::adreno::sim
