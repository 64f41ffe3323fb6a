// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decodes one block of ASTC, 2D, LDR profile. Rules: KHR_texture_compression_astc_ldr (Khronos Data
// Format 1.3, chapter 23).
#pragma once

#include <cstdint>

namespace terrazzo::pipe::detail {

/// Decodes 16 bytes to block_w x block_h RGBA pixels, row by row, with linear values if is_srgb. An illegal
/// block, or a part of a block in an HDR mode, gets the error colour of the LDR profile: opaque magenta.
void decode_astc_block(unsigned block_w, unsigned block_h, bool is_srgb, float* dst_rgba, const void* block);

}  // namespace terrazzo::pipe::detail
