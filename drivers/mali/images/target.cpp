// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, src/panfrost/lib: pan_desc.c (render targets, depth, tile sizes; a target's swizzle
// names the component that each channel of memory holds), pan_clear.c (bits of the tile buffer's formats),
// pan_blend.c (conversions).
#include "drivers/mali/images/target.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

using hw::ColorBufferInternalFormat;

constexpr uint32_t kMinTile_px = 4 * 4, kMaxTile_px = 32 * 32;

// Integer and fraction bits of the channels of blendable formats; together they fill 32 bits.
struct TileBits {
    uint8_t integer[4], fraction[4];
};
TileBits tile_bits(ColorBufferInternalFormat f) {
    switch (f) {
        case ColorBufferInternalFormat::R10G10B10A2:
            return {{10, 10, 10, 2}, {}};
        case ColorBufferInternalFormat::R8G8B8A2:
            return {{8, 8, 8, 2}, {2, 2, 2, 0}};
        case ColorBufferInternalFormat::R4G4B4A4:
            return {{4, 4, 4, 4}, {4, 4, 4, 4}};
        case ColorBufferInternalFormat::R5G6B5A0:
            return {{5, 6, 5, 0}, {5, 4, 5, 2}};
        case ColorBufferInternalFormat::R5G5B5A1:
            return {{5, 5, 5, 1}, {5, 5, 5, 1}};
        default:
            return {{8, 8, 8, 8}, {}};
    }
}

uint32_t to_fixed(float v, unsigned integer, unsigned fraction, bool dithered) {
    const uint32_t high = (1u << integer) - 1;
    if (dithered) return uint32_t(std::nearbyint(v * float(high << fraction)));
    return uint32_t(std::nearbyint(v * float(high))) << fraction;
}

uint32_t blendable_clear(const hw::FormatRow& row, const pipe::FormatInfo& info, const float rgba[4],
                         bool dithered) {
    const TileBits bits = tile_bits(row.internal);
    uint32_t word = 0;
    for (unsigned c = 0, shift = 0; c < 4; shift += bits.integer[c] + bits.fraction[c], ++c) {
        // NaN becomes 0.
        float v = rgba[c] > 0 ? std::min(rgba[c], 1.0f) : 0.0f;
        if (c == 3 && !info.has_alpha) v = 1;
        uint32_t fixed;
        if (info.is_srgb && c < 3)
            fixed = uint32_t(pipe::linear_to_srgb8(v));
        else
            fixed = to_fixed(v, bits.integer[c], bits.fraction[c], dithered);
        if (bits.integer[c] + bits.fraction[c]) word |= fixed << shift;
    }
    return word;
}

uint32_t inverted_swizzle(const pipe::FormatInfo& info) {
    hw::Channel of[4] = {hw::Channel::Zero, hw::Channel::Zero, hw::Channel::Zero, hw::Channel::Zero};
    for (unsigned c = 4; c-- > 0;)
        if (info.swizzle[c] <= pipe::Swizzle::Channel3) of[unsigned(info.swizzle[c])] = hw::Channel(c);
    return hw::component_swizzle(of[0], of[1], of[2], of[3]);
}

hw::BlockFormat block_format(const MaliResource& r) {
    if (const pipe::AfbcLayout* afbc = r.afbc())
        return afbc->mode.tiled ? hw::BlockFormat::AFBC_TILED : hw::BlockFormat::AFBC;
    return r.layout.tiling == pipe::Tiling::Interleaved ? hw::BlockFormat::TILED_U_INTERLEAVED
                                                        : hw::BlockFormat::LINEAR;
}

const MaliResource& image_of(const pipe::Attachment& a) {
    return static_cast<const MaliResource&>(*a.resource);
}

/// How the samples of a pass are stored in an image.
hw::Msaa write_back_mode(const MaliResource& r, uint32_t samples) {
    return r.desc.samples > 1 ? hw::Msaa::Layered : samples > 1 ? hw::Msaa::Average : hw::Msaa::Single;
}

}  // namespace

uint32_t tile_buffer_B(pipe::Format f, uint32_t samples) {
    const hw::FormatRow* row = hw::format_row(f);
    const uint32_t pixel_B =
        !row || row->is_blendable() ? 4u : std::bit_ceil(uint32_t(pipe::format_info(f).block_B));
    return pixel_B * std::max(1u, samples);
}

