// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Layouts of images, their memory, and dma-bufs. Sources: Mesa 25.0.7, src/panfrost/lib/pan_layout.c (rows,
// levels, layers and imported images are aligned to 64 bytes; the stride of a shared interleaved image is
// that of a row of pixels), gallium pan_resource.c (which images are tiled); drm_fourcc.h (modifiers).
#include "drivers/mali/images/resource.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/common/images/format_uses.h"
#include "drivers/mali/device.h"
#include "drivers/mali/hw/formats.h"

namespace terrazzo::mali {

namespace {

using pipe::LayoutStatus;
using pipe::ResourceKind;
using pipe::Tiling;

constexpr uint32_t kAlign_B = 64;
constexpr uint32_t kMaxExtent = 1u << 16;           // limit of the fields of Texture and Plane
constexpr uint64_t kMaxImage_B = (1ull << 31) - 1;  // slice strides are signed
constexpr uint32_t kInterleaved_px = 16;            // rows of pixels in a row of tiles
constexpr uint64_t kCrcAlign_B = 64;

/// Interleaved, except images that must be linear or gain nothing.
Tiling choose_tiling(const pipe::ResourceDesc& d) {
    if (d.samples > 1) return Tiling::Interleaved;
    if (images::must_be_linear(d)) return Tiling::Linear;
    const pipe::FormatInfo& f = pipe::format_info(d.format);
    if (!std::has_single_bit(f.block_B)) return Tiling::Linear;
    // An image with a single row or column of blocks gains nothing.
    return pipe::format_row_B(d.format, d.width) / f.block_B < 2 ||
                   pipe::format_block_rows(d.format, d.height) < 2
               ? Tiling::Linear
               : Tiling::Interleaved;
}

/// The number of pixel rows in a row of tiles: the stride of a shared image is that of one pixel row.
uint32_t tile_rows(Tiling tiling, pipe::Format f) {
    if (tiling == Tiling::Linear) return 1;
    return pipe::format_info(f).is_compressed ? 4 : kInterleaved_px;
}

/// Its row_stride_B is the stride of an imported image's pixel rows; 0: the driver's choice.
LayoutStatus image_layout(pipe::LayoutDesc d, pipe::SurfaceLayout* out) {
    if (d.width > kMaxExtent || d.height > kMaxExtent || d.depth > kMaxExtent || d.layers > kMaxExtent)
        return LayoutStatus::TooLarge;
    d.row_align_B = d.level_align_B = d.layer_align_B = kAlign_B;
    if (const uint32_t row_stride_B = d.row_stride_B) {
        const uint32_t rows = tile_rows(d.tiling, d.format);
        if (row_stride_B > kMaxImage_B / rows) return LayoutStatus::TooLarge;
        if (d.levels > 1 || d.layers > 1 || d.depth > 1 || row_stride_B * rows % kAlign_B)
            return LayoutStatus::BadStride;
        d.row_stride_B = row_stride_B * rows;
    }
    pipe::SurfaceLayout layout;
    const LayoutStatus status = pipe::layout_compute(d, &layout);
    if (status != LayoutStatus::Ok) return status;
    if (layout.size_B > kMaxImage_B) return LayoutStatus::TooLarge;
    *out = layout;
    return LayoutStatus::Ok;
}

LayoutStatus resource_layout(const pipe::ResourceDesc& desc, Tiling tiling, pipe::SurfaceLayout* out) {
    pipe::LayoutDesc d = pipe::layout_desc_of(desc);
    d.tiling = tiling;
    return image_layout(d, out);
}

/// Depth, then stencil.
LayoutStatus lay_out_planes(const pipe::ResourceDesc& desc, Tiling tiling, MaliLayout* out) {
    pipe::ResourceDesc d = desc;
    d.format = pipe::Format::D32_FLOAT;
    LayoutStatus status = resource_layout(d, tiling, &out->surface);
    d.format = pipe::Format::S8_UINT;
    if (status == LayoutStatus::Ok) status = resource_layout(d, tiling, &out->stencil);
    out->stencil_begin_B = (out->surface.size_B + kAlign_B - 1) & ~uint64_t(kAlign_B - 1);
    out->size_B = out->stencil_begin_B + out->stencil.size_B;
    return status;
}

uint64_t with_crc_B(uint64_t image_B, const CrcLayout& crc) {
    return crc.size_B ? (image_B + kCrcAlign_B - 1) & ~(kCrcAlign_B - 1) : image_B;
}

std::optional<images::FormatUses> uses_of(const hw::Chip& chip, pipe::Format f) {
    const hw::FormatRow* const row = hw::format_row(f);
    if (!row || (row->feature && !chip.has_texture_feature(row->feature))) return std::nullopt;
    return images::FormatUses{row->is_texture, row->is_render_target, row->is_depth_stencil, row->is_vertex};
}

bool has_samples(pipe::Format f, uint32_t samples) {
    return samples_of(samples) == samples && std::has_single_bit(pipe::format_info(f).block_B);
}

}  // namespace

bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                      uint32_t bind) {
    constexpr uint32_t kOnePlane = pipe::bind::kShared | pipe::bind::kScanout;  // importers expect it
    if ((bind & kOnePlane) && f == pipe::Format::D32_FLOAT_S8X24_UINT) return false;
    return (samples <= 1 || has_samples(f, samples)) &&
           images::resource_supports(uses_of(chip, f), f, kind, samples, bind);
}

