// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Layouts of images, their memory, and dma-bufs. Sources: Mesa 25.0.7, gallium agx_pipe.c (which images are
// linear), agx_bg_eot.c and src/asahi/layout (which formats can be drawn into); drm_fourcc.h.
#include "drivers/agx/images/resource.h"

#include <algorithm>
#include <bit>

#include "drivers/agx/hw/formats.h"
#include "drivers/agx/images/target.h"
#include "drivers/common/images/format_uses.h"

namespace terrazzo::agx {

namespace {

using pipe::Format;
using pipe::LayoutStatus;
using pipe::ResourceKind;
using pipe::Tiling;

/// The limit of Texture::stride; that of Pbe is larger.
constexpr uint32_t kMaxTextureStride_B = 1 << 20;

bool can_be_linear(const pipe::ResourceDesc& d) {
    const pipe::FormatInfo& f = pipe::format_info(d.format);
    return (d.kind == ResourceKind::Tex2D || d.kind == ResourceKind::Tex2DArray) && d.levels == 1 &&
           d.samples == 1 && !f.is_compressed && !f.is_depth_stencil();
}

/// Renders and image stores that address layers or slices by number need layers that begin at pages.
bool writes_by_layer(const pipe::ResourceDesc& d) {
    constexpr uint32_t kWriters = pipe::bind::kColor | pipe::bind::kDepthStencil | pipe::bind::kImage;
    return (d.bind & kWriters) && (d.layers > 1 || d.depth > 1);
}

/// Whether the fetch code of vertex programs can load the format: equal components of 8, 16 or 32 bits.
bool is_vertex_format(const pipe::FormatInfo& f) {
    if (f.format == Format::R10G10B10A2_UNORM) return true;
    if (f.layout != pipe::FormatLayout::Plain || !(f.is_color || f.is_vertex_only) || f.is_srgb) return false;
    using enum pipe::ChannelType;
    for (unsigned c = 0; c < f.channel_count; ++c) {
        const pipe::ChannelInfo& channel = f.channel[c];
        const bool normalized = channel.type == Unorm || channel.type == Snorm;
        if (channel.type == None || channel.type == Fixed || f.swizzle[c] != pipe::Swizzle(c) ||
            channel.bits != f.channel[0].bits || channel.bits < 8 || !std::has_single_bit(channel.bits) ||
            (normalized && channel.bits == 32))
            return false;
    }
    return true;
}

/// There is no depth of 24 bits.
bool is_depth_format(Format f) {
    return f == Format::D16_UNORM || f == Format::D32_FLOAT || f == Format::S8_UINT ||
           f == Format::D32_FLOAT_S8X24_UINT;
}

}  // namespace

LayoutStatus AgxResource::lay_out(const Device& device, const pipe::ResourceDesc& desc, bool, AgxLayout* out,
                                  const char** why) {
    if ((desc.bind & pipe::bind::kDepthStencil) && !is_depth_format(desc.format))
        return *why = "the hardware cannot test with its format", LayoutStatus::BadFormat;
    const bool wants_linear = images::must_be_linear(desc) || device.debug.has(pipe::DebugWord::Linear);
    pipe::AgxLayoutDesc d;
    d.image = pipe::layout_desc_of(desc);
    d.image.tiling = wants_linear && can_be_linear(desc) ? Tiling::Linear : Tiling::Twiddled;
    d.page_aligned_layers = d.image.tiling == Tiling::Twiddled && writes_by_layer(desc);
    const bool has_stencil_plane = desc.format == Format::D32_FLOAT_S8X24_UINT;
    if (has_stencil_plane) d.image.format = Format::D32_FLOAT;
    LayoutStatus status = compute(device, d, out);
    out->size_B = out->surface.size_B;
    if (status != LayoutStatus::Ok || !has_stencil_plane) return status;
    // Whether layers are aligned to pages is the same for both, if the levels of depth, which are larger,
    // decide.
    d.image.format = Format::S8_UINT;
    d.page_aligned_layers = out->page_aligned_layers;
    AgxLayout stencil;
    status = compute(device, d, &stencil);
    out->stencil = stencil.surface;
    constexpr uint64_t kPage_B = pipe::kAgxPage_B;
    out->stencil_begin_B = (out->surface.size_B + kPage_B - 1) / kPage_B * kPage_B;
    out->size_B = out->stencil_begin_B + out->stencil.size_B;
    return status;
}

LayoutStatus AgxResource::compute(const Device&, const SharedDesc& d, AgxLayout* out) {
    if (d.image.row_stride_B > kMaxTextureStride_B) return LayoutStatus::BadStride;
    pipe::AgxLayout layout;
    const LayoutStatus status = pipe::agx_layout_compute(d, &layout);
    if (status != LayoutStatus::Ok) return status;
    out->surface = layout.surface;
    out->page_aligned_layers = layout.page_aligned_layers;
    return status;
}

bool format_supported(const hw::Chip&, Format f, ResourceKind kind, uint32_t samples, uint32_t bind) {
    if (samples > kMaxSamples) return false;
    const pipe::FormatInfo& info = pipe::format_info(f);
    images::FormatUses uses;
    uses.vertex = is_vertex_format(info);
    uses.depth_stencil = is_depth_format(f);
    // Not written yet: textures of buffers, and images.
    if (kind != ResourceKind::Buffer && !(bind & pipe::bind::kImage)) {
        uses.texture = (hw::pixel_format(f) && !images::is_luminance_or_alpha(info)) || uses.depth_stencil;
        uses.color = uses.texture && tile_target(f).components != 0;
    }
    if (info.is_depth_stencil() &&
        (bind & (pipe::bind::kShared | pipe::bind::kScanout | pipe::bind::kLinear)))
        return false;
    if (!uses.vertex && !uses.texture) return images::resource_supports({}, f, kind, samples, bind);
    return images::resource_supports(uses, f, kind, samples, bind);
}

}  // namespace terrazzo::agx