uint32_t pass_samples(const pipe::RenderPassDesc& pass) {
    uint32_t most = 0;
    const auto add = [&](const pipe::Attachment& a) {
        if (a.resource) most = std::max({most, a.samples, image_of(a).desc.samples});
    };
    for (uint32_t i = 0; i < pass.color_count; ++i)
        add(pass.color[i]);
    add(pass.depth_stencil);
    return samples_of(most ? most : pass.samples);
}

hw::SamplePattern sample_pattern(uint32_t samples) {
    return samples == 1   ? hw::SamplePattern::SingleSampled
           : samples == 4 ? hw::SamplePattern::Rotated4xGrid
                          : hw::SamplePattern::D3d8xGrid;
}

uint32_t choose_tile_px(const hw::Chip& chip, const pipe::RenderPassDesc& pass) {
    uint32_t pixel_B = 0;
    const uint32_t samples = pass_samples(pass);
    for (uint32_t i = 0; i < pass.color_count; ++i)
        if (pass.color[i].resource) pixel_B += tile_buffer_B(pass.color[i].format, samples);
    const uint32_t tile_px = std::bit_floor(chip.tile_buffer_B / 2 / std::max(1u, pixel_B));
    return std::clamp(tile_px, kMinTile_px, kMaxTile_px);
}

hw::RenderTarget render_target(const pipe::Attachment& a, uint32_t samples) {
    const MaliResource& r = image_of(a);
    const pipe::FormatInfo& info = pipe::format_info(a.format);
    const hw::FormatRow* row = hw::format_row(a.format);
    if (!row || !row->is_render_target) return null_render_target();
    hw::RenderTarget t;
    t.internal_format = row->internal;
    t.writeback_format = row->writeback;
    t.swizzle = row->is_blendable() ? inverted_swizzle(info) : hw::kIdentitySwizzle;
    t.srgb = info.is_srgb;
    t.write_enable = a.store == pipe::StoreOp::Store;
    t.clean_pixel_write_enable = a.load == pipe::LoadOp::Clear;
    t.dithering_enable = true;
    t.writeback_block_format = block_format(r);
    t.writeback_msaa = write_back_mode(r, samples);
    if (const pipe::AfbcLayout* afbc = r.afbc()) {
        const uint64_t header_B = afbc->header_offset_B(a.level, a.first_layer);
        t.afbc_yuv_transform = afbc->mode.ytr;
        t.afbc_split_block = afbc->mode.split;
        t.afbc_wide_block = afbc->mode.wide;
        t.afbc_header = r.va() + header_B;
        t.afbc_row_stride = afbc->level[a.level].header_row_stride_B;
        t.afbc_body_offset = uint32_t(afbc->body_offset_B(a.level, a.first_layer) - header_B);
        (void)afbc_compression_mode(a.format, false, &t.afbc_compression_mode);
        return t;
    }
    t.rgb_base = r.image_va(a.level, a.first_layer);
    t.rgb_row_stride = r.layout.level[a.level].row_stride_B;
    t.rgb_surface_stride = uint32_t(r.layout.sample_stride_B(a.level));
    return t;
}

hw::RenderTarget null_render_target() {
    hw::RenderTarget t;
    t.internal_format = ColorBufferInternalFormat::R8G8B8A8;
    t.writeback_block_format = hw::BlockFormat::TILED_U_INTERLEAVED;
    t.dithering_enable = true;
    return t;
}

void pack_clear_color(pipe::Format f, const pipe::ClearColor& color, uint32_t out[4], bool dithered) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    const hw::FormatRow* row = hw::format_row(f);
    if (!row || row->is_blendable()) {
        std::fill_n(out, 4, row ? blendable_clear(*row, info, color.f, dithered) : 0);
        return;
    }
    uint8_t pixel[16] = {};
    const pipe::FormatOps& ops = pipe::format_ops(f);
    if (info.is_pure_uint)
        ops.pack_u32(pixel, color.u, 1);
    else if (info.is_pure_sint)
        ops.pack_s32(pixel, color.i, 1);
    else if (ops.pack_f32)
        ops.pack_f32(pixel, color.f, 1);
    // The tile buffer holds several smaller pixels side by side in 128 bits: each of them gets the value.
    const unsigned size_B = std::bit_ceil(unsigned(info.block_B));
    for (unsigned at = size_B; at < sizeof(pixel); at += size_B)
        std::memcpy(pixel + at, pixel, size_B);
    std::memcpy(out, pixel, sizeof(pixel));
}

