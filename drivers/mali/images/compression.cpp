// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, src/panfrost/lib: pan_afbc.c (formats), pan_layout.c (checksums are fetched for 32x32
// pixels at a time); gallium pan_resource.c (which images to compress).
#include "drivers/mali/images/compression.h"

#include <algorithm>

#include "drivers/common/images/vendor_resource.h"
#include "drivers/mali/hw/formats.h"

namespace terrazzo::mali {

namespace {

using Mode = hw::AfbcCompressionMode;
using pipe::Format;

constexpr uint32_t kLeastTiled_px = 128;  // a tile of 8x8 headers
constexpr uint32_t kCrcTile_px = 16, kCrcRegion_px = 32, kCrc_B = 8;

}  // namespace

bool afbc_compression_mode(Format f, bool stencil, Mode* out) {
    switch (f) {
        case Format::R8_UNORM:
        case Format::R8_SRGB:
            return *out = Mode::R8, true;
        case Format::R8G8_UNORM:
        case Format::R8G8_SRGB:
        case Format::D16_UNORM:
            return *out = Mode::R8G8, true;
        case Format::B5G6R5_UNORM:
            return *out = Mode::R5G6B5, true;
        case Format::A4B4G4R4_UNORM:
        case Format::B4G4R4A4_UNORM:
            return *out = Mode::R4G4B4A4, true;
        case Format::B5G5R5A1_UNORM:
            return *out = Mode::R5G5B5A1, true;
        case Format::R8G8B8A8_UNORM:
        case Format::R8G8B8A8_SRGB:
        case Format::R8G8B8X8_UNORM:
        case Format::R8G8B8X8_SRGB:
        case Format::B8G8R8A8_UNORM:
        case Format::B8G8R8A8_SRGB:
        case Format::B8G8R8X8_UNORM:
        case Format::B8G8R8X8_SRGB:
        case Format::D24_UNORM_X8:
            return *out = Mode::R8G8B8A8, true;
        case Format::D24_UNORM_S8_UINT:
            return *out = stencil ? Mode::X24S8 : Mode::R8G8B8A8, true;
        case Format::R10G10B10A2_UNORM:
        case Format::R10G10B10X2_UNORM:
        case Format::B10G10R10A2_UNORM:
        case Format::B10G10R10X2_UNORM:
            return *out = Mode::R10G10B10A2, true;
        default:
            return false;
    }
}

bool afbc_compatible(Format a, Format b) {
    Mode of_a, of_b;
    return afbc_compression_mode(a, false, &of_a) && afbc_compression_mode(b, false, &of_b) && of_a == of_b &&
           pipe::format_info(a).is_color == pipe::format_info(b).is_color;
}

bool choose_afbc(const pipe::ResourceDesc& d, pipe::AfbcLayout* out) {
    if (!images::is_private_target(d) || d.samples > 1) return false;
    Mode mode;
    if (!afbc_compression_mode(d.format, false, &mode)) return false;
    // A single superblock is larger than the uncompressed pixels.
    if (d.width <= pipe::kAfbcSuperblock_px && d.height <= pipe::kAfbcSuperblock_px) return false;
    const pipe::FormatInfo& f = pipe::format_info(d.format);
    pipe::AfbcDesc a;
    a.kind = d.kind;
    a.format = d.format;
    a.width = d.width;
    a.height = d.height;
    a.layers = d.layers;
    a.levels = d.levels;
    // The YTR transform needs three channels.
    a.mode.ytr = f.is_color && f.component_bits(0) && f.component_bits(1) && f.component_bits(2);
    if (pipe::afbc_layout_compute(a, out) != pipe::LayoutStatus::Ok) return false;
    if (d.width < kLeastTiled_px || d.height < kLeastTiled_px) return true;
    // Tiled headers have better locality, but cost memory if the size is not a multiple of a tile.
    pipe::AfbcLayout tiled;
    a.mode.tiled = a.mode.solid = true;
    if (pipe::afbc_layout_compute(a, &tiled) == pipe::LayoutStatus::Ok &&
        tiled.size_B <= out->size_B + out->size_B / 4)
        *out = tiled;
    return true;
}

CrcLayout choose_crc(const pipe::ResourceDesc& d) {
    CrcLayout c;
    if (!images::is_private_target(d) || !pipe::is_single_picture(d) || !(d.bind & pipe::bind::kColor) ||
        pipe::format_info(d.format).block_B > hw::kMaxCrcPixel_B)
        return c;
    const auto tiles = [](uint32_t px) {
        return (px + kCrcRegion_px - 1) / kCrcRegion_px * (kCrcRegion_px / kCrcTile_px);
    };
    c.row_stride_B = tiles(d.width) * kCrc_B;
    c.size_B = c.row_stride_B * tiles(d.height);
    return c;
}

}  // namespace terrazzo::mali
