// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, gallium agx_state.c (agx_pack_texture).
#include "drivers/agx/images/texture.h"

#include "drivers/agx/hw/formats.h"

namespace terrazzo::agx {

namespace {

using pipe::ResourceKind;

hw::TextureDimension dimension_of(ResourceKind kind) {
    using enum hw::TextureDimension;
    switch (kind) {
        case ResourceKind::Buffer:
        case ResourceKind::Tex2D:
            return N2d;
        case ResourceKind::Tex2DArray:
            return N2dArray;
        case ResourceKind::Tex3D:
            return N3d;
        case ResourceKind::Cube:
            return Cube;
        case ResourceKind::CubeArray:
            return CubeArray;
    }
    return N2d;
}

/// The channel of a texel in memory, R being the lowest bits, that the view's swizzle shows.
hw::Channel channel(const pipe::FormatInfo& f, pipe::Swizzle s) {
    pipe::Swizzle from = images::texel_channel(f, s);
    if (from <= pipe::Swizzle::Channel3 && f.is_color) from = f.swizzle[unsigned(from)];
    if (from == pipe::Swizzle::Zero) return hw::Channel::Zero;
    return from == pipe::Swizzle::One ? hw::Channel::One : hw::Channel(from);
}

/// The format in which a view reads the image.
pipe::Format texels_of(const pipe::SamplerViewDesc& d) {
    if (d.format != pipe::Format::D32_FLOAT_S8X24_UINT) return d.format;
    return d.stencil ? pipe::Format::S8_UINT : pipe::Format::D32_FLOAT;
}

}  // namespace

hw::Texture describe_texture(const AgxResource& r, pipe::Format format, const ImageSlice& slice,
                             const pipe::Swizzle swizzle[4]) {
    const Plane plane =
        format == pipe::Format::S8_UINT && r.has_stencil_plane() ? Plane::Stencil : Plane::Main;
    const pipe::SurfaceLayout& layout = r.plane(plane);
    const pipe::FormatInfo& info = pipe::format_info(format);
    const hw::PixelFormat numbers = *hw::pixel_format(format);
    hw::Texture t;
    t.dimension = slice.dimension;
    t.channels = numbers.channels;
    t.type = numbers.type;
    t.swizzle_r = channel(info, swizzle[0]);
    t.swizzle_g = channel(info, swizzle[1]);
    t.swizzle_b = channel(info, swizzle[2]);
    t.swizzle_a = channel(info, swizzle[3]);
    t.width = r.desc.width;
    t.height = r.desc.height;
    t.srgb = info.is_srgb;
    t.srgb_2_channel = info.is_srgb && info.channel_count == 2;
    t.mipmapped = r.desc.levels > 1;
    t.address = r.plane_offset_B(plane, 0, slice.first_layer);
    if (layout.tiling != pipe::Tiling::Linear) {
        t.layout = hw::Layout::Twiddled;
        t.depth = slice.layers;
        t.page_aligned_layers = r.page_aligned_layers;
        return t;
    }
    // The fields hold the values minus 16 and 128.
    t.layout = hw::Layout::Linear;
    t.stride = layout.level[0].row_stride_B - 16;
    if (slice.dimension == hw::TextureDimension::N2dArray) {
        t.extended = true;
        t.depth_linear = slice.layers;
        t.layer_stride = uint32_t(layout.layer_stride_B - 128);
    }
    return t;
}

const char* AgxSamplerView::refuse(const AgxResource& r, const pipe::SamplerViewDesc& d) {
    if (d.kind == ResourceKind::Buffer) return "textures of buffers are not supported yet";
    if (images::is_cube(d.kind) && r.layout.tiling == pipe::Tiling::Linear)
        return "linear cubes do not exist";
    const pipe::FormatInfo &f = pipe::format_info(d.format), &own = pipe::format_info(r.desc.format);
    const bool readable = hw::pixel_format(texels_of(d)) && f.block_B == own.block_B &&
                          f.block_w_px == own.block_w_px && f.block_h_px == own.block_h_px &&
                          (f.is_depth_stencil() || own.is_depth_stencil() ? d.format == r.desc.format : true);
    return readable ? nullptr : "the image cannot be read in that format";
}

AgxSamplerView::AgxSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d)
    : StoredView(std::move(r), d), texels(texels_of(d)) {
    ImageSlice slice{.dimension = dimension_of(d.kind)};
    slice.first_layer = d.kind == ResourceKind::Tex3D ? 0 : d.first_layer;
    slice.layers = d.kind == ResourceKind::Tex3D ? resource->desc.depth
                   : images::is_cube(d.kind)     ? images::view_layers(d) / 6
                                                 : images::view_layers(d);
    texture_ = describe_texture(image(), texels, slice, desc.swizzle);
    texture_.first_level = d.first_level;
    texture_.last_level = d.last_level;
}

void AgxSamplerView::write(uint32_t out[kTexture_dw], bool skip_srgb_decode) const {
    hw::Texture t = texture_;
    t.address += image().va();
    if (skip_srgb_decode) t.srgb = t.srgb_2_channel = false;
    hw::pack(t, out);
}

}  // namespace terrazzo::agx
