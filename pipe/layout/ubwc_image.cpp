// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A rectangle whose blocks are all raw is one copy of macrotiles; others are copied block by block.
#include "pipe/layout/ubwc_image.h"

#include <algorithm>
#include <cstring>

#include "pipe/layout/linear.h"
#include "pipe/layout/macrotile.h"

namespace terrazzo::pipe {

namespace {

constexpr uint32_t kMaxElement_B = 32;

bool known(uint8_t flag) {
    return flag <= uint8_t(UbwcFlag::Raw);
}
bool is_raw(uint8_t flag) {
    return flag == uint8_t(UbwcFlag::Raw);
}

uint8_t& flag_of(const UbwcImage& i, uint32_t bx, uint32_t by) {
    return i.flags[uint64_t(by) * i.flags_stride_B * (i.folded ? 2 : 1) + bx];
}
uint8_t* payload_of(const UbwcImage& i, const MacrotileMap& map, uint32_t bx, uint32_t by) {
    return i.payloads + map.element_offset_B(bx * i.block.w_px, by * i.block.h_px);
}
MacrotileMap map_of(const UbwcImage& i) {
    return {i.element_B, i.row_stride_B, i.macrotile};
}

// The value of all elements of a block that is not raw.
void element_of(const UbwcImage& i, uint8_t flag, const uint8_t* payload, uint8_t element[kMaxElement_B]) {
    std::memset(element, 0, kMaxElement_B);
    if (flag != uint8_t(UbwcFlag::Solid)) return;
    if (i.macrotile.split_channels) {
        element[0] = payload[0];
        element[1] = payload[64];
    } else {
        std::memcpy(element, payload, i.element_B);
    }
}

void make_block_raw(const UbwcImage& i, const MacrotileMap& map, uint32_t bx, uint32_t by) {
    uint8_t element[kMaxElement_B];
    uint8_t* const payload = payload_of(i, map, bx, by);
    uint8_t& flag = flag_of(i, bx, by);
    element_of(i, flag, payload, element);
    const uint32_t step_B = map.channel_step_B(), size_B = i.block.w_px * i.block.h_px * i.element_B;
    for (uint32_t b = 0; b < size_B; ++b)
        payload[b] = step_B > 1 ? element[(b & step_B) != 0] : element[b & (i.element_B - 1)];
    flag = uint8_t(UbwcFlag::Raw);
}

detail::RowCopy copy_of(const UbwcImage& i, const UbwcRect& r, uint8_t* rows, ptrdiff_t stride_B) {
    detail::RowCopy c;
    c.surface = i.payloads, c.surface_stride_B = i.row_stride_B;
    c.rows = rows, c.rows_stride_B = stride_B;
    c.block_B = i.element_B, c.macrotile = i.macrotile;
    c.x_el = r.x, c.y_el = r.y, c.w_el = r.w, c.h_el = r.h;
    return c;
}

// Calls visit(bx, by, part, covered) for each block that intersects the rectangle, until it returns false.
// `part`: the intersection; `covered`: it is the whole block. The size of the image is unknown here, so
// elements outside the rectangle must be kept.
template <class F>
bool for_each_block(const UbwcImage& i, const UbwcRect& r, F&& visit) {
    const uint32_t w = i.block.w_px, h = i.block.h_px, x_end = r.x + r.w, y_end = r.y + r.h;
    for (uint32_t y = r.y; y < y_end; y = (y / h + 1) * h)
        for (uint32_t x = r.x; x < x_end; x = (x / w + 1) * w) {
            const uint32_t bx = x / w, by = y / h;
            const UbwcRect part = {x, y, std::min((bx + 1) * w, x_end) - x,
                                   std::min((by + 1) * h, y_end) - y};
            const bool covered = part.w == w && part.h == h;
            if (!visit(bx, by, part, covered)) return false;
        }
    return true;
}

// Fills rows with one element, whose size is a power of two.
void fill_rows(const uint8_t element[kMaxElement_B], size_t element_B, uint8_t* rows, size_t row_B,
               uint32_t count, ptrdiff_t stride_B) {
    // Copies of sizes that the compiler knows, of which a row of a block needs few.
    uint8_t step[kMaxElement_B];
    std::memcpy(step, element, sizeof step);
    if (element_B <= 1) std::memcpy(step + 1, step, 1);
    if (element_B <= 2) std::memcpy(step + 2, step, 2);
    if (element_B <= 4) std::memcpy(step + 4, step, 4);
    if (element_B <= 8) std::memcpy(step + 8, step, 8);
    if (element_B <= 16) std::memcpy(step + 16, step, 16);
    for (uint32_t y = 0; y < count; ++y, rows += stride_B) {
        size_t at = 0;
        for (; at + sizeof step <= row_B; at += sizeof step)
            std::memcpy(rows + at, step, sizeof step);
        if (at < row_B) std::memcpy(rows + at, step, row_B - at);
    }
}

bool all_raw(const UbwcImage& i, const UbwcRect& r) {
    return for_each_block(
        i, r, [&](uint32_t bx, uint32_t by, const UbwcRect&, bool) { return is_raw(flag_of(i, bx, by)); });
}

// Makes blocks raw that the rectangle covers in part, so that they keep the rest of their contents.
bool open_partial(const UbwcImage& i, const UbwcRect& rect) {
    const auto may = [&](uint32_t bx, uint32_t by, const UbwcRect&, bool covered) {
        return covered || known(flag_of(i, bx, by));
    };
    if (!for_each_block(i, rect, may)) return false;
    const MacrotileMap map = map_of(i);
    return for_each_block(i, rect, [&](uint32_t bx, uint32_t by, const UbwcRect&, bool covered) {
        if (!covered && !is_raw(flag_of(i, bx, by))) make_block_raw(i, map, bx, by);
        return true;
    });
}

}  // namespace

bool ubwc_flags_known(const UbwcImage& i, const UbwcRect& rect) {
    return for_each_block(
        i, rect, [&](uint32_t bx, uint32_t by, const UbwcRect&, bool) { return known(flag_of(i, bx, by)); });
}

void ubwc_make_raw(const UbwcImage& i, const UbwcRect& rect) {
    const MacrotileMap map = map_of(i);
    for_each_block(i, rect, [&](uint32_t bx, uint32_t by, const UbwcRect&, bool) {
        if (!is_raw(flag_of(i, bx, by))) make_block_raw(i, map, bx, by);
        return true;
    });
}

bool ubwc_read(const UbwcImage& i, const UbwcRect& rect, uint8_t* rows, ptrdiff_t stride_B) {
    if (all_raw(i, rect)) {
        detail::macrotile_detile(copy_of(i, rect, rows, stride_B));
        return true;
    }
    const MacrotileMap map = map_of(i);
    return for_each_block(i, rect, [&](uint32_t bx, uint32_t by, const UbwcRect& part, bool) {
        const uint8_t flag = flag_of(i, bx, by);
        if (!known(flag)) return false;
        uint8_t* row =
            rows + ptrdiff_t(part.y - rect.y) * stride_B + ptrdiff_t(part.x - rect.x) * i.element_B;
        if (is_raw(flag)) {
            detail::macrotile_detile(copy_of(i, part, row, stride_B));
            return true;
        }
        uint8_t element[kMaxElement_B];
        element_of(i, flag, payload_of(i, map, bx, by), element);
        fill_rows(element, i.element_B, row, size_t(part.w) * i.element_B, part.h, stride_B);
        return true;
    });
}

bool ubwc_write(const UbwcImage& i, const UbwcRect& rect, const uint8_t* rows, ptrdiff_t stride_B) {
    if (!open_partial(i, rect)) return false;
    for_each_block(i, rect, [&](uint32_t bx, uint32_t by, const UbwcRect&, bool) {
        flag_of(i, bx, by) = uint8_t(UbwcFlag::Raw);
        return true;
    });
    detail::macrotile_tile(copy_of(i, rect, const_cast<uint8_t*>(rows), stride_B));  // rows are only read
    return true;
}

bool ubwc_fill(const UbwcImage& i, const UbwcRect& rect, const uint8_t* element) {
    if (!open_partial(i, rect)) return false;
    const MacrotileMap map = map_of(i);
    const bool zero = std::all_of(element, element + i.element_B, [](uint8_t b) { return b == 0; });
    const uint32_t step_B = map.channel_step_B();
    const auto put = [&](uint8_t* at) {
        if (step_B == 1) return void(std::memcpy(at, element, i.element_B));
        at[0] = element[0];
        at[step_B] = element[1];
    };
    return for_each_block(i, rect, [&](uint32_t bx, uint32_t by, const UbwcRect& part, bool covered) {
        if (covered) {
            flag_of(i, bx, by) = uint8_t(zero ? UbwcFlag::Clear : UbwcFlag::Solid);
            if (!zero) put(payload_of(i, map, bx, by));
            return true;
        }
        for (uint32_t y = 0; y < part.h; ++y)
            for (uint32_t x = 0; x < part.w; ++x)
                put(i.payloads + map.element_offset_B(part.x + x, part.y + y));
        return true;
    });
}

}  // namespace terrazzo::pipe
