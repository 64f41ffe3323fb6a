// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, src/asahi/lib/agx_tilebuffer.c (places, sizes of tiles), src/asahi/layout/formats.c
// (formats of the tilebuffer), gallium agx_state.c (agx_batch_upload_pbe), agx_pipe.c (agx_cmdbuf).
#include "drivers/agx/images/target.h"

#include <algorithm>
#include <bit>

#include "drivers/agx/hw/formats.h"

namespace terrazzo::agx {

namespace {

using isa::Format;
using pipe::ResourceKind;

constexpr uint32_t kMaxSample_B = 64, kMaxTile_B = 32767, kSampleAlign_B = 8;
constexpr uint32_t kLeastTile_px = 16 * 16;

constexpr uint32_t align_up(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

/// Bytes of a component; 4 of a pixel if all components are one word.
uint32_t component_B(Format f) {
    switch (f) {
        case Format::kI8:
        case Format::kU8Norm:
        case Format::kS8Norm:
        case Format::kSrgba8:
            return 1;
        case Format::kI16:
        case Format::kF16:
        case Format::kU16Norm:
        case Format::kS16Norm:
            return 2;
        default:
            return 4;
    }
}
bool is_one_word(Format f) {
    return f == Format::kRgb10A2 || f == Format::kRg11B10F;
}

std::optional<Format> format_in_tile(hw::PixelFormat numbers, bool srgb) {
    using enum hw::Channels;
    using enum hw::TextureType;
    const bool is_int = numbers.type == Uint || numbers.type == Sint;
    switch (numbers.channels) {
        case R5G6B5:
        case R4G4B4A4:
        case R5G5B5A1:
            return Format::kF16;
        case R10G10B10A2:
            return is_int ? Format::kI16 : Format::kRgb10A2;
        case R11G11B10:
            return Format::kRg11B10F;
        case R8:
        case R8G8:
        case R8G8B8A8:
            return is_int                  ? Format::kI8
                   : srgb                  ? Format::kSrgba8
                   : numbers.type == Snorm ? Format::kS8Norm
                                           : Format::kU8Norm;
        case R16:
        case R16G16:
        case R16G16B16A16:
            return is_int                  ? Format::kI16
                   : numbers.type == Float ? Format::kF16
                   : numbers.type == Snorm ? Format::kS16Norm
                                           : Format::kU16Norm;
        case R32:
        case R32G32:
        case R32G32B32A32:
            return Format::kI32;
        default:
            return std::nullopt;
    }
}

/// The attachment's layers as an image. Slices of 3D images are placed like layers.
ImageSlice slice_of(const pipe::Attachment& a) {
    return {a.layer_count > 1 ? hw::TextureDimension::N2dArray : hw::TextureDimension::N2d, a.first_layer,
            a.layer_count};
}

pipe::Format format_of(const pipe::Attachment& a) {
    return a.format == pipe::Format::None ? a.resource->desc.format : a.format;
}

/// The levels that a 2D image of the resource's size has. Later ones, which a 3D image may have, are a pixel
/// in size.
uint32_t levels_of(const AgxResource& r) {
    return std::min(r.desc.levels, uint32_t(std::bit_width(r.desc.width | r.desc.height)));
}

}  // namespace

TileTarget tile_target(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    const std::optional<hw::PixelFormat> numbers = hw::pixel_format(f);
    if (!numbers || !info.is_color || info.is_compressed) return {};
    const std::optional<Format> format = format_in_tile(*numbers, info.is_srgb);
    if (!format) return {};
    return {.format = *format, .components = info.channel_count};
}

TileLayout lay_out_tiles(const pipe::RenderPassDesc& pass) {
    TileLayout out;
    out.samples = pass.samples;
    for (uint32_t i = 0; i < pass.color_count; ++i)
        if (const pipe::Attachment& a = pass.color[i]; a.resource)
            out.samples = std::max(a.resource->desc.samples, samples_of(a.samples));
    if (const pipe::Resource* r = pass.depth_stencil.resource) out.samples = r->desc.samples;
    uint32_t used_B = 0;
    for (uint32_t i = 0; i < pass.color_count; ++i) {
        if (!pass.color[i].resource) continue;
        TileTarget target = tile_target(format_of(pass.color[i]));
        const uint32_t align_B = component_B(target.format);
        target.offset_B = align_up(used_B, align_B);
        const uint32_t end_B =
            target.offset_B + align_B * (is_one_word(target.format) ? 1 : target.components);
        const uint32_t pixel_B = align_up(end_B, kSampleAlign_B) * out.samples;
        if (end_B > kMaxSample_B || pixel_B * kLeastTile_px > kMaxTile_B) continue;
        out.target[i] = target;
        used_B = end_B;
    }
    out.sample_B = std::max(align_up(used_B, kSampleAlign_B), kSampleAlign_B);
    const uint32_t pixel_B = out.sample_B * out.samples;
    if (pixel_B * out.width_px * out.height_px > kMaxTile_B) out.height_px = 16;
    if (pixel_B * out.width_px * out.height_px > kMaxTile_B) out.width_px = 16;
    return out;
}

hw::UscShared TileLayout::shared() const {
    return {.uses_shared_memory = true,
            .layout = height_px == 32  ? hw::SharedLayout::N32x32
                      : width_px == 32 ? hw::SharedLayout::N32x16
                                       : hw::SharedLayout::N16x16,
            .sample_count = samples,
            .sample_stride = sample_B / kSampleAlign_B,
            .size = sample_B * samples * width_px * height_px};
}

hw::Texture load_target(const pipe::Attachment& a) {
    static constexpr pipe::Swizzle kOwnChannels[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1,
                                                      pipe::Swizzle::Channel2, pipe::Swizzle::Channel3};
    const AgxResource& r = agx(*a.resource);
    hw::Texture t = describe_texture(r, format_of(a), slice_of(a), kOwnChannels);
    t.address += r.va();
    t.first_level = t.last_level = a.level;
    if (a.level < levels_of(r)) return t;
    t.address += r.layout.level[a.level].offset_B;
    t.width = t.height = 1;
    t.mipmapped = false;
    t.first_level = t.last_level = 0;
    return t;
}

hw::Pbe store_target(const pipe::Attachment& a) {
    // The fields that both descriptors have mean the same, except strides.
    const AgxResource& r = agx(*a.resource);
    const hw::Texture t = load_target(a);
    const pipe::FormatInfo& info = pipe::format_info(format_of(a));
    hw::Pbe p;
    p.dimension = t.dimension;
    p.layout = t.layout;
    p.channels = t.channels;
    p.type = t.type;
    // By the channel in memory: the component that it gets.
    hw::StoredChannel* const stored[4] = {&p.swizzle_r, &p.swizzle_g, &p.swizzle_b, &p.swizzle_a};
    for (unsigned c = 0; c < 4; ++c)
        *stored[c] = hw::StoredChannel(c);
    for (unsigned c = 0; c < 4; ++c)
        if (info.swizzle[c] <= pipe::Swizzle::Channel3)
            *stored[unsigned(info.swizzle[c])] = hw::StoredChannel(c);
    p.width = t.width;
    p.height = t.height;
    p.samples = t.samples;
    p.mipmapped = t.mipmapped;
    p.address = t.address;
    p.level = t.first_level;
    p.levels = t.mipmapped ? levels_of(r) : 1;
    p.layers = t.depth;
    p.page_aligned_layers = t.page_aligned_layers;
    p.srgb = t.srgb;
    p.extended = t.extended;
    p.depth_linear = t.depth_linear;
    p.layer_stride = t.layer_stride;
    if (t.layout == hw::Layout::Linear) p.stride = r.layout.level[0].row_stride_B - 4;
    return p;
}

namespace {

/// A level of a plane. The hardware finds tiles by the level's own size.
void set_buffer(const AgxResource& r, Plane plane, const pipe::Attachment& a,
                uapi::drm_asahi_zls_buffer* out) {
    out->base = r.va() + r.plane_offset_B(plane, a.level, a.first_layer);
    out->stride = uint32_t(r.plane(plane).z_stride_B(a.level));
}

}  // namespace

void set_depth_stencil(const pipe::Attachment& a, const DepthStencilOps& ops,
                       const pipe::RenderPassDesc& pass, uapi::drm_asahi_cmd_render* render) {
    constexpr uint32_t kAlwaysSet = 0x300;  // of isp_bgobjvals; the meaning is not known
    render->isp_bgobjvals = kAlwaysSet | pass.clear_stencil;
    render->isp_bgobjdepth = std::bit_cast<uint32_t>(pass.clear_depth);
    render->depth = render->stencil = {};
    hw::ZlsControl control;
    if (a.resource) {
        const AgxResource& r = agx(*a.resource);
        const pipe::FormatInfo& info = pipe::format_info(r.desc.format);
        const pipe::LevelLayout& level = r.layout.level[a.level];
        hw::pack(hw::ZlsPixels{.width = level.width, .height = level.height}, &render->isp_zls_pixels);
        if (info.has_depth) {
            set_buffer(r, Plane::Main, a, &render->depth);
            control.z_load = ops.load_depth;
            control.z_store = ops.store_depth;
        }
        if (info.has_stencil) {
            set_buffer(r, r.has_stencil_plane() ? Plane::Stencil : Plane::Main, a, &render->stencil);
            control.s_load = ops.load_stencil;
            control.s_store = ops.store_stencil;
        }
        if (r.desc.format == pipe::Format::D16_UNORM) {
            control.z_format = hw::ZlsFormat::Unorm16;
            const float depth = std::clamp(pass.clear_depth, 0.0f, 1.0f);
            render->isp_bgobjdepth = uint32_t(depth * 65535.0f + 0.5f);
            render->flags |= uapi::kAsahiRenderDbiasIsInt;
        }
    }
    uint32_t words[2];
    hw::pack(control, words);
    render->zls_ctrl = uint64_t(words[1]) << 32 | words[0];
}

}  // namespace terrazzo::agx