void depth_stencil_target(const pipe::Attachment& a, hw::ZsCrcExtension* ext, hw::FramebufferParameters* fb) {
    const MaliResource& r = image_of(a);
    const pipe::AfbcLayout* const afbc = r.afbc();
    const uint64_t base =
        afbc ? r.va() + afbc->header_offset_B(a.level, a.first_layer) : r.image_va(a.level, a.first_layer);
    const uint32_t stride_B =
        afbc ? afbc->level[a.level].header_row_stride_B : r.layout.level[a.level].row_stride_B;
    const uint32_t body_B = afbc ? uint32_t(r.va() + afbc->body_offset_B(a.level, a.first_layer) - base) : 0;
    const hw::ZsWriteFormat depth = hw::zs_write_format(a.format);
    const hw::StencilWriteFormat stencil = hw::stencil_write_format(a.format);
    fb->z_internal_format = depth == hw::ZsWriteFormat::D16   ? hw::ZInternalFormat::D16
                            : depth == hw::ZsWriteFormat::D32 ? hw::ZInternalFormat::D32
                                                              : hw::ZInternalFormat::D24;
    ext->zs_write_format = depth;
    if (depth != hw::ZsWriteFormat::NONE) {
        ext->zs_block_format = block_format(r);
        ext->zs_writeback_base = base;
        ext->zs_writeback_row_stride = stride_B;
        ext->zs_msaa = write_back_mode(r, fb->sample_count);
        ext->zs_writeback_surface_stride = uint32_t(r.layout.sample_stride_B(a.level));
        ext->zs_afbc_body_offset = body_B;
    }
    ext->s_write_format = stencil;
    if (stencil != hw::StencilWriteFormat::NONE) {
        ext->s_block_format = block_format(r);
        ext->s_writeback_base = r.has_stencil_plane() ? r.stencil_va(a.level, a.first_layer) : base;
        const pipe::SurfaceLayout& layout = r.has_stencil_plane() ? r.stencil : r.layout;
        ext->s_writeback_row_stride =
            r.has_stencil_plane() ? r.stencil.level[a.level].row_stride_B : stride_B;
        ext->s_msaa = write_back_mode(r, fb->sample_count);
        ext->s_writeback_surface_stride = uint32_t(layout.sample_stride_B(a.level));
        ext->s_afbc_body_offset = body_B;
    }
    ext->zs_clean_pixel_write_enable = a.load == pipe::LoadOp::Clear;
}

hw::InternalConversion blend_conversion(pipe::Format f, bool half, bool dither) {
    using enum hw::RegisterFileFormat;
    const pipe::FormatInfo& info = pipe::format_info(f);
    hw::InternalConversion c;
    c.register_format = info.is_pure_uint   ? (half ? U16 : U32)
                        : info.is_pure_sint ? (half ? I16 : I32)
                                            : (half ? F16 : F32);
    const hw::FormatRow* row = hw::format_row(f);
    if (!row || !row->is_render_target)
        c.memory_format = hw::blend_memory_format(ColorBufferInternalFormat::R8G8B8A8, false, dither);
    else if (row->is_blendable())
        c.memory_format = hw::blend_memory_format(row->internal, info.is_srgb, dither);
    else
        c.memory_format = row->pixel_format;
    return c;
}

bool is_blendable(pipe::Format f) {
    const hw::FormatRow* row = hw::format_row(f);
    return row && row->is_blendable();
}

void write_load_texture(Pool& pool, const pipe::Attachment& a, bool stencil, uint32_t out[kTexture_dw]) {
    const MaliResource& r = image_of(a);
    TexelFormat format;
    // The hardware can read every attachment that it can write; other formats were refused earlier.
    if (!texel_format(r, a.format, stencil, &format) && !texel_format(r, r.desc.format, stencil, &format)) {
        std::fill_n(out, kTexture_dw, 0u);
        return;
    }
    const bool is_3d = r.layout.kind == pipe::ResourceKind::Tex3D;
    hw::Plane plane = make_plane(r, format, a.level, is_3d ? 0 : a.first_layer);
    if (is_3d) {
        plane.pointer = r.image_va(a.level, a.first_layer);
        plane.size = uint32_t(r.layout.level[a.level].slice_stride_B);
    }
    const Pool::Piece piece = pool.allocate(hw::Plane::kSize_B, 64);
    put(plane, piece.cpu);
    hw::Texture t = make_texture(r, format, pipe::ResourceKind::Tex2D, kOwnChannels, a.level, 1, 1);
    t.surfaces = piece.va;
    hw::pack(t, out);
}

}  // namespace terrazzo::mali
