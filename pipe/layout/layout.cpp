// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks a description, places levels and layers with the tiling's rule for one level, and calls the tiling's
// copies.
#include "pipe/layout/layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "pipe/layout/channel_order.h"
#include "pipe/layout/interleaved.h"
#include "pipe/layout/linear.h"
#include "pipe/layout/macrotile.h"
#include "pipe/layout/twiddled.h"

namespace terrazzo::pipe {

namespace {

using detail::RowCopy;

// The functions of a tiling: the size of a level, and copies of one 2D image.
struct TilingRow {
    Tiling tiling;
    /// Null: levels are not placed one by one.
    LayoutStatus (*place_level)(const LayoutDesc& desc, uint32_t level, uint32_t block_B, LevelLayout* out);
    void (*tile)(const RowCopy& copy);
    void (*detile)(const RowCopy& copy);
};
constexpr std::array<TilingRow, 4> kTilings = {{
    {Tiling::Linear, detail::place_linear_level, detail::linear_tile, detail::linear_detile},
    {Tiling::Interleaved, detail::place_interleaved_level, detail::interleaved_tile,
     detail::interleaved_detile},
    {Tiling::Macrotiled, nullptr, detail::macrotile_tile, detail::macrotile_detile},
    {Tiling::Twiddled, nullptr, detail::twiddled_tile, detail::twiddled_detile},
}};
static_assert(kTilings[size_t(Tiling::Linear)].tiling == Tiling::Linear);
static_assert(kTilings[size_t(Tiling::Interleaved)].tiling == Tiling::Interleaved);
static_assert(kTilings[size_t(Tiling::Macrotiled)].tiling == Tiling::Macrotiled);
static_assert(kTilings[size_t(Tiling::Twiddled)].tiling == Tiling::Twiddled);

bool align_up(uint64_t* value, uint32_t align) {
    *value = (*value + align - 1) & ~uint64_t(align - 1);
    return *value <= kMaxSurface_B;
}

LayoutStatus check_size(const LayoutDesc& d) {
    constexpr uint32_t limit = 1u << 31;
    if (!d.width || !d.height || !d.depth || !d.layers || !d.levels || !d.samples)
        return LayoutStatus::BadSize;
    if (d.width >= limit || d.height >= limit || d.depth >= limit || d.layers >= limit)
        return LayoutStatus::BadSize;
    if (d.kind != ResourceKind::Tex3D && d.depth != 1) return LayoutStatus::BadSize;
    bool good = true;
    uint32_t largest = std::max(d.width, d.height);
    switch (d.kind) {
        case ResourceKind::Buffer:
            good = d.height == 1 && d.layers == 1 && d.samples == 1;
            largest = 1;
            break;
        case ResourceKind::Tex2D:
            good = d.layers == 1;
            break;
        case ResourceKind::Tex3D:
            good = d.layers == 1 && d.samples == 1;
            largest = std::max(largest, d.depth);
            break;
        case ResourceKind::Cube:
            good = d.layers == 6 && d.width == d.height && d.samples == 1;
            break;
        case ResourceKind::Tex2DArray:
            break;
        case ResourceKind::CubeArray:
            good = d.layers % 6 == 0 && d.width == d.height && d.samples == 1;
            break;
    }
    if (!good) return LayoutStatus::BadSize;
    if (d.levels > kMaxLevels || d.levels > uint32_t(std::bit_width(largest))) return LayoutStatus::BadLevels;
    if (d.samples > 1 && d.levels > 1) return LayoutStatus::BadLevels;
    return LayoutStatus::Ok;
}

// Calls `image(surface offset, z)` for each z of the box.
template <class F>
void for_each_image(const SurfaceLayout& layout, uint32_t level, const Box& box, F&& image) {
    for (int32_t z = 0; z < box.depth; ++z)
        image(layout.image_offset_B(level, uint32_t(box.z + z)), z);
}

RowCopy make_copy(const SurfaceLayout& layout, uint32_t level, const Box& box) {
    RowCopy c;
    c.surface_stride_B = layout.level[level].row_stride_B;
    c.block_B = layout.block_B;
    c.macrotile = layout.macrotile;
    c.tile = layout.level[level].tile;
    if (layout.level[level].tiling == Tiling::Interleaved)
        c.tile_el = detail::interleaved_tile_el(layout.format);
    c.x_el = uint32_t(box.x) / layout.block_w_px;
    c.y_el = uint32_t(box.y) / layout.block_h_px;
    c.w_el = (uint32_t(box.width) + layout.block_w_px - 1) / layout.block_w_px;
    c.h_el = (uint32_t(box.height) + layout.block_h_px - 1) / layout.block_h_px;
    const uint32_t columns = layout.level[level].tiling == Tiling::Macrotiled
                                 ? detail::macrotile_columns(layout.format, layout.samples)
                                 : 1;
    c.block_B /= columns;
    c.x_el *= columns;
    c.w_el *= columns;
    return c;
}

/// Copies the images of all samples. In the caller's rows the samples of a pixel are adjacent.
void copy_samples(const SurfaceLayout& layout, uint32_t level, const RowCopy& all, bool to_surface,
                  void (*of_tiling)(const RowCopy& c)) {
    constexpr uint32_t kPart_el = 64, kMaxBlock_B = 16;
    uint8_t part[kPart_el * kMaxBlock_B];
    for (uint32_t n = 0; n < layout.samples; ++n)
        for (uint32_t y = 0; y < all.h_el; ++y)
            for (uint32_t x = 0; x < all.w_el; x += kPart_el) {
                RowCopy c = all;
                c.surface += n * layout.sample_stride_B(level);
                c.rows = part;
                c.x_el += x;
                c.y_el += y;
                c.w_el = std::min(kPart_el, all.w_el - x);
                c.h_el = 1;
                uint8_t* texel = all.rows + ptrdiff_t(y) * all.rows_stride_B +
                                 (size_t(x) * layout.samples + n) * c.block_B;
                if (!to_surface) of_tiling(c);
                for (uint32_t i = 0; i < c.w_el; ++i, texel += size_t(layout.samples) * c.block_B)
                    std::memcpy(to_surface ? part + size_t(i) * c.block_B : texel,
                                to_surface ? texel : part + size_t(i) * c.block_B, c.block_B);
                if (to_surface) of_tiling(c);
            }
}

void copy(const SurfaceLayout& layout, uint32_t level, const RowCopy& c, bool to_surface,
          void (*of_tiling)(const RowCopy& c)) {
    if (layout.sample_stride_B(level))
        copy_samples(layout, level, c, to_surface, of_tiling);
    else if (layout.rgba_order && c.w_el && c.h_el)
        detail::copy_reordered(layout.format, c, to_surface, of_tiling);
    else
        of_tiling(c);
}

}  // namespace

LayoutStatus detail::check_layout_desc(const LayoutDesc& d) {
    if (const LayoutStatus s = check_size(d); s != LayoutStatus::Ok) return s;
    if (d.samples > 64) return LayoutStatus::BadSize;
    const FormatInfo& f = format_info(d.format);
    if ((d.kind == ResourceKind::Buffer) != (d.format == Format::None)) return LayoutStatus::BadFormat;
    if (f.is_vertex_only || (f.is_compressed && d.samples > 1)) return LayoutStatus::BadFormat;
    for (uint32_t align : {d.row_align_B, d.level_align_B, d.layer_align_B})
        if (!std::has_single_bit(align)) return LayoutStatus::BadAlignment;
    return LayoutStatus::Ok;
}

SurfaceLayout detail::describe_surface(const LayoutDesc& d) {
    const FormatInfo& f = format_info(d.format);
    SurfaceLayout s;
    s.tiling = d.tiling;
    s.kind = d.kind;
    s.format = d.format;
    s.levels = d.levels;
    s.layers = d.layers;
    s.samples = d.samples;
    const uint32_t adjacent = d.tiling == Tiling::Interleaved ? 1 : d.samples;
    s.block_B = (d.kind == ResourceKind::Buffer ? 1u : f.block_B) * adjacent;
    s.block_w_px = f.block_w_px;
    s.block_h_px = f.block_h_px;
    return s;
}

LevelLayout detail::describe_level(const LayoutDesc& d, uint32_t level) {
    const uint32_t block_h_px = format_info(d.format).block_h_px;
    LevelLayout l;
    l.tiling = d.tiling;
    l.width = std::max(1u, d.width >> level);
    l.height = std::max(1u, d.height >> level);
    l.depth = std::max(1u, d.depth >> level);
    l.rows = (l.height + block_h_px - 1) / block_h_px;
    return l;
}

LayoutDesc layout_desc_of(const ResourceDesc& r) {
    LayoutDesc d;
    d.kind = r.kind;
    d.format = r.format;
    d.width = r.width;
    d.height = r.height;
    d.depth = r.depth;
    d.layers = r.layers;
    d.levels = r.levels;
    d.samples = r.samples;
    return d;
}

const char* layout_status_text(LayoutStatus status) {
    switch (status) {
        case LayoutStatus::Ok:
            return "ok";
        case LayoutStatus::BadSize:
            return "a dimension is zero, too large, or does not go with the kind of resource";
        case LayoutStatus::BadLevels:
            return "more levels than the size has";
        case LayoutStatus::BadFormat:
            return "the format cannot be laid out so";
        case LayoutStatus::BadAlignment:
            return "an alignment is not a power of two";
        case LayoutStatus::BadStride:
            return "the row stride is too small or not aligned";
        case LayoutStatus::BadTiling:
            return "the tiling is laid out by its own function, or not for this kind of image";
        case LayoutStatus::BadChip:
            return "the chip's memory layout is out of range";
        case LayoutStatus::TooLarge:
            return "the surface is too large";
    }
    return "unknown";
}

LayoutStatus layout_compute(const LayoutDesc& desc, SurfaceLayout* out) {
    if (const LayoutStatus s = detail::check_layout_desc(desc); s != LayoutStatus::Ok) return s;
    const TilingRow& tiling = kTilings[size_t(desc.tiling)];
    if (!tiling.place_level) return LayoutStatus::BadTiling;
    SurfaceLayout s = detail::describe_surface(desc);
    uint64_t at = 0;
    for (uint32_t l = 0; l < desc.levels; ++l) {
        LevelLayout& level = s.level[l];
        level = detail::describe_level(desc, l);
        if (const LayoutStatus status = tiling.place_level(desc, l, s.block_B, &level);
            status != LayoutStatus::Ok)
            return status;
        if (!align_up(&at, desc.level_align_B)) return LayoutStatus::TooLarge;
        level.offset_B = at;
        // slice <= 2^31 and depth < 2^31: no overflow.
        at += level.slice_stride_B * level.depth;
        if (at > kMaxSurface_B) return LayoutStatus::TooLarge;
    }
    s.layer_stride_B = at;
    if (desc.layers > 1 && (!align_up(&s.layer_stride_B, desc.layer_align_B) ||
                            !align_up(&s.layer_stride_B, desc.level_align_B)))
        return LayoutStatus::TooLarge;
    s.size_B = s.layer_stride_B * desc.layers;
    if (s.size_B > kMaxSurface_B) return LayoutStatus::TooLarge;
    *out = s;
    return LayoutStatus::Ok;
}

bool layout_box_valid(const SurfaceLayout& layout, uint32_t level, const Box& b) {
    if (level >= layout.levels || b.x < 0 || b.y < 0 || b.z < 0 || b.width < 0 || b.height < 0 || b.depth < 0)
        return false;
    const LevelLayout& l = layout.level[level];
    const uint64_t x1 = uint64_t(b.x) + uint64_t(b.width), y1 = uint64_t(b.y) + uint64_t(b.height);
    if (x1 > l.width || y1 > l.height || uint64_t(b.z) + uint64_t(b.depth) > layout.z_count(level))
        return false;
    const uint32_t bw = layout.block_w_px, bh = layout.block_h_px;
    return uint32_t(b.x) % bw == 0 && uint32_t(b.y) % bh == 0 && (x1 % bw == 0 || x1 == l.width) &&
           (y1 % bh == 0 || y1 == l.height);
}

bool tile_rect(const SurfaceLayout& layout, void* surface, uint32_t level, const Box& box, const void* rows,
               ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B) {
    if (!layout_box_valid(layout, level, box)) return false;
    RowCopy c = make_copy(layout, level, box);
    c.rows_stride_B = row_stride_B;
    for_each_image(layout, level, box, [&](uint64_t offset_B, int32_t z) {
        c.surface = static_cast<uint8_t*>(surface) + offset_B;
        // tile() only reads `rows`.
        c.rows = const_cast<uint8_t*>(static_cast<const uint8_t*>(rows)) + ptrdiff_t(z) * layer_stride_B;
        copy(layout, level, c, true, kTilings[size_t(layout.level[level].tiling)].tile);
    });
    return true;
}

bool detile_rect(const SurfaceLayout& layout, const void* surface, uint32_t level, const Box& box, void* rows,
                 ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B) {
    if (!layout_box_valid(layout, level, box)) return false;
    RowCopy c = make_copy(layout, level, box);
    c.rows_stride_B = row_stride_B;
    for_each_image(layout, level, box, [&](uint64_t offset_B, int32_t z) {
        // detile() only reads `surface`.
        c.surface = const_cast<uint8_t*>(static_cast<const uint8_t*>(surface)) + offset_B;
        c.rows = static_cast<uint8_t*>(rows) + ptrdiff_t(z) * layer_stride_B;
        copy(layout, level, c, false, kTilings[size_t(layout.level[level].tiling)].detile);
    });
    return true;
}

}  // namespace terrazzo::pipe
