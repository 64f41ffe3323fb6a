// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OES_compressed_paletted_texture: images are decoded at upload.
#pragma once

#include <cstdint>
#include <vector>

#include "api/es1/context.h"

namespace terrazzo::es1 {

/// A palette's format: GL_PALETTE4_RGB8_OES to GL_PALETTE8_RGB5_A1_OES.
struct PaletteFormat {
    GLenum format, type;  // of the decoded texels
    uint32_t entry_B;
    uint32_t index_bits;
};
[[nodiscard]] inline bool is_paletted(GLenum internal_format) {
    return internal_format >= GL_PALETTE4_RGB8_OES && internal_format <= GL_PALETTE8_RGB5_A1_OES;
}
[[nodiscard]] PaletteFormat palette_format(GLenum internal_format);
/// Bytes of a level's indices: whole bytes, without padding of rows.
[[nodiscard]] uint64_t palette_level_B(const PaletteFormat& f, uint32_t width, uint32_t height);
/// Texels of one level, without padding, from its indices. `palette` has 16 or 256 entries.
[[nodiscard]] std::vector<uint8_t> decode_palette(const PaletteFormat& f, const uint8_t* palette,
                                                  const uint8_t* indices, uint32_t width, uint32_t height);

/// glCompressedTexImage2D; `level` is 0 or minus the number of mipmaps that follow.
void paletted_image(Context& ctx, GLenum target, GLint level, GLenum internal_format, GLsizei width,
                    GLsizei height, GLint border, GLsizei size_B, const void* data);

}  // namespace terrazzo::es1
