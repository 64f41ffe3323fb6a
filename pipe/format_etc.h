// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decodes one block of ETC1, ETC2 or EAC. Rules: OpenGL ES 3.2 appendix C (Khronos Data Format 1.3, chapters
// 21 and 22).
#pragma once

#include "pipe/format.h"

namespace terrazzo::pipe::detail {

/// `format` is one of the ETC layout. 8 or 16 bytes in, 4 x 4 RGBA pixels out, row by row; linear values of
/// sRGB formats.
void decode_etc_block(Format format, float* dst_rgba, const void* block);

/// The same of the formats with 8-bit colours (not EAC alone): the stored values, sRGB or not.
void decode_etc_block_rgba8(Format format, uint8_t rgba[64], const void* block);

}  // namespace terrazzo::pipe::detail
