// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/freedreno/fdl/fd6_view.c. In 24-bit depth with stencil, stencil is the last byte
// of a pixel of 8_8_8_8_UINT, whose channels are read in reverse.
#include "drivers/adreno/images/texture.h"
#include "drivers/common/images/format_uses.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/images/storage.h"
#include "drivers/adreno/stream/enums.h"

namespace terrazzo::adreno {
namespace {

using pipe::ResourceKind;

hw::TexType tex_type(ResourceKind k) {
    if (k == ResourceKind::Buffer) return hw::TexType::A6XX_TEX_BUFFER;
    if (k == ResourceKind::Tex3D) return hw::TexType::A6XX_TEX_3D;
    return images::is_cube(k) ? hw::TexType::A6XX_TEX_CUBE : hw::TexType::A6XX_TEX_2D;
}

/// The hardware's channel for a channel of the format. Usually it is the same; luminance, and alpha formats
/// except A8_UNORM, are read as red and green.
hw::TexSwiz channel(const pipe::FormatInfo& f, pipe::Swizzle s) {
    using S = hw::TexSwiz;
    const pipe::Swizzle from = images::texel_channel(f, s);
    if (from == pipe::Swizzle::Zero) return S::A6XX_TEX_ZERO;
    if (from == pipe::Swizzle::One) return S::A6XX_TEX_ONE;
    const bool luminance = f.channel[0].letter == 'L',
               alpha = f.channel_count == 1 && f.channel[0].letter == 'A';
    const bool moved = luminance || (alpha && f.format != pipe::Format::A8_UNORM);
    return S(unsigned(moved ? f.swizzle[unsigned(from)] : from));
}

constexpr pipe::Swizzle kIdentity[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1,
                                        pipe::Swizzle::Channel2, pipe::Swizzle::Channel3};

void set_channels(const pipe::FormatInfo& f, const pipe::Swizzle swizzle[4], hw::TexConst* t) {
    set_swizzle(t, channel(f, swizzle[0]), channel(f, swizzle[1]), channel(f, swizzle[2]),
                channel(f, swizzle[3]));
}

/// Sets the format that reads stencil: the last byte of depth with stencil, or the stencil plane.
void set_stencil(const AdrenoResource& r, hw::TexConst* t) {
    t->fmt = r.has_stencil_plane() ? hw::Format::FMT6_8_UINT : hw::Format::FMT6_8_8_8_8_UINT;
    t->swap = r.has_stencil_plane() ? hw::ColorSwap::WZYX : hw::ColorSwap::XYZW;
}

/// Describes the buffer at address 0; write() adds the address.
hw::TexConst describe_buffer(const AdrenoResource& r, const pipe::SamplerViewDesc& d) {
    const pipe::FormatInfo& info = pipe::format_info(d.format);
    hw::TexConst t = describe_buffer_texels(
        d.format, d.buffer_offset_B,
        images::buffer_texels(r, d.format, d.buffer_offset_B, d.buffer_size_B, kMaxBufferTexels));
    t.base = 0;
    set_channels(info, d.swizzle, &t);
    return t;
}

Plane plane_of(const AdrenoResource& r, const pipe::SamplerViewDesc& d) {
    return d.stencil && r.has_stencil_plane() ? Plane::Stencil : Plane::Main;
}

/// Enables flags, and sets the number of blocks that they cover.
void set_flag_blocks(const pipe::UbwcBlockShape& block, hw::TexConst* t) {
    const auto log2_of_blocks = [](uint32_t px, uint32_t block_px) {
        return uint32_t(std::bit_width((px + block_px - 1) / block_px - 1));
    };
    t->flag = true;
    t->flag_buffer_logw = log2_of_blocks(t->width, block.w_px);
    t->flag_buffer_logh = log2_of_blocks(t->height, block.h_px);
}

hw::TexConst describe(const AdrenoResource& r, const pipe::SamplerViewDesc& d) {
    if (d.kind == ResourceKind::Buffer) return describe_buffer(r, d);
    const pipe::FormatInfo& info = pipe::format_info(d.format);
    const hw::FormatRow& row = *hw::format_row(d.format);
    const pipe::A6xxLayout& image = r.a6xx_layout(plane_of(r, d));
    const pipe::LevelLayout& level = image.surface.level[d.first_level];
    const hw::TileMode image_mode = tile_mode_of(r.layout.tiling);
    hw::TexConst t;
    t.tile_mode = tile_mode_of(level.tiling);
    // Levels of less than 16 pixels are linear, except those of depth.
    t.tile_all = image.surface.level[r.desc.levels - 1].tiling != pipe::Tiling::Linear;
    t.srgb = info.is_srgb;
    set_channels(info, d.swizzle, &t);
    t.miplvls = uint32_t(d.last_level) - d.first_level;
    t.samples = msaa_samples(r.desc.samples);
    t.fmt = row.texture_format(image_mode);
    t.swap = row.texture_swap(image_mode);
    if (d.stencil && info.has_depth) set_stencil(r, &t);
    t.width = level.width;
    t.height = level.height;
    t.pitchalign = uint32_t(std::countr_zero(image.row_align_B)) - 6;
    t.pitch = level.row_stride_B;
    t.type = tex_type(d.kind);
    t.array_pitch =
        uint32_t(d.kind == ResourceKind::Tex3D ? level.slice_stride_B : image.surface.layer_stride_B);
    if (d.kind == ResourceKind::Tex3D) t.min_layersz = r.min_slice_B();
    t.depth = d.kind == ResourceKind::Tex3D ? level.depth
              : images::is_cube(d.kind)     ? images::view_layers(d) / 6
                                            : images::view_layers(d);
    return t;
}

}  // namespace

const char* AdrenoSamplerView::refuse(const AdrenoResource& r, const pipe::SamplerViewDesc& d) {
    const hw::FormatRow* const row = hw::format_row(d.format);
    const bool readable = row && row->is_texture();
    if (d.kind == ResourceKind::Buffer) return readable ? nullptr : "buffers cannot be read in that format";
    return readable && pipe::format_info(d.format).block_B == pipe::format_info(r.desc.format).block_B
               ? nullptr
               : "the image cannot be read in that format";
}

AdrenoSamplerView::AdrenoSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d)
    : StoredView(std::move(r), d),
      part(images::part_of(d)),
      border(d.stencil ? BorderForm::Uint8 : border_form(d.format)) {
    const AdrenoResource& image = this->image();
    pack(describe(image, desc), words_.data());
    if (desc.kind == ResourceKind::Buffer) {
        offset_B_ = desc.buffer_offset_B / kTexelBase_B * kTexelBase_B;
        return;
    }
    offset_B_ = image.plane_offset_B(plane_of(image, desc), desc.first_level,
                                     desc.kind == ResourceKind::Tex3D ? 0 : desc.first_layer);
}

