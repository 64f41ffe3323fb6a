// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies of the CPU to and from compressed images of a layout.
#include "pipe/layout/ubwc.h"

#include <bit>
#include <cstring>

#include "pipe/layout/a6xx.h"
#include "pipe/layout/channel_order.h"
#include "pipe/layout/ubwc_image.h"

namespace terrazzo::pipe {

UbwcBlockShape ubwc_block_shape(uint32_t block_B, uint32_t samples, bool split_channels) {
    if (split_channels) return {16, 8};
    if (samples > 1 && block_B / samples <= 2) {
        if (samples == 2) return {8, 4};
        return samples == 4 ? UbwcBlockShape{4, 4} : UbwcBlockShape{4, 2};
    }
    constexpr UbwcBlockShape kShapes[8] = {{16, 4}, {16, 4}, {16, 4}, {8, 4}, {4, 4}, {4, 2}, {}, {}};
    return kShapes[std::countr_zero(block_B) & 7];
}

namespace {

// A level of one layer or slice.
UbwcImage image_of(const A6xxLayout& a, uint8_t* surface, uint32_t level, uint32_t z) {
    const SurfaceLayout& s = a.surface;
    UbwcImage i;
    i.flags = surface + a.ubwc.flag_offset_B(level, z, 0, 0);
    i.flags_stride_B = a.ubwc.level[level].row_stride_B;
    i.payloads = surface + s.image_offset_B(level, z);
    i.row_stride_B = s.level[level].row_stride_B;
    i.element_B = s.block_B;
    i.block = a.ubwc.block;
    i.macrotile = s.macrotile;
    return i;
}

UbwcRect rect_of(const Box& box) {
    return {uint32_t(box.x), uint32_t(box.y), uint32_t(box.width), uint32_t(box.height)};
}

}  // namespace

void ubwc_set_flags(const A6xxLayout& layout, void* surface, uint32_t level, UbwcFlag flag) {
    if (level >= layout.surface.levels || !layout.ubwc.compressed(level)) return;
    for (uint32_t z = 0; z < layout.surface.z_count(level); ++z)
        std::memset(static_cast<uint8_t*>(surface) + layout.ubwc.flag_offset_B(level, z, 0, 0), int(flag),
                    layout.ubwc.level[level].size_B);
}

bool ubwc_detile_rect(const A6xxLayout& layout, const void* surface, uint32_t level, const Box& box,
                      void* rows, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B) {
    const SurfaceLayout& s = layout.surface;
    if (!layout_box_valid(s, level, box)) return false;
    if (!layout.ubwc.compressed(level))
        return detile_rect(s, surface, level, box, rows, row_stride_B, layer_stride_B);
    uint8_t* const memory = static_cast<uint8_t*>(const_cast<void*>(surface));  // only read
    for (int32_t z = 0; z < box.depth; ++z) {
        uint8_t* row = static_cast<uint8_t*>(rows) + z * layer_stride_B;
        if (!ubwc_read(image_of(layout, memory, level, uint32_t(box.z + z)), rect_of(box), row, row_stride_B))
            return false;
        for (int32_t y = 0; s.rgba_order && y < box.height; ++y, row += row_stride_B)
            pixels_from_rgba_order(s.format, row, row, uint32_t(box.width) * s.samples);
    }
    return true;
}

bool ubwc_tile_rect(const A6xxLayout& layout, void* surface, uint32_t level, const Box& box, const void* rows,
                    ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B) {
    const SurfaceLayout& s = layout.surface;
    if (!layout_box_valid(s, level, box)) return false;
    uint8_t* const memory = static_cast<uint8_t*>(surface);
    if (layout.ubwc.compressed(level)) {
        // All flags are checked before the first write.
        for (int32_t z = box.z; z < box.z + box.depth; ++z)
            if (!ubwc_flags_known(image_of(layout, memory, level, uint32_t(z)), rect_of(box))) return false;
        for (int32_t z = box.z; z < box.z + box.depth; ++z)
            ubwc_make_raw(image_of(layout, memory, level, uint32_t(z)), rect_of(box));
    }
    return tile_rect(s, surface, level, box, rows, row_stride_B, layer_stride_B);
}

}  // namespace terrazzo::pipe
