// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/panfrost/lib/pan_texture.c.
#include "drivers/mali/images/plane.h"

#include <algorithm>

#include "drivers/common/images/sampler_view.h"
#include "drivers/mali/hw/formats.h"

namespace terrazzo::mali {

namespace {

using pipe::ResourceKind;

hw::Astc2dDimension astc_side(uint32_t px) {
    switch (px) {
        case 5:
            return hw::Astc2dDimension::N5;
        case 6:
            return hw::Astc2dDimension::N6;
        case 8:
            return hw::Astc2dDimension::N8;
        case 10:
            return hw::Astc2dDimension::N10;
        case 12:
            return hw::Astc2dDimension::N12;
        default:
            return hw::Astc2dDimension::N4;
    }
}

hw::Channel channel(const TexelFormat& f, pipe::Swizzle s) {
    // Channels next to depth or stencil must not be visible.
    if (f.depth || f.stencil) s = images::texel_channel(pipe::format_info(pipe::Format::S8_UINT), s);
    static constexpr hw::Channel kChannels[] = {hw::Channel::R, hw::Channel::G,    hw::Channel::B,
                                                hw::Channel::A, hw::Channel::Zero, hw::Channel::One};
    static_assert(unsigned(pipe::Swizzle::Channel0) == 0 && unsigned(pipe::Swizzle::Zero) == 4 &&
                  unsigned(pipe::Swizzle::One) == 5);
    return kChannels[unsigned(s)];
}

hw::TextureDimension dimension(ResourceKind kind) {
    if (kind == ResourceKind::Cube || kind == ResourceKind::CubeArray) return hw::TextureDimension::Cube;
    return kind == ResourceKind::Tex3D ? hw::TextureDimension::D3 : hw::TextureDimension::D2;
}

}  // namespace

bool texel_format(const MaliResource& r, pipe::Format format, bool stencil, TexelFormat* out) {
    const bool buffer = r.desc.kind == ResourceKind::Buffer;
    const pipe::FormatInfo& want = pipe::format_info(format);
    const pipe::FormatInfo& have = buffer ? want : pipe::format_info(r.desc.format);
    if (have.block_B != want.block_B || have.block_w_px != want.block_w_px ||
        have.block_h_px != want.block_h_px || (have.layout != want.layout && have.is_compressed))
        return false;
    const hw::FormatRow* row = hw::format_row(format);
    if (!row || !row->is_texture || (stencil && !want.has_stencil)) return false;
    *out = {row->pixel_format, row->clump, false, want.has_depth, format};
    if (want.has_stencil && (stencil || !want.has_depth)) {
        out->pixel_format = hw::format_row(pipe::Format::S8_UINT)->pixel_format;
        out->clump = want.has_depth && !r.has_stencil_plane() ? hw::ClumpFormat::X24S8 : hw::ClumpFormat::S8;
        out->stencil = true;
        out->depth = false;
    }
    return true;
}

namespace {

hw::Plane make_afbc_plane(const MaliResource& r, const pipe::AfbcLayout& afbc, const TexelFormat& format,
                          uint32_t level, uint32_t layer) {
    const pipe::AfbcLevel& l = afbc.level[level];
    hw::Plane p;
    p.plane_type = hw::PlaneType::Afbc;
    p.afbc_superblock_size = afbc.mode.wide ? hw::AfbcSuperblockSize::N32x8 : hw::AfbcSuperblockSize::N16x16;
    p.afbc_ytr = afbc.mode.ytr;
    p.afbc_split_block = afbc.mode.split;
    p.afbc_tiled_header = afbc.mode.tiled;
    p.afbc_prefetch = true;
    // Formats with another encoding were refused, or the image is no longer compressed.
    (void)afbc_compression_mode(format.format, format.stencil, &p.afbc_compression_mode);
    p.afbc_header_stride = uint32_t(l.header_B);
    p.size = uint32_t(l.header_B + l.body_slice_B);
    p.pointer = r.va() + afbc.header_offset_B(level, layer);
    p.row_stride = l.header_row_stride_B;
    p.slice_stride = int32_t(afbc.layer_stride_B);
    p.width = r.layout.level[level].width;
    p.height = r.layout.level[level].height;
    return p;
}

}  // namespace

hw::Plane make_plane(const MaliResource& r, const TexelFormat& format, uint32_t level, uint32_t layer) {
    if (const pipe::AfbcLayout* afbc = r.afbc()) return make_afbc_plane(r, *afbc, format, level, layer);
    const bool own_plane = format.stencil && r.has_stencil_plane();
    const pipe::SurfaceLayout& layout = own_plane ? r.stencil : r.layout;
    const pipe::LevelLayout& l = layout.level[level];
    const bool is_3d = layout.kind == ResourceKind::Tex3D;
    hw::Plane p;
    const pipe::FormatInfo& info = pipe::format_info(format.format);
    if (info.layout == pipe::FormatLayout::Astc) {
        p.plane_type = hw::PlaneType::Astc2d;
        p.astc_block_width = astc_side(info.block_w_px);
        p.astc_block_height = astc_side(info.block_h_px);
        p.astc_decode_wide = !info.is_srgb;
    } else {
        p.plane_type = hw::PlaneType::Generic;
        p.clump_format = format.clump;
    }
    p.clump_ordering = layout.tiling == pipe::Tiling::Interleaved ? hw::ClumpOrdering::TiledUInterleaved
                                                                  : hw::ClumpOrdering::Linear;
    p.size = uint32_t(l.slice_stride_B * (is_3d ? l.depth : 1));
    p.pointer = r.va() + (own_plane ? r.stencil_at_B() : 0) + l.offset_B +
                (is_3d ? 0 : layer * layout.layer_stride_B);
    p.row_stride = l.row_stride_B;
    p.slice_stride = int32_t(layout.samples > 1 ? layout.sample_stride_B(level) : layout.z_stride_B(level));
    p.width = l.width;
    p.height = l.height;
    return p;
}

hw::Texture make_texture(const MaliResource& r, const TexelFormat& format, ResourceKind kind,
                         const pipe::Swizzle swizzle[4], uint32_t first_level, uint32_t levels,
                         uint32_t layers) {
    const pipe::LevelLayout& l = r.layout.level[first_level];
    hw::Texture t;
    t.dimension = dimension(kind);
    t.format = format.pixel_format;
    t.width = l.width;
    t.height = l.height;
    if (kind == ResourceKind::Tex3D) t.depth = l.depth;
    t.swizzle = hw::component_swizzle(channel(format, swizzle[0]), channel(format, swizzle[1]),
                                      channel(format, swizzle[2]), channel(format, swizzle[3]));
    t.texel_interleave =
        r.layout.tiling != pipe::Tiling::Linear || pipe::format_info(r.desc.format).is_compressed;
    t.levels = levels;
    t.sample_count = r.desc.samples;
    t.array_size = t.dimension == hw::TextureDimension::Cube ? layers / 6
                   : t.dimension == hw::TextureDimension::D3 ? 1
                                                             : layers;
    t.maximum_lod = float(levels - 1);
    return t;
}

hw::Plane make_buffer_plane(uint64_t va, const TexelFormat& format, uint32_t count) {
    hw::Plane p;
    p.plane_type = hw::PlaneType::Generic;
    p.clump_format = format.clump;
    p.size = count * pipe::format_info(format.format).block_B;
    p.pointer = va;
    p.row_stride = p.size;
    p.slice_stride = int32_t(p.size);
    p.width = count;
    p.height = 1;
    return p;
}

hw::Texture make_buffer_texture(const TexelFormat& format, const pipe::Swizzle swizzle[4], uint32_t count) {
    hw::Texture t;
    t.dimension = hw::TextureDimension::D1;
    t.format = format.pixel_format;
    t.width = count;
    t.height = 1;
    t.swizzle = hw::component_swizzle(channel(format, swizzle[0]), channel(format, swizzle[1]),
                                      channel(format, swizzle[2]), channel(format, swizzle[3]));
    return t;
}

}  // namespace terrazzo::mali
