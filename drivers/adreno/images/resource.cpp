// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Layouts of images, their memory, and dma-bufs. Sources: Mesa 25.0.7, fd6_resource.cc, freedreno_resource.c
// (which images are tiled); drm_fourcc.h.
#include "drivers/adreno/images/resource.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/hw/formats.h"
#include "drivers/common/images/format_uses.h"
#include "pipe/image_formats.h"

namespace terrazzo::adreno {
namespace {

using pipe::LayoutStatus;
using pipe::ResourceKind;
using pipe::Tiling;

constexpr uint32_t kMaxExtent_px = 16384;

Tiling choose_tiling(const pipe::ResourceDesc& d) {
    if (pipe::format_info(d.format).is_depth_stencil() || d.samples > 1) return Tiling::Macrotiled;
    return images::must_be_linear(d) ? Tiling::Linear : Tiling::Macrotiled;
}

/// Whether the image may be compressed when it is first drawn into, and profits from that.
bool gains_by_compression(const Device& device, const pipe::ResourceDesc& d) {
    constexpr uint32_t kLeast_px = 32;
    if (device.debug.has(pipe::DebugWord::NoUbwc) || !images::is_private_target(d) || d.width < kLeast_px ||
        d.height < kLeast_px)
        return false;
    if (d.samples > 1 && (d.levels > 1 || d.layers > 1)) return false;
    const hw::FormatRow* row = hw::format_row(d.format);
    if (!row || !row->has_ubwc(device.chip().generation, d.samples)) return false;
    // Textures read stencil as another format, which compression does not support.
    if (d.format == pipe::Format::D24_UNORM_S8_UINT && (d.bind & pipe::bind::kSampled)) return false;
    // For other sizes, flags have layouts of their own, or samples are not columns.
    constexpr uint32_t kLeastSample_B = 4, kMostPixel_B = 16;
    const uint32_t sample_B = pipe::format_info(d.format).block_B;
    return d.samples == 1 || (sample_B >= kLeastSample_B && sample_B * d.samples <= kMostPixel_B);
}

/// Every level of every layer has at least one page of flags, which is much compared to small levels, and
/// wasted if the CPU fills them.
bool flags_are_many(const pipe::ResourceDesc& d, const pipe::A6xxLayout& l) {
    constexpr uint64_t kMost = 8;  // at most one flag byte for this many bytes of pixels
    return l.ubwc.enabled && (d.levels > 1 || d.layers > 1) &&
           kMost * l.ubwc.size_B > l.surface.size_B - l.ubwc.size_B;
}

LayoutStatus image_layout(const Device& device, const pipe::A6xxLayoutDesc& d, pipe::A6xxLayout* out) {
    if (std::max({d.image.width, d.image.height, d.image.depth, d.image.layers}) > kMaxExtent_px)
        return LayoutStatus::TooLarge;
    return pipe::a6xx_layout_compute(d, device.image_memory(), out);
}

}  // namespace

LayoutStatus AdrenoResource::lay_out(const Device& device, const pipe::ResourceDesc& desc, bool own,
                                     AdrenoLayout* out, const char**) {
    pipe::A6xxLayout &main = *out, &stencil = out->stencil;
    pipe::A6xxLayoutDesc d;
    d.image = pipe::layout_desc_of(desc);
    d.image.tiling = device.debug.has(pipe::DebugWord::Linear) && desc.samples == 1 &&
                             !pipe::format_info(desc.format).is_depth_stencil()
                         ? Tiling::Linear
                         : choose_tiling(desc);
    d.ubwc = own && d.image.tiling == Tiling::Macrotiled && gains_by_compression(device, desc);
    const bool has_stencil_plane = desc.format == pipe::Format::D32_FLOAT_S8X24_UINT;
    if (has_stencil_plane) d.image.format = pipe::Format::S8_UINT;
    LayoutStatus status = has_stencil_plane ? image_layout(device, d, &stencil) : LayoutStatus::Ok;
    if (has_stencil_plane) d.image.format = pipe::Format::D32_FLOAT;
    if (status == LayoutStatus::Ok) status = image_layout(device, d, &main);
    if (status == LayoutStatus::Ok && flags_are_many(desc, main)) {
        d.ubwc = false;
        status = image_layout(device, d, &main);
    }
    out->stencil_begin_B = (main.surface.size_B + kImageAlign_B - 1) & ~uint64_t(kImageAlign_B - 1);
    out->size_B = has_stencil_plane ? out->stencil_begin_B + stencil.surface.size_B : main.surface.size_B;
    if (main.ubwc.enabled) out->form = images::Form::Undecided;
    return status;
}

void AdrenoResource::place_shared(const pipe::SharedImage& at, bool imported, SharedDesc* d) {
    d->ubwc_imported &= imported;
    d->offset_B = at.offset_B;
}

LayoutStatus AdrenoResource::compute(const Device& device, const SharedDesc& d, AdrenoLayout* out) {
    const LayoutStatus status = image_layout(device, d, out);
    if (out->ubwc.enabled) out->form = images::Form::Compressed;
    return status;
}

bool AdrenoResource::shares_compressed(const Device& device, pipe::Format f, bool offered) {
    const hw::FormatRow* row = hw::format_row(f);
    return row && row->has_ubwc(device.chip().generation, 1) &&
           !(offered && device.debug.has(pipe::DebugWord::NoUbwc));
}

bool ubwc_compatible(pipe::Format a, pipe::Format b) {
    const auto linear = [](pipe::Format f) {
        const pipe::Format l = pipe::format_to_linear(f);
        return l == pipe::Format::None ? f : l;
    };
    return linear(a) == linear(b);
}

bool format_supported(const hw::Chip&, pipe::Format f, ResourceKind kind, uint32_t samples, uint32_t bind) {
    const hw::FormatRow* row = hw::format_row(f);
    if (!row) return images::resource_supports({}, f, kind, samples, bind);
    if (samples > kMaxSamples || (samples && !std::has_single_bit(samples))) return false;
    const pipe::FormatInfo& info = pipe::format_info(f);
    const bool is_image = kind != ResourceKind::Buffer;
    if (is_image && (f == pipe::Format::S8_UINT || !std::has_single_bit(info.block_B))) return false;
    if ((bind & (pipe::bind::kShared | pipe::bind::kScanout)) && info.is_depth_stencil()) return false;
    const images::FormatUses uses{.texture = row->is_texture(),
                                  .color = row->is_target() && !info.is_depth_stencil(),
                                  .depth_stencil = row->is_depth(),
                                  .vertex = row->is_vertex()};
    return images::resource_supports(uses, f, kind, samples, bind);
}

}  // namespace terrazzo::adreno
