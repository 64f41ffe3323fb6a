// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Places levels one after the other. Numbers have 64 bits, and are checked against kMaxSurface_B before they
// are multiplied, so nothing overflows.
#include "pipe/layout/a6xx.h"

#include <algorithm>
#include <array>
#include <bit>

#include "pipe/layout/channel_order.h"
#include "pipe/layout/linear.h"
#include "pipe/layout/macrotile.h"
#include "pipe/layout/rounding.h"
#include "pipe/modifier.h"

namespace terrazzo::pipe {

namespace {

constexpr uint32_t kPage_B = 4096;
// Narrower levels are linear, and narrower images are not compressed.
constexpr uint32_t kMinTiledWidth_px = 16;
// Alignment of the flags' rows in bytes, and of their number. Single images are shared with displays and
// codecs, which expect fewer rows.
constexpr uint32_t kFlagRowAlign_B = 64, kFlagRows = 16, kFlagRowsMipmapped = 64;
// GMEM is stored in pieces of 16x4 pixels, also after the last row of the last level.
constexpr uint32_t kLastLevelRows = 4;

uint64_t minify(uint64_t value, uint32_t level) {
    return std::max<uint64_t>(1, value >> level);
}

// Decisions that are common to all levels of an image.
struct Plan {
    bool tiled = false;
    bool tile_all = false;
    bool ubwc = false;
    uint32_t rows_align = 1;                   // in rows of blocks, for tiled levels
    uint64_t pitch_B = 0;                      // of level 0
    uint64_t flag_columns = 0, flag_rows = 0;  // of level 0
    uint32_t flag_rows_align = kFlagRows;
    uint64_t flags_at_B = 0;  // the start of the next level's flags, in a layer
    uint64_t at_B = 0;        // the start of the next level, not counting flags and offset
    uint64_t min_slice_B = 0;
    // Of a padded 3D image: level 0's slice, and the last level that has a quarter of the previous level's
    // slice.
    uint64_t padded_slice_B = 0;
    uint32_t last_quarter = 0;
};

LayoutStatus check(const A6xxLayoutDesc& d, const A6xxMemory& m) {
    if (const LayoutStatus s = detail::check_layout_desc(d.image); s != LayoutStatus::Ok) return s;
    const FormatInfo& f = format_info(d.image.format);
    if (d.image.kind == ResourceKind::Buffer || !std::has_single_bit(f.block_B))
        return LayoutStatus::BadFormat;
    if (d.image.samples > 8 || !std::has_single_bit(d.image.samples)) return LayoutStatus::BadSize;
    if (d.image.tiling == Tiling::Interleaved) return LayoutStatus::BadTiling;
    if (d.ubwc_imported && !d.ubwc) return LayoutStatus::BadTiling;
    if (d.ubwc && d.image.tiling != Tiling::Macrotiled) return LayoutStatus::BadTiling;
    if (d.image.row_align_B != 1 || d.image.level_align_B != 1 || d.image.layer_align_B != 1)
        return LayoutStatus::BadAlignment;
    if (m.highest_bank_bit < 12 || m.highest_bank_bit > 20 || m.bank_swizzle > 7)
        return LayoutStatus::BadChip;
    return LayoutStatus::Ok;
}

// Decides whether the image is tiled and compressed.
LayoutStatus choose_modes(const A6xxLayoutDesc& d, const A6xxMemory& m, A6xxLayout* a, Plan* p) {
    const FormatInfo& f = format_info(d.image.format);
    SurfaceLayout& s = a->surface;
    const bool split = s.block_B == 2 && f.channel_count == 2;
    p->tiled = d.image.tiling == Tiling::Macrotiled;
    p->ubwc = d.ubwc;
    a->ubwc.block = ubwc_block_shape(s.block_B, d.image.samples, split);
    if ((d.image.depth > 1 && d.image.levels > 1) || !a->ubwc.block.w_px || f.is_compressed) p->ubwc = false;
    if (d.ubwc_imported && !p->ubwc) return LayoutStatus::BadFormat;
    if (!d.ubwc_imported && d.image.width < kMinTiledWidth_px) {
        p->ubwc = false;
        if (!f.is_depth_stencil()) p->tiled = false;
    }
    p->tile_all = d.tile_all_levels || f.is_depth_stencil() || (p->ubwc && !m.ubwc_linear_levels);
    s.tiling = p->tiled ? Tiling::Macrotiled : Tiling::Linear;
    s.rgba_order = p->tiled && !format_in_rgba_order(d.image.format);
    if (p->tiled) s.macrotile = {m.highest_bank_bit, m.bank_swizzle, m.eight_channels, split};
    return LayoutStatus::Ok;
}

// Chooses the alignments and the pitch of level 0.
LayoutStatus choose_pitch(const A6xxLayoutDesc& d, A6xxLayout* a, Plan* p) {
    const FormatInfo& f = format_info(d.image.format);
    const uint32_t block_B = a->surface.block_B, log2 = uint32_t(std::countr_zero(block_B));
    const bool imported = d.image.row_stride_B != 0;
    uint32_t align_log2 = log2;
    if (p->tiled) {
        const bool split = a->surface.macrotile.split_channels, bytes = block_B == 1 || split;
        align_log2 = bytes ? 1 : block_B == 2 ? 2 : log2;
        p->rows_align = bytes ? 32 : 16;
        a->base_align_B = p->ubwc || f.is_depth_stencil() || split ? kPage_B : std::min(256u, 64 * block_B);
    } else {
        // The hardware needs 16 pixels. For images that we allocate the alignment is 64 bytes per byte of a
        // pixel.
        if (imported) align_log2 = block_B > 4 ? log2 - 2 : 0;
        a->base_align_B = 64;
    }
    a->row_align_B = 64u << align_log2;
    const uint64_t row_B = divide_up(d.image.width, f.block_w_px) * block_B;
    p->pitch_B = imported ? d.image.row_stride_B : align_up(row_B, a->row_align_B);
    if (p->pitch_B < row_B || p->pitch_B % a->row_align_B) return LayoutStatus::BadStride;
    if (d.offset_B % a->base_align_B) return LayoutStatus::BadAlignment;
    if (p->pitch_B > kMaxSurface_B || d.offset_B > kMaxSurface_B) return LayoutStatus::TooLarge;
    return LayoutStatus::Ok;
}

// Places the flags of level 0. With mipmaps, their sizes are powers of two.
void choose_flags(const A6xxLayoutDesc& d, A6xxLayout* a, Plan* p) {
    a->ubwc.enabled = p->ubwc;
    if (!p->ubwc) {
        a->ubwc.block = {};
        return;
    }
    uint32_t w = d.image.width, h = d.image.height;
    if (d.image.levels > 1) {
        w = std::bit_ceil(w);
        h = std::bit_ceil(h);
        p->flag_rows_align = kFlagRowsMipmapped;
    }
    p->flag_columns = align_up(divide_up(w, a->ubwc.block.w_px), kFlagRowAlign_B);
    p->flag_rows = align_up(divide_up(h, a->ubwc.block.h_px), p->flag_rows_align);
}

// Bytes of a slice of a 3D image, whose texels need `needed_B`. The hardware computes the slice of level n as
// a quarter of level n - 1's, but at least MIN_LAYERSZ.
uint64_t slice_of_3d_B(const A6xxLayout& a, uint32_t l, uint64_t needed_B, Plan* p) {
    if (p->padded_slice_B) return l <= p->last_quarter ? p->padded_slice_B >> 2 * l : p->min_slice_B;
    if (l == 0) return align_up(needed_B, kPage_B);
    if (p->min_slice_B) return p->min_slice_B;
    uint64_t size_B = minify(a.surface.level[0].slice_stride_B, 2 * l);
    // Shrinking ends if the pitch was not halved, the rows do not fit, or the size is not a multiple of a
    // page.
    if (a.surface.level[l].row_stride_B != a.surface.level[l - 1].row_stride_B / 2)
        p->min_slice_B = size_B = needed_B;
    if (size_B < needed_B) p->min_slice_B = size_B = needed_B;
    if (size_B % kPage_B) p->min_slice_B = size_B = align_up(size_B, kPage_B);
    return size_B;
}

// The size of one slice of a level, as far as texels need it.
struct LevelSize {
    bool tiled;
    uint64_t pitch_B, slice_B;
};
LevelSize size_of_level(const A6xxLayoutDesc& d, const A6xxLayout& a, const Plan& p, uint32_t l) {
    const LevelLayout level = detail::describe_level(d.image, l);
    LevelSize out;
    out.tiled = p.tiled && (p.tile_all || level.width >= kMinTiledWidth_px);
    out.pitch_B = align_up(minify(p.pitch_B, l), a.row_align_B);
    uint64_t rows = align_up(level.rows, out.tiled ? p.rows_align : 1);
    if (l == d.image.levels - 1) rows = align_up(rows, kLastLevelRows);
    out.slice_B = out.pitch_B * rows;
    return out;
}

// For a 3D image whose slices would stop shrinking above kMostMinSlice_B, which no descriptor can express:
// pads level 0's slice, so that its quarters have room for all levels up to one from which on the least size
// suffices. (The vendor's driver pads, too: Mesa 25.0.7, fd6_layout_test.c, the image of 129x129x17.)
void pad_slices(const A6xxLayoutDesc& d, const A6xxLayout& a, Plan* p) {
    std::array<uint64_t, kMaxLevels> needed_B{};
    for (uint32_t l = 0; l < d.image.levels; ++l)
        needed_B[l] = align_up(size_of_level(d, a, *p, l).slice_B, kPage_B);
    uint64_t slice_B = needed_B[0], least_B = 0;
    for (uint32_t last = 1;; ++last) {
        slice_B = std::max(slice_B, needed_B[last] << 2 * last);
        const uint64_t padded_B = align_up(slice_B, uint64_t{kPage_B} << 2 * last);
        least_B = last + 1 < d.image.levels
                      ? std::max(needed_B[last + 1], align_up(padded_B >> 2 * (last + 1), kPage_B))
                      : 0;
        if (least_B > A6xxLayout::kMostMinSlice_B) continue;
        p->padded_slice_B = padded_B;
        p->last_quarter = last;
        p->min_slice_B = least_B;
        p->at_B = 0;
        return;
    }
}

LayoutStatus place_flags(uint32_t l, A6xxLayout* a, Plan* p) {
    UbwcLevel& flags = a->ubwc.level[l];
    const uint64_t row_B = align_up(minify(p->flag_columns, l), kFlagRowAlign_B);
    const uint64_t rows = align_up(minify(p->flag_rows, l), p->flag_rows_align);
    flags.row_stride_B = uint32_t(row_B);
    flags.size_B = align_up(row_B * rows, kPage_B);
    flags.offset_B = p->flags_at_B;
    p->flags_at_B += flags.size_B;
    return p->flags_at_B > kMaxSurface_B ? LayoutStatus::TooLarge : LayoutStatus::Ok;
}

LayoutStatus place_level(const A6xxLayoutDesc& d, uint32_t l, A6xxLayout* a, Plan* p) {
    LevelLayout& level = a->surface.level[l];
    level = detail::describe_level(d.image, l);
    const LevelSize size = size_of_level(d, *a, *p, l);
    const bool tiled = size.tiled;
    level.tiling = tiled ? Tiling::Macrotiled : Tiling::Linear;
    level.row_stride_B = uint32_t(size.pitch_B);
    level.offset_B = p->at_B;
    level.slice_stride_B = size.slice_B;
    if (level.slice_stride_B > kMaxSurface_B) return LayoutStatus::TooLarge;
    if (d.image.kind == ResourceKind::Tex3D)
        level.slice_stride_B = slice_of_3d_B(*a, l, level.slice_stride_B, p);
    p->at_B += level.slice_stride_B * level.depth;
    if (p->at_B > kMaxSurface_B) return LayoutStatus::TooLarge;
    if (!p->ubwc || !tiled) return LayoutStatus::Ok;
    p->at_B = align_up(p->at_B, kPage_B);
    return place_flags(l, a, p);
}

// Places flags before payloads, and both after the import's offset.
LayoutStatus finish(const A6xxLayoutDesc& d, A6xxLayout* a, const Plan& p) {
    SurfaceLayout& s = a->surface;
    s.layer_stride_B = d.image.kind == ResourceKind::Tex3D ? p.at_B : align_up(p.at_B, kPage_B);
    a->ubwc.layer_stride_B = p.flags_at_B;
    // All factors except one are at most 2^31, and layers or depth is 1.
    a->ubwc.size_B = p.flags_at_B * d.image.layers * d.image.depth;
    const uint64_t payloads_B = s.layer_stride_B * d.image.layers;
    s.size_B = d.offset_B + a->ubwc.size_B + payloads_B;
    if (a->ubwc.size_B > kMaxSurface_B || payloads_B > kMaxSurface_B || s.size_B > kMaxSurface_B)
        return LayoutStatus::TooLarge;
    for (uint32_t l = 0; l < d.image.levels; ++l) {
        s.level[l].offset_B += d.offset_B + a->ubwc.size_B;
        if (a->ubwc.compressed(l)) a->ubwc.level[l].offset_B += d.offset_B;
    }
    return LayoutStatus::Ok;
}

}  // namespace

LayoutStatus a6xx_layout_compute(const A6xxLayoutDesc& desc, const A6xxMemory& memory, A6xxLayout* out) {
    LayoutStatus status = check(desc, memory);
    if (status != LayoutStatus::Ok) return status;
    A6xxLayout a;
    a.surface = detail::describe_surface(desc.image);
    Plan plan;
    status = choose_modes(desc, memory, &a, &plan);
    if (status == LayoutStatus::Ok) status = choose_pitch(desc, &a, &plan);
    if (status != LayoutStatus::Ok) return status;
    choose_flags(desc, &a, &plan);
    for (uint32_t l = 0; l < desc.image.levels && status == LayoutStatus::Ok; ++l)
        status = place_level(desc, l, &a, &plan);
    if (status == LayoutStatus::Ok && plan.min_slice_B > A6xxLayout::kMostMinSlice_B) {
        pad_slices(desc, a, &plan);
        for (uint32_t l = 0; l < desc.image.levels && status == LayoutStatus::Ok; ++l)
            status = place_level(desc, l, &a, &plan);
    }
    if (status == LayoutStatus::Ok) status = finish(desc, &a, plan);
    if (status == LayoutStatus::Ok) *out = a;
    return status;
}

bool a6xx_apply_modifier(uint64_t modifier, A6xxLayoutDesc* desc) {
    if (modifier != kModifierLinear && modifier != kModQcomTiled3 && modifier != kModQcomCompressed)
        return false;
    desc->image.tiling = modifier == kModifierLinear ? Tiling::Linear : Tiling::Macrotiled;
    desc->ubwc = desc->ubwc_imported = modifier == kModQcomCompressed;
    return true;
}

uint64_t a6xx_modifier(const A6xxLayout& layout) {
    if (layout.ubwc.enabled) return kModQcomCompressed;
    return layout.surface.tiling == Tiling::Macrotiled ? kModQcomTiled3 : kModifierLinear;
}

}  // namespace terrazzo::pipe
