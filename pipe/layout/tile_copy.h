// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Divides rectangles into runs of whole units (tile_kernels.h), which go to the CPU's kernels, and edges,
// which are copied element by element. Internal to pipe/layout.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "pipe/layout/linear.h"
#include "pipe/layout/tile_kernels.h"

namespace terrazzo::pipe::detail {

/// A unit of elements of `block_B` bytes: a power of two up to 128.
TileShape unit_shape(uint32_t block_B);

/// The sets of kernels that this CPU supports, the best first.
std::span<const KernelSet* const> tile_kernels();

// Copies of this size or more do not fit into the caches together with their source.
inline constexpr uint64_t kStreamFrom_B = uint64_t(8) << 20;

// Copies the rectangle [x0, x1) x [y0, y1) of one unit. `rows` is the address of its corner (x0, y0). E = 0:
// there is no kernel for the element size.
template <uint32_t E, bool kTile, class Units>
void copy_partial(const Units& units, uint8_t* unit, uint8_t* rows, const RowCopy& c, uint32_t x0,
                  uint32_t y0, uint32_t x1, uint32_t y1) {
    const uint32_t block_B = E ? E : c.block_B, step_B = units.channel_step_B();
    for (uint32_t y = y0; y < y1; ++y, rows += c.rows_stride_B)
        for (uint32_t x = x0; x < x1; ++x) {
            uint8_t* const in_unit = unit + units.inside_B(x, y);
            uint8_t* const in_row = rows + ptrdiff_t(x - x0) * ptrdiff_t(block_B);
            if (E == 2 && step_B != 1) {
                for (uint32_t i = 0; i < 2; ++i)
                    (kTile ? in_unit[i * step_B] : in_row[i]) = kTile ? in_row[i] : in_unit[i * step_B];
            } else {
                std::memcpy(kTile ? in_unit : in_row, kTile ? in_row : in_unit, block_B);
            }
        }
}

// Copies elements [x, x_end) x [y, y_end), unit by unit.
template <uint32_t E, bool kTile, class Units>
void copy_edges(const Units& units, const RowCopy& c, uint32_t x, uint32_t y, uint32_t x_end,
                uint32_t y_end) {
    const uint32_t w = units.shape().w_el, h = units.shape().h_el;
    for (uint32_t top = y; top < y_end; top = (top / h + 1) * h)
        for (uint32_t left = x; left < x_end; left = (left / w + 1) * w) {
            uint8_t* const unit = c.surface + units.offset_B(left / w, top / h);
            uint8_t* const rows = c.rows + ptrdiff_t(top - c.y_el) * c.rows_stride_B +
                                  ptrdiff_t(left - c.x_el) * ptrdiff_t(c.block_B);
            const uint32_t x0 = left % w, y0 = top % h;
            copy_partial<E, kTile>(units, unit, rows, c, x0, y0, std::min(w, x0 + x_end - left),
                                   std::min(h, y0 + y_end - top));
        }
}

template <uint32_t E, bool kTile, class Units, class Rule>
void copy_units(const RowCopy& c, const Units& units, const Rule& rule, const UnitCopy<Rule>& kernels) {
    const auto whole = kTile ? kernels.tile : kernels.detile;
    const uint32_t w = units.shape().w_el, h = units.shape().h_el, x_end = c.x_el + c.w_el,
                   y_end = c.y_el + c.h_el;
    // The whole units: [left, right) x [top, bottom).
    const uint32_t left = (c.x_el + w - 1) / w * w, right = x_end / w * w;
    const uint32_t top = (c.y_el + h - 1) / h * h, bottom = y_end / h * h;
    if (!whole || left >= right || top >= bottom)
        return copy_edges<E, kTile>(units, c, c.x_el, c.y_el, x_end, y_end);
    copy_edges<E, kTile>(units, c, c.x_el, c.y_el, x_end, top);
    copy_edges<E, kTile>(units, c, c.x_el, top, left, bottom);
    copy_edges<E, kTile>(units, c, right, top, x_end, bottom);
    copy_edges<E, kTile>(units, c, c.x_el, bottom, x_end, y_end);
    UnitRun<Rule> run = {};
    run.rule = rule;
    run.image = c.surface;
    run.x = left / w, run.columns = (right - left) / w;
    run.y = top / h, run.unit_rows = (bottom - top) / h;
    run.rows =
        c.rows + ptrdiff_t(top - c.y_el) * c.rows_stride_B + ptrdiff_t(left - c.x_el) * ptrdiff_t(c.block_B);
    run.stride_B = c.rows_stride_B;
    // Non-temporal stores must write whole lines.
    const bool lines = kTile ? reinterpret_cast<uintptr_t>(c.surface) % 64 == 0
                             : w * c.block_B % 64 == 0 && run.stride_B % 64 == 0 &&
                                   reinterpret_cast<uintptr_t>(run.rows) % 64 == 0;
    run.stream = lines && uint64_t(c.w_el) * c.h_el * c.block_B >= kStreamFrom_B;
    whole(run);
}

/// `units` has shape() (in elements), offset_B(column, row) of a unit, inside_B(x, y) of an element in its
/// unit, and channel_step_B(). `split`: the kernels of R8G8 with split channels.
template <bool kTile, class Units, class Rule>
void copy_rect(const RowCopy& c, const Units& units, const Rule& rule, const TileKernels<Rule>& kernels,
               const UnitCopy<Rule>& split = {}) {
    if (!c.w_el || !c.h_el) return;
    switch (c.block_B) {
        case 1:
            return copy_units<1, kTile>(c, units, rule, kernels.of[0]);
        case 2:
            return copy_units<2, kTile>(c, units, rule, units.channel_step_B() != 1 ? split : kernels.of[1]);
        case 4:
            return copy_units<4, kTile>(c, units, rule, kernels.of[2]);
        case 8:
            return copy_units<8, kTile>(c, units, rule, kernels.of[3]);
        case 16:
            return copy_units<16, kTile>(c, units, rule, kernels.of[4]);
        default:  // for many samples
            return copy_units<0, kTile>(c, units, rule, {});
    }
}

}  // namespace terrazzo::pipe::detail
