// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wave's registers for the code that starts it and reads its results.
#include "drivers/adreno/sim/core/wave.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kFirstSharedIndex = isa::kFirstShared * 4;

// Where a register's values are; word: null for registers without one value per lane.
struct Place {
    U32* word = nullptr;
    unsigned shift = 0;
    bool half = false;
    UnitRange units;
};

Place place_of(Wave& w, isa::Reg reg, bool half) {
    const unsigned i = reg.index;
    if (reg == isa::kA0 || reg == isa::kA1)
        return {w.address[i & 1], 0, false, {uint16_t(kAddressUnit + (i & 1)), 1}};
    if (i >= kFullRegisters) return {};
    if (!half) return {w.full[i], 0, false, {uint16_t(2 * i), 2}};
    if (w.merged_registers) return {w.full[i / 2], 16 * (i & 1), true, {uint16_t(i), 1}};
    return {w.half[i], 0, true, {uint16_t(kFirstHalfUnit + i), 1}};
}

bool is_shared(isa::Reg reg) {
    return reg.index >= kFirstSharedIndex && reg.index < kFirstSharedIndex + kSharedRegisters;
}
bool is_predicate(isa::Reg reg) {
    return reg.number() == isa::kP0.number();
}
UnitRange special_units(isa::Reg reg, bool half) {
    if (is_predicate(reg)) return {uint16_t(kPredicateUnit + reg.component()), 1};
    return shared_units(unsigned(reg.index - kFirstSharedIndex), half);
}

}  // namespace

bool Wave::set(isa::Reg reg, bool is_half, unsigned lane, uint32_t value) {
    if (lane >= groups * kGroupLanes) return false;
    LaneMask one;
    one.set(lane);
    if (is_shared(reg) || is_predicate(reg)) {
        if (check_defined)
            defined.add(special_units(reg, is_half), is_shared(reg) ? LaneMask::first(kMaxLanes) : one);
        if (is_shared(reg)) {
            write_shared(unsigned(reg.index - kFirstSharedIndex), is_half, value);
        } else if (value) {
            predicate[reg.component()].set(lane);
        } else {
            predicate[reg.component()].clear(lane);
        }
        return true;
    }
    const Place p = place_of(*this, reg, is_half);
    if (!p.word) return false;
    const uint32_t mask = p.half ? 0xffffu << p.shift : ~0u;
    U32& r = p.word[lane / kGroupLanes];
    r[lane % kGroupLanes] = (r[lane % kGroupLanes] & ~mask) | (value << p.shift & mask);
    if (check_defined) defined.add(p.units, one);
    return true;
}

bool Wave::get(isa::Reg reg, bool is_half, unsigned lane, uint32_t* value) const {
    if (lane >= groups * kGroupLanes) return false;
    if (is_shared(reg)) {
        *value = read_shared(unsigned(reg.index - kFirstSharedIndex), is_half);
        return true;
    }
    if (is_predicate(reg)) {
        *value = predicate[reg.component()].has(lane);
        return true;
    }
    const Place p = place_of(const_cast<Wave&>(*this), reg, is_half);
    if (!p.word) return false;
    const uint32_t v = p.word[lane / kGroupLanes][lane % kGroupLanes] >> p.shift;
    *value = p.half ? v & 0xffff : v;
    return true;
}

bool Wave::set_group(isa::Reg reg, bool is_half, unsigned group, U32 value) {
    if (group >= groups) return false;
    const Place p = place_of(*this, reg, is_half);
    if (!p.word) {
        for (unsigned i = 0; i < kGroupLanes; ++i)
            if (!set(reg, is_half, group * kGroupLanes + i, value[i])) return false;
        return true;
    }
    const uint32_t mask = p.half ? 0xffffu << p.shift : ~0u;
    U32& r = p.word[group];
    r = (r & ~mask) | (value << p.shift & mask);
    if (check_defined) {
        LaneMask lanes_of_group;
        lanes_of_group.set_group(group, 0xffff);
        defined.add(p.units, lanes_of_group);
    }
    return true;
}

bool Wave::get_group(isa::Reg reg, bool is_half, unsigned group, U32* value) const {
    if (group >= groups) return false;
    const Place p = place_of(const_cast<Wave&>(*this), reg, is_half);
    if (p.word) {
        const U32 v = p.word[group] >> p.shift;
        *value = p.half ? v & 0xffffu : v;
        return true;
    }
    U32 out{};
    for (unsigned i = 0; i < kGroupLanes; ++i) {
        uint32_t v = 0;
        if (!get(reg, is_half, group * kGroupLanes + i, &v)) return false;
        out[i] = v;
    }
    *value = out;
    return true;
}

namespace {

UnitRange units_of(Wave& w, isa::Reg reg, bool half) {
    const Place p = place_of(w, reg, half);
    if (p.word) return p.units;
    return is_shared(reg) || is_predicate(reg) ? special_units(reg, half) : UnitRange{};
}

}  // namespace

bool Wave::arrived(isa::Reg reg, bool is_half) const {
    const UnitRange units = units_of(const_cast<Wave&>(*this), reg, is_half);
    return hazards.result_ss.find(units, lanes) < 0 && hazards.result_sy.find(units, lanes) < 0 &&
           hazards.scalar_full.find(units, lanes) < 0 && hazards.scalar_half.find(units, lanes) < 0;
}

void Wave::comes_by_sy(isa::Reg reg, bool is_half) {
    hazards.result_sy.add(units_of(*this, reg, is_half), lanes);
}

}  // namespace terrazzo::adreno::sim
