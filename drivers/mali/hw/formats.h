// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hardware's formats for pipe's formats. format_rows.inc has the rows and their source.
#pragma once

#include <cstdint>

#include "drivers/common/tables/formats.h"
#include "drivers/mali/hw/pixel_format.h"
#include "pipe/format.h"

namespace terrazzo::mali::hw {

struct FormatRow {
    uint32_t pixel_format = 0;  // in Texture and Attribute
    ClumpFormat clump{};        // in Plane; unused for ASTC, whose planes have block sizes
    uint8_t feature = 0;        // bit n of TEXTURE_FEATURES must be set; 0: all chips have the format
    bool is_vertex : 1 = false;
    bool is_texture : 1 = false;
    bool is_render_target : 1 = false;
    bool is_depth_stencil : 1 = false;
    // For render targets:
    ColorBufferInternalFormat internal{};  // in the tile buffer
    ColorFormat writeback{};               // in memory

    /// Whether the blender supports it; other formats are RAW in the tile buffer and blend in a shader.
    bool is_blendable() const { return is_render_target && internal < ColorBufferInternalFormat::RAW8; }
};

extern const tables::FormatTable<FormatRow> format_row;

/// The pixel format of Blend's conversion to a blendable internal format (InternalConversion::memory_format).
uint32_t blend_memory_format(ColorBufferInternalFormat internal, bool srgb, bool dithered);

/// The depth format of ZsCrcExtension, including combined depth and stencil; NONE: it cannot be written as
/// depth.
ZsWriteFormat zs_write_format(pipe::Format format);
StencilWriteFormat stencil_write_format(pipe::Format format);

/// Transaction elimination: a tile whose CRC has not changed is not written. The most bytes of a pixel, with
/// all its samples, in a render target with CRCs: a whole tile must fit the write-back buffer (Mesa 25.0.7,
/// pan_resource.c, panfrost_should_checksum).
inline constexpr unsigned kMaxCrcPixel_B = 4;

}  // namespace terrazzo::mali::hw
