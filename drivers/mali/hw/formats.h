// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the hardware makes of pipe's formats. The rows, with their source, are in format_rows.inc.
#pragma once

#include <cstdint>

#include "drivers/mali/hw/pixel_format.h"
#include "pipe/format.h"

namespace terrazzo::mali::hw {

struct FormatRow {
    uint32_t pixel_format = 0;  // of Texture, Attribute
    ClumpFormat clump{};        // of Plane; no meaning for ASTC, whose planes have block sizes
    uint8_t feature = 0;        // bit n of TEXTURE_FEATURES must be set; 0: every chip has it
    bool is_vertex : 1 = false;
    bool is_texture : 1 = false;
    bool is_render_target : 1 = false;
    bool is_depth_stencil : 1 = false;
    // Of render targets:
    ColorBufferInternalFormat internal{};  // in the tile buffer
    ColorFormat writeback{};               // in memory

    /// The blender blends it; others are RAW in the tile buffer and blend in a shader.
    bool is_blendable() const { return is_render_target && internal < ColorBufferInternalFormat::RAW8; }
};

/// nullptr: the hardware has no such format.
const FormatRow* format_row(pipe::Format format);

/// The pixel format of Blend's conversion to a blendable internal format (InternalConversion::memory_format).
uint32_t blend_memory_format(ColorBufferInternalFormat internal, bool srgb, bool dithered);

/// Depth in memory as ZsCrcExtension says it, stencil beside depth included; NONE: cannot be written as
/// depth.
ZsWriteFormat zs_write_format(pipe::Format format);
StencilWriteFormat stencil_write_format(pipe::Format format);

}  // namespace terrazzo::mali::hw
