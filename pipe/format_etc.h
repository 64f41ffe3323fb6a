// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decodes one block of ETC1, ETC2 or EAC. Rules: OpenGL ES 3.2 appendix C (Khronos Data Format 1.3, chapters
// 21 and 22).
#pragma once

#include "pipe/format.h"

namespace terrazzo::pipe::detail {

/// Decodes a block of a format with the Etc layout: 8 or 16 bytes to 4 x 4 RGBA pixels, row by row, with
/// linear values for sRGB formats.
void decode_etc_block(Format format, float* dst_rgba, const void* block);

/// Decodes a block of a format with 8-bit colours (not those of EAC only) to its stored values, without
/// conversion of sRGB.
void decode_etc_block_rgba8(Format format, uint8_t rgba[64], const void* block);

}  // namespace terrazzo::pipe::detail