void AdrenoSamplerView::write(uint32_t* out) const {
    std::copy(words_.begin(), words_.end(), out);
    const auto write_base = [&] {
        const uint64_t base = image().va() + offset_B_;
        // The word with the high bits also contains the depth.
        out[4] = uint32_t(base);
        out[5] = words_[5] | (uint32_t(base >> 32) & 0x1ffff);
    };
    if (!image().is_compressed()) [[likely]]
        return write_base();
    // The form and the address must match.
    const std::lock_guard guard(image().mutex());
    write_base();
    if (image().is_compressed()) write_flags(out);
}

/// The hardware computes where the flags of the following levels are.
void AdrenoSamplerView::write_flags(uint32_t* out) const {
    const pipe::UbwcLayout& u = image().ubwc;
    if (!u.compressed(desc.first_level)) return;
    hw::TexConst t;
    if (!unpack(out, &t)) return;
    t.flag_base = image().va() + u.flag_offset_B(desc.first_level, desc.first_layer, 0, 0);
    t.flag_buffer_array_pitch = uint32_t(u.layer_stride_B / 4);
    t.flag_buffer_pitch = u.level[desc.first_level].row_stride_B;
    set_flag_blocks(u.block, &t);
    pack(t, out);
}

namespace {

hw::TexConst describe_target(const Surface& s, uint32_t w_px, uint32_t h_px, hw::TileMode image_mode,
                             const pipe::FormatInfo& info) {
    const hw::FormatRow& row = *hw::format_row(s.pipe_format);
    hw::TexConst t;
    t.srgb = info.is_srgb;
    set_channels(info, kIdentity, &t);
    t.samples = msaa_samples(s.pass_samples);
    t.fmt = row.texture_format(image_mode);
    t.swap = row.texture_swap(image_mode);
    t.width = w_px;
    t.height = h_px;
    t.type = hw::TexType::A6XX_TEX_2D;
    t.depth = 1;
    return t;
}

}  // namespace

// Source: Mesa 25.0.7, fd6_gmem.cc (patch_fb_read_gmem, patch_fb_read_sysmem). GMEM has no channel swap.
void write_tile_texture(const Surface& s, uint32_t w_px, uint32_t h_px, uint32_t tile_w_px, uint64_t va,
                        uint32_t* out) {
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    hw::TexConst t = describe_target(s, w_px, h_px, hw::TileMode::TILE6_3, info);
    t.tile_mode = hw::TileMode::TILE6_2;
    t.pitch = tile_w_px * info.block_B * s.pass_samples;
    t.base = va;
    pack(t, out);
}

void write_target_texture(const Surface& s, const AdrenoResource& image, pipe::Format format, uint32_t* out) {
    hw::TexConst t = describe_target(s, s.width_px, s.height_px, tile_mode_of(image.layout.tiling),
                                     pipe::format_info(format));
    t.tile_mode = s.tile_mode;
    t.pitch = s.pitch_B;
    t.base = s.va;
    if (s.flags_va) {
        t.flag_base = s.flags_va;
        t.flag_buffer_pitch = s.flags_pitch_B;
        t.flag_buffer_array_pitch = s.flags_array_pitch_dw;
        set_flag_blocks(image.ubwc.block, &t);
    }
    pack(t, out);
}

void write_null_texture(ResourceKind kind, uint64_t va, uint32_t* out) {
    hw::TexConst t;
    t.swiz_x = t.swiz_y = t.swiz_z = hw::TexSwiz::A6XX_TEX_ZERO;
    t.swiz_w = hw::TexSwiz::A6XX_TEX_ONE;
    t.fmt = hw::Format::FMT6_8_8_8_8_UNORM;
    t.width = t.height = t.depth = 1;
    t.pitch = 64;
    t.type = tex_type(kind);
    t.base = va;
    pack(t, out);
}

}  // namespace terrazzo::adreno
