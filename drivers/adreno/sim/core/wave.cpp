// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave's registers for the code that starts it and reads its results.
#include "drivers/adreno/sim/core/wave.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kFirstSharedIndex = isa::kFirstShared * 4;

// Where a register's values are; row: null for registers without one value per lane.
struct Place {
    U32* row = nullptr;
    unsigned shift = 0;
    uint32_t bits = ~0u;  // of the row, shifted
    UnitRange units;
};

bool is_predicate(isa::Reg reg) {
    return reg.number() == isa::kP0.number();
}

Place place_of(Wave& w, isa::Reg reg, bool half) {
    const unsigned i = reg.index;
    if (reg == isa::kA0 || reg == isa::kA1)
        return {w.rows[kAddressRow + (i & 1)], 0, ~0u, {uint16_t(kAddressUnit + (i & 1)), 1}};
    if (is_predicate(reg)) {
        const unsigned c = reg.component();
        return {w.rows[kPredicateRow + c], 0, 1, {uint16_t(kPredicateUnit + c), 1}};
    }
    if (i >= kFullRegisters) return {};
    if (!half) return {w.rows[i], 0, ~0u, {uint16_t(2 * i), 2}};
    if (w.merged_registers) return {w.rows[i / 2], 16 * (i & 1), 0xffff, {uint16_t(i), 1}};
    return {w.rows[kHalfRow + i], 0, 0xffff, {uint16_t(kFirstHalfUnit + i), 1}};
}

bool is_shared(isa::Reg reg) {
    return reg.index >= kFirstSharedIndex && reg.index < kFirstSharedIndex + kSharedRegisters;
}
UnitRange shared_units(isa::Reg reg, bool half) {
    return units_of(From::Shared, unsigned(reg.index - kFirstSharedIndex), half, true);
}

// What a register holds of a value: a predicate whether it is not zero.
U32 held(isa::Reg reg, U32 value) {
    return is_predicate(reg) ? U32(value != 0u) & 1u : value;
}

}  // namespace

bool Wave::set(isa::Reg reg, bool is_half, unsigned lane, uint32_t value) {
    if (lane >= groups * kGroupLanes) return false;
    if (is_shared(reg)) {
        if (check_defined) defined.add(shared_units(reg, is_half), LaneMask::first(kMaxLanes));
        write_shared(unsigned(reg.index - kFirstSharedIndex), is_half, value);
        return true;
    }
    const Place p = place_of(*this, reg, is_half);
    if (!p.row) return false;
    U32& r = p.row[lane / kGroupLanes];
    const unsigned i = lane % kGroupLanes;
    r[i] = (r[i] & ~(p.bits << p.shift)) | (held(reg, wave::splat(value))[0] & p.bits) << p.shift;
    LaneMask one;
    one.set(lane);
    if (check_defined) defined.add(p.units, one);
    return true;
}

bool Wave::get(isa::Reg reg, bool is_half, unsigned lane, uint32_t* value) const {
    if (lane >= groups * kGroupLanes) return false;
    if (is_shared(reg)) {
        *value = read_shared(unsigned(reg.index - kFirstSharedIndex), is_half);
        return true;
    }
    const Place p = place_of(const_cast<Wave&>(*this), reg, is_half);
    if (!p.row) return false;
    *value = p.row[lane / kGroupLanes][lane % kGroupLanes] >> p.shift & p.bits;
    return true;
}

bool Wave::set_any_group(isa::Reg reg, bool is_half, unsigned group, U32 value) {
    if (group >= groups) return false;
    if (is_shared(reg)) return set(reg, is_half, group * kGroupLanes, value[kGroupLanes - 1]);
    const Place p = place_of(*this, reg, is_half);
    if (!p.row) return false;
    U32& r = p.row[group];
    r = (r & ~(p.bits << p.shift)) | (held(reg, value) & p.bits) << p.shift;
    if (check_defined) {
        LaneMask lanes_of_group;
        lanes_of_group.set_group(group, 0xffff);
        defined.add(p.units, lanes_of_group);
    }
    return true;
}

bool Wave::get_any_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const {
    if (group >= groups) return false;
    if (is_shared(reg)) {
        *value = wave::splat(read_shared(unsigned(reg.index - kFirstSharedIndex), is_half));
        return true;
    }
    const Place p = place_of(const_cast<Wave&>(*this), reg, is_half);
    if (!p.row) return false;
    *value = p.row[group] >> p.shift & p.bits;
    return true;
}

namespace {

UnitRange units_of_result(const Wave& w, isa::Reg reg, bool half) {
    return is_shared(reg) ? shared_units(reg, half) : place_of(const_cast<Wave&>(w), reg, half).units;
}

}  // namespace

bool Wave::arrived(isa::Reg reg, bool is_half) const {
    const UnitRange units = units_of_result(*this, reg, is_half);
    return hazards.result_ss.find(units, lanes) < 0 && hazards.result_sy.find(units, lanes) < 0 &&
           hazards.scalar_full.find(units, lanes) < 0 && hazards.scalar_half.find(units, lanes) < 0;
}

void Wave::comes_by_sy(isa::Reg reg, bool is_half) {
    hazards.result_sy.add(units_of_result(*this, reg, is_half), lanes);
}

}  // namespace terrazzo::adreno::sim
