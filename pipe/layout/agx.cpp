// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Places levels one after the other. Numbers have 64 bits: an image of the largest size has 2^46 bytes.
#include "pipe/layout/agx.h"

#include <algorithm>
#include <bit>

#include "pipe/layout/linear.h"
#include "pipe/layout/rounding.h"
#include "pipe/modifier.h"

namespace terrazzo::pipe {

namespace {

constexpr uint32_t kPageLog2 = 14;
constexpr uint32_t kMetadataSide_sa = 16, kMetadata_B = 8;
static_assert(1u << kPageLog2 == kAgxPage_B);

uint32_t minify(uint32_t value, uint32_t level) {
    return std::max(1u, value >> level);
}
uint32_t log2_up(uint32_t value) {
    return uint32_t(std::bit_width(value - 1));
}
uint32_t images_of(const LayoutDesc& d) {
    return d.kind == ResourceKind::Tex3D ? d.depth : d.layers;
}

LayoutStatus check_linear(const LayoutDesc& d) {
    if (d.kind == ResourceKind::Buffer) return LayoutStatus::Ok;
    if (d.kind != ResourceKind::Tex2D && d.kind != ResourceKind::Tex2DArray) return LayoutStatus::BadTiling;
    if (d.levels > 1) return LayoutStatus::BadLevels;
    if (d.samples > 1) return LayoutStatus::BadSize;
    const FormatInfo& f = format_info(d.format);
    return f.is_compressed || f.is_depth_stencil() ? LayoutStatus::BadFormat : LayoutStatus::Ok;
}

LayoutStatus check(const AgxLayoutDesc& desc) {
    const LayoutDesc& d = desc.image;
    if (const LayoutStatus s = detail::check_layout_desc(d); s != LayoutStatus::Ok) return s;
    if (d.row_align_B != 1 || d.level_align_B != 1 || d.layer_align_B != 1) return LayoutStatus::BadAlignment;
    const bool buffer = d.kind == ResourceKind::Buffer;
    if (!buffer && (std::max(d.width, d.height) > kAgxMaxSize_px || images_of(d) > kAgxMaxLayers))
        return LayoutStatus::BadSize;
    if (d.samples != 1 && d.samples != 2 && d.samples != 4) return LayoutStatus::BadSize;
    if (!buffer && !std::has_single_bit(uint32_t(format_info(d.format).block_B)))
        return LayoutStatus::BadFormat;
    if (d.tiling == Tiling::Linear) return desc.compressed ? LayoutStatus::BadTiling : check_linear(d);
    if (d.tiling != Tiling::Twiddled || buffer) return LayoutStatus::BadTiling;
    if (d.row_stride_B &&
        (d.levels > 1 || images_of(d) > 1 || d.row_stride_B != format_row_B(d.format, d.width) * d.samples))
        return LayoutStatus::BadStride;
    if (!desc.compressed) return LayoutStatus::Ok;
    if (format_info(d.format).is_compressed) return LayoutStatus::BadFormat;
    return agx_can_compress(d.format, d.width, d.height, d.samples) ? LayoutStatus::Ok
                                                                    : LayoutStatus::BadSize;
}

LayoutStatus place_linear(const LayoutDesc& d, AgxLayout* a) {
    LevelLayout& level = a->surface.level[0];
    const uint64_t row_B = uint64_t(d.width) * a->surface.block_B;
    const uint64_t stride_B = d.row_stride_B ? d.row_stride_B : align_up(row_B, kAgxLine_B);
    if (stride_B < row_B || stride_B % kAgxStrideAlign_B) return LayoutStatus::BadStride;
    if (d.kind != ResourceKind::Buffer && stride_B > kAgxMaxStride_B) return LayoutStatus::BadStride;
    level.row_stride_B = uint32_t(stride_B);
    level.slice_stride_B = a->surface.layer_stride_B = align_up(stride_B * d.height, kAgxLine_B);
    return LayoutStatus::Ok;
}

// A chain of levels, in elements.
struct Chain {
    uint32_t w_el, h_el;      // of level 0
    TileLog2 tile;            // the large tile: a page
    uint32_t columns, rows;   // of level 0, in large tiles
    uint32_t large_levels;    // as many as are at least one large tile wide and high
    uint32_t w_log2, h_log2;  // of the first smaller level, rounded up
    uint32_t levels;          // with memory
};

Chain plan_chain(const LayoutDesc& d, uint32_t block_B) {
    const FormatInfo& f = format_info(d.format);
    Chain c;
    c.w_el = divide_up(d.width, f.block_w_px);
    c.h_el = divide_up(d.height, f.block_h_px);
    const uint32_t tile_log2 = kPageLog2 - uint32_t(std::countr_zero(block_B));
    c.tile = {uint8_t((tile_log2 + 1) / 2), uint8_t(tile_log2 / 2)};
    c.columns = divide_up(c.w_el, 1u << c.tile.w);
    c.rows = divide_up(c.h_el, 1u << c.tile.h);
    // Sizes in whole blocks are halved in pixels, and then rounded up to blocks again.
    const auto is_large = [&](uint32_t l) {
        return divide_up(minify(c.w_el * f.block_w_px, l), f.block_w_px) >> c.tile.w != 0 &&
               divide_up(minify(c.h_el * f.block_h_px, l), f.block_h_px) >> c.tile.h != 0;
    };
    for (c.large_levels = 0; is_large(c.large_levels);)
        ++c.large_levels;
    // Compressed formats round up to a power of two before halving, others after that.
    const auto side_log2 = [&](uint32_t side_el) {
        const uint32_t l = c.large_levels, rounded = log2_up(side_el);
        return f.is_compressed ? rounded - std::min(rounded, l) : log2_up(minify(side_el, l));
    };
    c.w_log2 = side_log2(c.w_el);
    c.h_log2 = side_log2(c.h_el);
    const uint32_t longest = std::max({d.width, d.height, d.kind == ResourceKind::Tex3D ? d.depth : 1});
    c.levels = d.levels > 1 ? uint32_t(std::bit_width(longest)) : 1;
    return c;
}

// The number of elements of a level that have memory; sets the level's tile, and the width that its rows are
// padded to.
uint64_t place_large(const LayoutDesc& d, const Chain& c, uint32_t l, LevelLayout* level, uint32_t* w_el) {
    // A quarter of the previous level's tiles, and a column or a row more if tiles of level 0 are left over.
    const uint32_t left_over = (1u << l) - 1;
    const bool column = c.columns & left_over, row = c.rows & left_over;
    const uint32_t tiles = (c.columns * c.rows >> 2 * l) + (column ? c.rows >> l : 0) +
                           (row ? c.columns >> l : 0) + (column && row ? 1 : 0);
    level->tile = c.tile;
    if (column && format_info(d.format).is_compressed) ++*w_el;
    return uint64_t(tiles) << (c.tile.w + c.tile.h);
}
uint64_t place_small(const LayoutDesc& d, const Chain& c, uint32_t l, LevelLayout* level) {
    const uint32_t smaller = l - c.large_levels;
    const uint32_t w_log2 = c.w_log2 - std::min(c.w_log2, smaller),
                   h_log2 = c.h_log2 - std::min(c.h_log2, smaller);
    const uint8_t side_log2 = format_info(d.format).is_compressed
                                  ? uint8_t(std::min(w_log2, h_log2))
                                  : uint8_t(log2_up(minify(std::min(c.w_el, c.h_el), l)));
    level->tile = {side_log2, side_log2};
    return uint64_t(1) << (w_log2 + h_log2);
}

void place_twiddled(const AgxLayoutDesc& desc, AgxLayout* a, const Chain& chain) {
    const LayoutDesc& d = desc.image;
    SurfaceLayout& s = a->surface;
    uint64_t at_B = 0;
    for (uint32_t l = 0; l < chain.levels; ++l) {
        LevelLayout level = detail::describe_level(d, l);
        uint32_t w_el = divide_up(level.width, s.block_w_px);
        const uint64_t size_el = l < chain.large_levels ? place_large(d, chain, l, &level, &w_el)
                                                        : place_small(d, chain, l, &level);
        const uint32_t tile_B = s.block_B << (level.tile.w + level.tile.h);
        level.row_stride_B = divide_up(w_el, 1u << level.tile.w) * tile_B;
        level.offset_B = at_B;
        level.slice_stride_B = align_up(size_el * s.block_B, kAgxLine_B);
        at_B += level.slice_stride_B;
        if (l < d.levels) s.level[l] = level;
    }
    const bool many = images_of(d) > 1 || format_info(d.format).is_depth_stencil();
    a->page_aligned_layers = desc.page_aligned_layers || (many && chain.levels > 1 && at_B > kAgxPage_B);
    s.layer_stride_B = align_up(at_B, a->page_aligned_layers ? kAgxPage_B : kAgxLine_B);
    if (d.kind == ResourceKind::Tex3D)
        for (uint32_t l = 0; l < d.levels; ++l)
            s.level[l].slice_stride_B = s.layer_stride_B;
}

// Metadata cover sizes that are rounded up to powers of two.
void place_metadata(const LayoutDesc& d, AgxLayout* a, uint32_t levels) {
    const auto side_sa = [](uint32_t sa) { return uint32_t(align_up(sa, kMetadataSide_sa)); };
    uint32_t w_sa = side_sa(agx_width_sa(d.width, d.samples)),
             h_sa = side_sa(agx_height_sa(d.height, d.samples));
    const uint32_t longest_sa = std::max(w_sa, h_sa);
    uint64_t at_B = 0;
    for (uint32_t l = 0; l < levels && longest_sa >> l >= kMetadataSide_sa; ++l) {
        const auto tiles = [](uint32_t sa) {
            return uint64_t(divide_up(std::bit_ceil(sa), kMetadataSide_sa));
        };
        if (l < d.levels) {
            a->metadata_level_B[l] = at_B;
            a->compressed_levels = l + 1;
        }
        at_B += align_up(tiles(w_sa) * tiles(h_sa) * kMetadata_B, kAgxLine_B);
        w_sa = divide_up(w_sa, 2);
        h_sa = divide_up(h_sa, 2);
    }
    a->metadata_layer_stride_B = at_B;
}

}  // namespace

LayoutStatus agx_layout_compute(const AgxLayoutDesc& desc, AgxLayout* out) {
    if (const LayoutStatus s = check(desc); s != LayoutStatus::Ok) return s;
    const LayoutDesc& d = desc.image;
    AgxLayout a;
    a.surface = detail::describe_surface(d);
    if (d.tiling == Tiling::Linear) {
        a.surface.level[0] = detail::describe_level(d, 0);
        if (const LayoutStatus s = place_linear(d, &a); s != LayoutStatus::Ok) return s;
    } else {
        const Chain chain = plan_chain(d, a.surface.block_B);
        place_twiddled(desc, &a, chain);
        if (desc.compressed) place_metadata(d, &a, chain.levels);
    }
    const uint64_t pixels_B = a.surface.layer_stride_B * images_of(d);
    if (desc.compressed) a.metadata_offset_B = pixels_B;
    a.surface.size_B = align_up(pixels_B + a.metadata_layer_stride_B * images_of(d), kAgxLine_B);
    if (a.surface.size_B > kMaxAgxSurface_B) return LayoutStatus::TooLarge;
    *out = a;
    return LayoutStatus::Ok;
}

uint32_t AgxLayout::metadata_columns(uint32_t l) const {
    return divide_up(agx_width_sa(surface.level[l].width, surface.samples), kMetadataSide_sa);
}
uint32_t AgxLayout::metadata_rows(uint32_t l) const {
    return divide_up(agx_height_sa(surface.level[l].height, surface.samples), kMetadataSide_sa);
}

uint64_t AgxLayout::metadata_at_B(uint32_t l, uint32_t z, uint32_t column, uint32_t row) const {
    // Bits of column and row alternate. The upper bits of the longer side follow.
    const uint32_t columns = metadata_columns(l), rows = metadata_rows(l);
    const uint32_t both = log2_up(std::min(columns, rows)), longer = columns > rows ? column : row;
    uint64_t index = uint64_t(longer >> both) << 2 * both;
    for (uint32_t i = 0; i < both; ++i)
        index |= uint64_t(column >> i & 1) << 2 * i | uint64_t(row >> i & 1) << (2 * i + 1);
    return metadata_offset_B + z * metadata_layer_stride_B + metadata_level_B[l] + index * kMetadata_B;
}

bool agx_can_compress(Format format, uint32_t width_px, uint32_t height_px, uint32_t samples) {
    return !format_info(format).is_compressed && agx_width_sa(width_px, samples) >= kMetadataSide_sa &&
           agx_height_sa(height_px, samples) >= kMetadataSide_sa;
}

uint8_t agx_uncompressed_mode(Format format) {
    constexpr uint8_t kModes[5] = {0x1f, 0x3f, 0x7f, 0xff, 0xff};
    return kModes[std::min(std::countr_zero(uint32_t(format_info(format).block_B)), 4)];
}

bool agx_apply_modifier(uint64_t modifier, AgxLayoutDesc* desc) {
    if (modifier != kModifierLinear && modifier != kModAppleTiled && modifier != kModAppleCompressed)
        return false;
    desc->image.tiling = modifier == kModifierLinear ? Tiling::Linear : Tiling::Twiddled;
    desc->compressed = modifier == kModAppleCompressed;
    return true;
}

uint64_t agx_modifier(const AgxLayout& layout) {
    if (layout.compressed_levels) return kModAppleCompressed;
    return layout.surface.tiling == Tiling::Twiddled ? kModAppleTiled : kModifierLinear;
}

}  // namespace terrazzo::pipe
