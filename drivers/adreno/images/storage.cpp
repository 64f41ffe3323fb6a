// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/freedreno/fdl/fd6_view.c (storage descriptors, buffer views), fd6_image.cc. Cubes
// are described as arrays.
#include "drivers/adreno/images/storage.h"
#include "drivers/common/images/format_uses.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/resource.h"
#include "pipe/image_formats.h"

namespace terrazzo::adreno {
namespace {

using pipe::ResourceKind;

constexpr unsigned kWidthBits = 15;  // of the number of elements, in TexConst::width

uint32_t slices(const AdrenoResource& r, uint32_t level) {
    return r.desc.kind == ResourceKind::Tex3D ? r.layout.level[level].depth : r.desc.layers;
}

void write_nothing(uint32_t* out) {
    std::fill_n(out, kStorageDescriptor_dw, 0u);
}

bool is_consistent(const AdrenoResource& r, const pipe::ImageView& v) {
    return pipe::is_image_format(v.format) && v.level < r.desc.levels && r.desc.samples == 1 &&
           !pipe::format_info(r.desc.format).is_depth_stencil() &&
           pipe::format_info(v.format).block_B == pipe::format_info(r.desc.format).block_B &&
           v.first_layer < slices(r, v.level);
}

hw::TexConst describe_image(const AdrenoResource& r, const pipe::ImageView& v) {
    const hw::FormatRow& row = *hw::format_row(v.format);
    const pipe::LevelLayout& level = r.layout.level[v.level];
    const bool volume = r.desc.kind == ResourceKind::Tex3D;
    const uint32_t count = std::min(v.layer_count, slices(r, v.level) - v.first_layer);
    const hw::TileMode image_mode = tile_mode_of(r.layout.tiling);
    hw::TexConst t;
    t.tile_mode = tile_mode_of(level.tiling);
    set_own_channels(&t);
    t.fmt = row.texture_format(image_mode);
    t.swap = row.target_swap(image_mode);
    t.width = level.width;
    t.height = level.height;
    t.pitch = level.row_stride_B;
    // A single slice of a 3D image is described as a 2D image.
    t.type = volume && count > 1 ? hw::TexType::A6XX_TEX_3D : hw::TexType::A6XX_TEX_2D;
    t.array_pitch = uint32_t(volume ? level.slice_stride_B : r.layout.layer_stride_B);
    t.depth = count;
    t.base = r.va() + r.layout.image_offset_B(v.level, v.first_layer);
    return t;
}

}  // namespace

hw::TexConst describe_buffer_texels(pipe::Format format, uint64_t va, uint32_t count) {
    const hw::FormatRow& row = *hw::format_row(format);
    const uint64_t texel_B = pipe::format_info(format).block_B;
    hw::TexConst t;
    t.tile_mode = hw::TileMode::TILE6_LINEAR;
    t.srgb = pipe::format_info(format).is_srgb;
    set_own_channels(&t);
    t.fmt = row.texture_format(hw::TileMode::TILE6_LINEAR);
    t.swap = row.texture_swap(hw::TileMode::TILE6_LINEAR);
    t.width = count & ((1u << kWidthBits) - 1);
    t.height = count >> kWidthBits;
    t.structsizetexels = 1;
    t.startoffsettexels = uint32_t(va % kTexelBase_B / texel_B);
    t.type = hw::TexType::A6XX_TEX_BUFFER;
    t.base = va / kTexelBase_B * kTexelBase_B;
    return t;
}

void write_storage_buffer(const pipe::BufferRange& range, uint32_t* out) {
    if (!range.resource) return write_nothing(out);
    const AdrenoResource& r = adreno(*range.resource);
    const std::lock_guard guard(r.mutex());
    const uint64_t size_B = images::inside_B(r, range.offset_B, range.size_B);
    if (size_B < 4) return write_nothing(out);
    pack(describe_buffer_texels(pipe::Format::R32_UINT, r.va() + range.offset_B, uint32_t(size_B / 4)), out);
}

void write_image(const pipe::ImageView& view, uint32_t* out) {
    if (!view.resource) return write_nothing(out);
    const AdrenoResource& r = adreno(*view.resource);
    const std::lock_guard guard(r.mutex());
    if (r.desc.kind == ResourceKind::Buffer) {
        if (!pipe::is_image_format(view.format)) return write_nothing(out);
        const uint32_t count =
            images::buffer_texels(r, view.format, view.buffer_offset_B, view.buffer_size_B, kMaxBufferTexels);
        return pack(describe_buffer_texels(view.format, r.va() + view.buffer_offset_B, count), out);
    }
    if (!is_consistent(r, view)) return write_nothing(out);
    pack(describe_image(r, view), out);
}

}  // namespace terrazzo::adreno
