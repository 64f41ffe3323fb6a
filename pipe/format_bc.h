// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decodes one block of BC1 to BC7 (S3TC, RGTC, BPTC). Rules: EXT_texture_compression_s3tc and _rgtc,
// ARB_texture_compression_bptc (Khronos Data Format 1.3, chapters 18 to 20).
#pragma once

#include "pipe/format.h"

namespace terrazzo::pipe::detail {

/// Decodes a block of a format with the Bc layout: 8 or 16 bytes to 4 x 4 RGBA pixels, row by row, with
/// linear values for sRGB formats.
void decode_bc_block(Format format, float* dst_rgba, const void* block);

/// Whether the format's values have 8 bits: BC1, BC2, BC3 and BC7.
[[nodiscard]] bool bc_is_8bit(Format format);
/// Decodes a block of one of those formats to its stored values, without conversion of sRGB.
void decode_bc_block_rgba8(Format format, uint8_t rgba[64], const void* block);

}  // namespace terrazzo::pipe::detail
