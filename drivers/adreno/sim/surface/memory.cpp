// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where a rectangle's bytes are in GPU memory. A part within one mapping is copied at once; else by rows or
// elements.
#include <algorithm>
#include <cstring>

#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/units/refuse.h"
#include "pipe/layout/linear.h"

namespace terrazzo::adreno::sim {

namespace {

window::Access access_of(bool to_memory) {
    return to_memory ? window::Access::Write : window::Access::Read;
}

bool refused(const window::Window& memory, std::string* why) {
    return units::refuse(why, memory.fault());
}

}  // namespace

bool Surface::copy_linear(window::Window& memory, const PixelRect& r, uint8_t* rows, size_t row_B,
                          bool to_memory, std::string* why) const {
    const uint64_t size_B = uint64_t(r.x1 - r.x0) * pixel_B_, h = uint64_t(r.y1 - r.y0);
    const uint64_t va = desc_.va + uint64_t(r.y0) * desc_.pitch_B + uint64_t(r.x0) * pixel_B_;
    uint8_t* const host = memory.at(va, (h - 1) * desc_.pitch_B + size_B, access_of(to_memory));
    for (uint64_t y = 0; y < h; ++y, rows += row_B) {
        const uint64_t at = y * desc_.pitch_B;
        if (host) {
            std::memcpy(to_memory ? host + at : rows, to_memory ? rows : host + at, size_B);
        } else if (!(to_memory ? memory.write(va + at, rows, size_B) : memory.read(va + at, rows, size_B))) {
            return refused(memory, why);
        }
    }
    return true;
}

// The rows of macrotiles that contain a rectangle; in the bank swizzle they count from the image's first one,
// to which the result points. Null: they are not in one mapping that allows the access.
uint8_t* Surface::macrotile_rows(window::Window& memory, const PixelRect& r, window::Access access) const {
    const uint32_t macrotile_h = map_->tile().h_el * 4;
    const uint64_t first = uint32_t(r.y0) / macrotile_h, last = uint32_t(r.y1 - 1) / macrotile_h;
    const uint64_t row_B = map_->rule().macrotile_row_B;
    uint8_t* const host = memory.at(desc_.va + first * row_B, (last - first + 1) * row_B, access);
    return host ? host - first * row_B : nullptr;
}

bool Surface::copy_tiled(window::Window& memory, const PixelRect& r, uint8_t* rows, size_t row_B,
                         bool to_memory, std::string* why) const {
    pipe::detail::RowCopy c;
    c.surface = macrotile_rows(memory, r, access_of(to_memory));
    if (!c.surface) return copy_elements(memory, r, rows, row_B, to_memory, why);
    c.surface_stride_B = desc_.pitch_B;
    c.rows = rows, c.rows_stride_B = ptrdiff_t(row_B);
    c.block_B = element_B_, c.macrotile = macrotile_;
    const pipe::UbwcRect e = elements(r);
    c.x_el = e.x, c.y_el = e.y, c.w_el = e.w, c.h_el = e.h;
    if (to_memory)
        pipe::detail::macrotile_tile(c);
    else
        pipe::detail::macrotile_detile(c);
    return true;
}

// The image lies in several mappings, or not completely in memory.
bool Surface::copy_elements(window::Window& memory, const PixelRect& r, uint8_t* rows, size_t row_B,
                            bool to_memory, std::string* why) const {
    const pipe::UbwcRect e = elements(r);
    const uint32_t step_B = map_->channel_step_B(), parts = step_B > 1 ? 2 : 1, part_B = element_B_ / parts;
    for (uint32_t y = 0; y < e.h; ++y, rows += row_B)
        for (uint32_t x = 0; x < e.w; ++x)
            for (uint32_t p = 0; p < parts; ++p) {
                const uint64_t va = desc_.va + map_->element_offset_B(e.x + x, e.y + y) + p * step_B;
                uint8_t* const at = rows + size_t(x) * element_B_ + p;
                if (!(to_memory ? memory.write(va, at, part_B) : memory.read(va, at, part_B)))
                    return refused(memory, why);
            }
    return true;
}

bool Surface::compressed(window::Window& memory, const PixelRect& r, window::Access access,
                         pipe::UbwcImage* out, std::string* why) const {
    out->payloads = macrotile_rows(memory, r, access);
    if (!out->payloads) return refused(memory, why);
    const uint64_t by0 = uint32_t(r.y0) / block_.h_px, by1 = uint32_t(r.y1 - 1) / block_.h_px;
    const uint64_t columns = (uint64_t(r.x1) * elements_px_ + block_.w_px - 1) / block_.w_px;
    const uint64_t stride_B = uint64_t(desc_.flags_pitch_B) * (folded_ ? 2 : 1);
    uint8_t* const flags =
        memory.at(desc_.flags_va + by0 * stride_B, (by1 - by0) * stride_B + columns, access);
    if (!flags) return refused(memory, why);
    out->flags = flags - by0 * stride_B;
    out->folded = folded_;
    out->flags_stride_B = desc_.flags_pitch_B;
    out->row_stride_B = desc_.pitch_B;
    out->element_B = element_B_;
    out->block = block_;
    out->macrotile = macrotile_;
    return true;
}

}  // namespace terrazzo::adreno::sim
