// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inner loops of copies into tiles in which quads, and then 4x4 blocks, are contiguous: Adreno's
// macrotiles and Apple's twiddled tiles. A kernel copies one unit at a time: 256 bytes of elements, which are
// 32x8, 32x4, 16x4, 8x4 or 4x4. Tilings differ only in the places of units (unit_* below), and of a unit's
// blocks (block_place_B). Internal to pipe/layout. Some of its users are compiled for another instruction set
// than the rest, so inline functions have internal linkage.
#pragma once

#include "pipe/layout/macrotile_rule.h"
#include "pipe/layout/twiddled_rule.h"

namespace terrazzo::pipe::detail {

/// A rectangle of whole units of one image, and the rows of elements that they are copied to or from.
template <class Rule>
struct UnitRun {
    Rule rule;
    uint8_t* image;                     // first byte
    uint32_t x, y, columns, unit_rows;  // in units
    uint8_t* rows;                      // the first unit's first element
    ptrdiff_t stride_B;
    /// Allows non-temporal stores; the destination is then aligned to 64 bytes. Afterwards the stores are
    /// visible like ordinary ones.
    bool stream;
};

/// The place of a 4x4 block in its unit. `E`: bytes of an element.
template <class Rule>
static constexpr uint32_t place_B(uint32_t E, uint32_t bx, uint32_t by = 0) {
    return block_place_B(Rule{}, E, bx, by);
}

/// Prefetches the four lines of a unit that will be read or written soon: units are not accessed in the order
/// of their addresses, so the CPU does not predict them. (Inline assembly: without -mprfchw, GCC's builtin
/// only prefetches for reading.)
template <uint32_t E, bool kWrite, class Rule>
static inline void expect_unit(uint8_t* unit) {
    for (uint32_t i = 0; i < 4; ++i) {
        uint8_t* const line = unit + (E == 1 || E == 2 ? place_B<Rule>(E, 2 * i)
                                      : E == 4         ? place_B<Rule>(E, i)
                                                       : 64 * i);
#ifdef __AVX2__
        if (kWrite)
            asm volatile("prefetchw (%0)" : : "r"(line));
        else
#endif
            __builtin_prefetch(line, kWrite);
    }
}

/// Calls copy(unit, rows, stride_B) for each unit of elements of E bytes, whose rows have `row_B` bytes. The
/// loops use a copy of the run, since pixels might alias it.
template <uint32_t E, bool kTile, class Rule, class Copy>
static inline void each_unit(const UnitRun<Rule>& run, uint32_t row_B, Copy&& copy) {
    const UnitRun<Rule> r = run;
    const UnitPace pace = unit_pace(r.rule, E, kTile, r.stream);
    const ptrdiff_t unit_row_B = ptrdiff_t(256 / row_B) * r.stride_B;
    for (uint32_t y = r.y, end; y < r.y + r.unit_rows; y = end) {
        end = (y / pace.rows + 1) * pace.rows;
        if (end > r.y + r.unit_rows) end = r.y + r.unit_rows;
        uint8_t *row[kMostPace] = {}, *band = r.rows + ptrdiff_t(y - r.y) * unit_row_B;
        uint32_t y_part_B[kMostPace] = {};
        for (uint32_t i = y; i < end; ++i) {
            row[i - y] = r.image + unit_row(r.rule, i);
            y_part_B[i - y] = unit_y_part(r.rule, i);
        }
        uint32_t x_part_B = unit_x_part(r.rule, r.x), ahead_B = unit_x_part(r.rule, r.x + pace.ahead);
        const auto one = [&](uint32_t i) {
            if (pace.ahead) expect_unit<E, kTile, Rule>(row[i] + (ahead_B ^ y_part_B[i]));
            copy(row[i] + (x_part_B ^ y_part_B[i]), band + ptrdiff_t(i) * unit_row_B, r.stride_B);
        };
        for (uint32_t x = r.x; x < r.x + r.columns; ++x, band += row_B) {
            if (end - y == 1)  // the common case, without a loop
                one(0);
            else
                for (uint32_t i = 0; i < end - y; ++i)
                    one(i);
            x_part_B = unit_next_x(r.rule, x_part_B, x + 1);
            ahead_B = unit_next_x(r.rule, ahead_B, x + 1 + pace.ahead);
        }
    }
}

template <class Rule>
struct UnitCopy {
    void (*tile)(const UnitRun<Rule>& run) = nullptr;
    void (*detile)(const UnitRun<Rule>& run) = nullptr;
};
template <class Rule>
struct TileKernels {
    UnitCopy<Rule> of[5];  // for elements of 1 << i bytes
};

/// One instruction set's kernels.
struct KernelSet {
    TileKernels<MacrotileRule> macrotile;
    TileKernels<TwiddledRule> twiddled;
    UnitCopy<MacrotileRule> split;  // R8G8 with split channels
};
extern const KernelSet kKernelsBaseline;
extern const KernelSet kKernelsAvx2;    // exists if TERRAZZO_PIPE_AVX2 is defined
extern const KernelSet kKernelsAvx512;  // exists if TERRAZZO_PIPE_AVX512 is defined

}  // namespace terrazzo::pipe::detail
