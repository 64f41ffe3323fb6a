// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where a wave's registers are: the rows of its register file, and the units by which hazards are tracked.
#pragma once

#include <cstdint>

#include "drivers/common/wave/lane_mask.h"

namespace terrazzo::adreno::sim {

using wave::at;
using wave::each_lane;
using wave::each_value;
using wave::every_lane;
using wave::kGroupLanes;
using wave::kMaxGroups;
using wave::kMaxLanes;
using wave::LaneMask;
using wave::lanes_of;
using wave::lanes_with;
using wave::put_at;
using Lanes = wave::WaveWords;

/// r0.x .. r47.w. Merged half registers lie in them: hr0.x and hr0.y are the low and the high half of r0.x.
inline constexpr unsigned kFullRegisters = 48 * 4;
/// r48.x .. r55.w: one value per wave. Halves always lie in them: hr48.x and hr48.y are the halves of r48.x
/// (Mesa, ir3_shared_ra.c).
inline constexpr unsigned kSharedRegisters = 8 * 4;

/// The file of a source or of a result.
enum class From : uint8_t {
    None,
    Full,
    Half,
    Shared,
    Address,
    Predicate,
    Constant,
    Number,
    RelativeRegister,
    RelativeConstant,
    Nowhere,
    Wrong
};

/// What a wave's modes decide about its operands.
struct RegisterMode {
    bool merged = true;   // half registers are the halves of full registers
    bool demotes = true;  // hc reads a word and converts it; false: halves of constants are packed
    static constexpr unsigned kCount = 4;
    unsigned index() const { return unsigned(merged) + 2 * unsigned(demotes); }
};

// ---- Rows: a value per lane each. r0.x .. r47.w are the first ones ----
inline constexpr unsigned kHalfRow = kFullRegisters;  // halves that are not merged, in the low 16 bits
inline constexpr unsigned kAddressRow = kHalfRow + kFullRegisters;  // a0.x (sign-extended), a1.x
inline constexpr unsigned kPredicateRow = kAddressRow + 2;          // p0.x .. p0.w: 1 or 0
/// Sources and results of instructions with operands that have no row.
inline constexpr unsigned kSourceRow = kPredicateRow + 4, kResultRow = kSourceRow + 4;
/// What bary.f interpolates at location n: the first vertex' value, and the differences of the second and the
/// third vertex, in the rows from kPlaneRow + 3 * n on. For the locations of a mask.
inline constexpr unsigned kPlaneRow = kResultRow + 4, kPlaneLocations = 32;
inline constexpr unsigned kRows = kPlaneRow + 3 * kPlaneLocations;

/// The bits of a row in which a register's values are.
struct RowBits {
    unsigned row = 0, shift = 0;
    uint32_t mask = ~0u;
};
constexpr bool has_row(From from) {
    return from == From::Full || from == From::Half || from == From::Address || from == From::Predicate;
}
/// Of register `i` of a file that has rows.
constexpr RowBits row_of(From from, unsigned i, bool merged) {
    if (from == From::Half && merged) return {i / 2, 16 * (i & 1), 0xffff};
    if (from == From::Half) return {kHalfRow + i, 0, 0xffff};
    if (from == From::Address) return {kAddressRow + (i & 1), 0, ~0u};
    if (from == From::Predicate) return {kPredicateRow + (i & 3), 0, 1};
    return {i, 0, ~0u};
}

// ---- Units: registers of 16 bits ----
/// Consecutive units: a full register has two.
struct UnitRange {
    uint16_t first = 0, count = 0;
    bool operator==(const UnitRange&) const = default;
};
inline constexpr unsigned kFirstHalfUnit = 2 * kFullRegisters;  // of half registers that are not merged
inline constexpr unsigned kFirstSharedUnit = kFirstHalfUnit + kFullRegisters;
inline constexpr unsigned kAddressUnit = kFirstSharedUnit + 2 * kSharedRegisters;  // a0.x, a1.x
inline constexpr unsigned kPredicateUnit = kAddressUnit + 2;
inline constexpr unsigned kUnits = kPredicateUnit + 4;

/// The units of register `i` of a file. `half` only matters for shared registers, counted from r48.x or
/// hr48.x: From distinguishes the others.
constexpr UnitRange units_of(From from, unsigned i, bool half, bool merged) {
    switch (from) {
        case From::Full:
            return {uint16_t(2 * i), 2};
        case From::Half:
            return {uint16_t(merged ? i : kFirstHalfUnit + i), 1};
        case From::Shared:
            return half ? UnitRange{uint16_t(kFirstSharedUnit + i), 1}
                        : UnitRange{uint16_t(kFirstSharedUnit + 2 * i), 2};
        case From::Address:
            return {uint16_t(kAddressUnit + i), 1};
        case From::Predicate:
            return {uint16_t(kPredicateUnit + i), 1};
        case From::None:
        case From::Constant:
        case From::Number:
        case From::RelativeRegister:
        case From::RelativeConstant:
        case From::Nowhere:
        case From::Wrong:
            break;
    }
    return {};
}

}  // namespace terrazzo::adreno::sim
