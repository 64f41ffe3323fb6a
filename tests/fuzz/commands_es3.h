// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arguments of the commands of OpenGL ES 3.
#pragma once

#include <GLES3/gl32.h>

#include "tests/fuzz/commands.h"

namespace fuzz::es3 {

using R = Random;

inline constexpr std::initializer_list<uint32_t> kModes = {GL_POINTS,         GL_POINTS,       GL_LINES,
                                                           GL_TRIANGLES,      GL_LINE_STRIP,   GL_LINE_LOOP,
                                                           GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_TRIANGLES};
// No 32-bit indices: random ones would be outside of the client arrays.
inline constexpr std::initializer_list<uint32_t> kIndexTypes = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT};
inline constexpr std::initializer_list<uint32_t> kFormats = {GL_RGBA8,
                                                             GL_RGB8,
                                                             GL_R8,
                                                             GL_RG16F,
                                                             GL_RGBA16F,
                                                             GL_RGBA8UI,
                                                             GL_R32I,
                                                             GL_RGB10_A2,
                                                             GL_SRGB8_ALPHA8,
                                                             GL_RGB9_E5,
                                                             GL_RGBA32F,
                                                             GL_DEPTH_COMPONENT24,
                                                             GL_DEPTH24_STENCIL8,
                                                             GL_COMPRESSED_RGBA8_ETC2_EAC};

}  // namespace fuzz::es3
