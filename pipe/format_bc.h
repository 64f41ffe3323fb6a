// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decodes one block of BC1 to BC7 (S3TC, RGTC, BPTC). Rules: EXT_texture_compression_s3tc and _rgtc,
// ARB_texture_compression_bptc (Khronos Data Format 1.3, chapters 18 to 20).
#pragma once

#include "pipe/format.h"

namespace terrazzo::pipe::detail {

/// `format` is one of the Bc layout. 8 or 16 bytes in, 4 x 4 RGBA pixels out, row by row; linear values of
/// sRGB formats.
void decode_bc_block(Format format, float* dst_rgba, const void* block);

/// Whether the format's values are of 8 bits: BC1, BC2, BC3 and BC7.
[[nodiscard]] bool bc_is_8bit(Format format);
/// The same of those formats: the stored values, sRGB or not.
void decode_bc_block_rgba8(Format format, uint8_t rgba[64], const void* block);

}  // namespace terrazzo::pipe::detail