LayoutStatus MaliResource::lay_out(const Device& device, const pipe::ResourceDesc& desc, bool own,
                                   MaliLayout* out, const char** why) {
    if (samples_of(desc.samples) != desc.samples)
        return *why = "its number of samples is not supported", LayoutStatus::BadFormat;
    const bool linear = own && device.debug.has(pipe::DebugWord::Linear) && desc.samples == 1;
    const Tiling tiling = linear ? Tiling::Linear : choose_tiling(desc);
    if (desc.format == pipe::Format::D32_FLOAT_S8X24_UINT) return lay_out_planes(desc, tiling, out);
    const LayoutStatus status = resource_layout(desc, tiling, &out->surface);
    if (status != LayoutStatus::Ok) return status;
    if (own && !device.debug.has(pipe::DebugWord::NoCrc)) out->crc = choose_crc(desc);
    pipe::AfbcLayout afbc;
    if (own && !device.debug.has(pipe::DebugWord::NoAfbc) && out->surface.tiling == Tiling::Interleaved &&
        choose_afbc(desc, &afbc)) {
        out->afbc_form = afbc;
        out->form = images::Form::Undecided;
    }
    out->size_B = with_crc_B(out->surface.size_B, out->crc) + out->crc.size_B;
    return status;
}

bool MaliResource::apply_modifier(uint64_t modifier, SharedDesc* d) {
    d->image.tiling = modifier == pipe::kModArmInterleaved ? Tiling::Interleaved : Tiling::Linear;
    return true;
}

LayoutStatus MaliResource::compute(const Device&, const SharedDesc& d, MaliLayout* out) {
    return image_layout(d.image, &out->surface);
}

uint32_t MaliResource::tiled_stride_B() const {
    return layout.level[0].row_stride_B / tile_rows(layout.tiling, desc.format);
}

uint64_t MaliResource::image_B(bool compressed) const {
    if (has_stencil_plane()) return stencil_begin_B + stencil.size_B;
    return with_crc_B(compressed ? afbc_form->size_B : layout.size_B, crc);
}

uint64_t MaliResource::crc_va() const {
    return va() + image_B(afbc() != nullptr);
}

void MaliResource::storage_changed(bool form) {
    forget_crc();
    if (form) device_.image_changes.fetch_add(1, std::memory_order_relaxed);
}

pipe::Ref<Bo> MaliResource::create_compressed() const {
    pipe::Ref<Bo> bo = device_.create_bo(storage_B(true), bo_flag::kUndefined);
    // A header of 0 means that all pixels are 0; the hardware then reads no payload.
    for (uint32_t z = 0; bo && z < afbc_form->layers; ++z)
        for (uint32_t level = 0; level < afbc_form->levels; ++level)
            std::memset(bo->cpu + afbc_form->header_offset_B(level, z), 0, afbc_form->level[level].header_B);
    return bo;
}

}  // namespace terrazzo::mali
