// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU's copies through flags: block by block where a box meets blocks that are not raw.
#include "pipe/layout/ubwc.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipe/layout/a6xx.h"
#include "pipe/layout/channel_order.h"
#include "pipe/layout/macrotile.h"

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

constexpr uint32_t kMaxElement_B = 32;

// The blocks of one 2D image.
struct Blocks {
    const A6xxLayout& layout;
    uint32_t level;
    uint32_t z;
    uint8_t* surface;
    MacrotileMap map;

    Blocks(const A6xxLayout& a, uint32_t l, uint32_t at_z, uint8_t* memory)
        : layout(a), level(l), z(at_z), surface(memory), map(a.surface, l) {}

    uint8_t& flag(uint32_t bx, uint32_t by) const {
        return surface[layout.ubwc.flag_offset_B(level, z, bx, by)];
    }
    uint8_t* payload(uint32_t bx, uint32_t by) const {
        return surface + layout.surface.image_offset_B(level, z) +
               map.element_offset_B(bx * layout.ubwc.block.w_px, by * layout.ubwc.block.h_px);
    }
    uint32_t payload_B() const {
        return layout.ubwc.block.w_px * layout.ubwc.block.h_px * layout.surface.block_B;
    }
};

bool known(uint8_t flag) {
    return flag <= uint8_t(UbwcFlag::Raw);
}

// What every element of a block is that is not raw.
void element_of(const Blocks& b, uint32_t bx, uint32_t by, uint8_t element[kMaxElement_B]) {
    std::memset(element, 0, kMaxElement_B);
    if (b.flag(bx, by) != uint8_t(UbwcFlag::Solid)) return;
    const uint8_t* const first = b.payload(bx, by);
    if (b.layout.surface.macrotile.split_channels) {
        element[0] = first[0];
        element[1] = first[b.map.channel_step_B()];
    } else {
        std::memcpy(element, first, b.layout.surface.block_B);
    }
}

// Writes the payload that the flag stands for.
void make_raw(const Blocks& b, uint32_t bx, uint32_t by) {
    uint8_t element[kMaxElement_B];
    element_of(b, bx, by, element);
    uint8_t* const payload = b.payload(bx, by);
    const uint32_t step_B = b.map.channel_step_B(), block_B = b.layout.surface.block_B;
    for (uint32_t i = 0; i < b.payload_B(); ++i)
        payload[i] = step_B > 1 ? element[(i & step_B) != 0] : element[i & (block_B - 1)];
    b.flag(bx, by) = uint8_t(UbwcFlag::Raw);
}

// Calls block(z, bx, by, part) for the blocks that meet the box, `part` being what of them is in it; until it
// returns false.
template <class F>
bool for_each_block(const A6xxLayout& a, const Box& box, F&& block) {
    const int32_t w = int32_t(a.ubwc.block.w_px), h = int32_t(a.ubwc.block.h_px);
    for (int32_t z = 0; z < box.depth; ++z)
        for (int32_t y = box.y; y < box.y + box.height; y = (y / h + 1) * h)
            for (int32_t x = box.x; x < box.x + box.width; x = (x / w + 1) * w) {
                Box part = {x, y, box.z + z, 0, 0, 1};
                part.width = std::min((x / w + 1) * w, box.x + box.width) - x;
                part.height = std::min((y / h + 1) * h, box.y + box.height) - y;
                if (!block(uint32_t(x / w), uint32_t(y / h), part)) return false;
            }
    return true;
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
    return for_each_block(layout, box, [&](uint32_t bx, uint32_t by, const Box& part) {
        const Blocks b(layout, level, uint32_t(part.z), memory);
        const uint8_t flag = b.flag(bx, by);
        if (!known(flag)) return false;
        uint8_t* row = static_cast<uint8_t*>(rows) + (part.z - box.z) * layer_stride_B +
                       (part.y - box.y) * row_stride_B + ptrdiff_t(part.x - box.x) * ptrdiff_t(s.block_B);
        if (flag == uint8_t(UbwcFlag::Raw)) return detile_rect(s, surface, level, part, row, row_stride_B, 0);
        uint8_t element[kMaxElement_B];
        element_of(b, bx, by, element);
        if (s.rgba_order) pixels_from_rgba_order(s.format, element, element, s.samples);
        for (int32_t y = 0; y < part.height; ++y, row += row_stride_B)
            for (int32_t x = 0; x < part.width; ++x)
                std::memcpy(row + size_t(x) * s.block_B, element, s.block_B);
        return true;
    });
}

bool ubwc_tile_rect(const A6xxLayout& layout, void* surface, uint32_t level, const Box& box, const void* rows,
                    ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B) {
    const SurfaceLayout& s = layout.surface;
    if (!layout_box_valid(s, level, box)) return false;
    uint8_t* const memory = static_cast<uint8_t*>(surface);
    const auto flag_is_known = [&](uint32_t bx, uint32_t by, const Box& part) {
        return known(Blocks(layout, level, uint32_t(part.z), memory).flag(bx, by));
    };
    const auto open_block = [&](uint32_t bx, uint32_t by, const Box& part) {
        const Blocks b(layout, level, uint32_t(part.z), memory);
        if (b.flag(bx, by) != uint8_t(UbwcFlag::Raw)) make_raw(b, bx, by);
        return true;
    };
    if (layout.ubwc.compressed(level)) {
        // Nothing is done unless all can be.
        if (!for_each_block(layout, box, flag_is_known)) return false;
        for_each_block(layout, box, open_block);
    }
    return tile_rect(s, surface, level, box, rows, row_stride_B, layer_stride_B);
}

}  // namespace terrazzo::pipe
