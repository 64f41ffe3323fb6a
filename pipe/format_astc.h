// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decodes one block of ASTC, 2D, LDR profile. Rules: KHR_texture_compression_astc_ldr (Khronos Data
// Format 1.3, chapter 23).
#pragma once

#include <cstdint>

namespace terrazzo::pipe::detail {

/// 16 bytes in, block_w x block_h RGBA pixels out, row by row; linear values when is_srgb. An illegal block,
/// and a part of a block in an HDR mode, is the error colour of the LDR profile: opaque magenta.
void decode_astc_block(unsigned block_w, unsigned block_h, bool is_srgb, float* dst_rgba, const void* block);

}  // namespace terrazzo::pipe::detail
