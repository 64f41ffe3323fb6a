// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arguments of the commands of OpenGL ES 2.0 and of its extensions.
#pragma once

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "tests/fuzz/commands.h"

namespace fuzz::es2 {

using R = Random;

template <typename F>
F extension(const char* name) {
    return reinterpret_cast<F>(eglGetProcAddress(name));
}
#define EXT(type, name) static const auto name = es2::extension<type>(#name)

inline constexpr std::initializer_list<uint32_t> kTextureTargets = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP};
inline constexpr std::initializer_list<uint32_t> kImageTargets = {GL_TEXTURE_2D,
                                                                  GL_TEXTURE_2D,
                                                                  GL_TEXTURE_2D,
                                                                  GL_TEXTURE_CUBE_MAP_POSITIVE_X,
                                                                  GL_TEXTURE_CUBE_MAP_NEGATIVE_X,
                                                                  GL_TEXTURE_CUBE_MAP_POSITIVE_Y,
                                                                  GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                                                                  GL_TEXTURE_CUBE_MAP_POSITIVE_Z,
                                                                  GL_TEXTURE_CUBE_MAP_NEGATIVE_Z};
inline constexpr std::initializer_list<uint32_t> kFormats = {GL_RGBA,
                                                             GL_RGBA,
                                                             GL_RGB,
                                                             GL_ALPHA,
                                                             GL_LUMINANCE,
                                                             GL_LUMINANCE_ALPHA,
                                                             GL_BGRA_EXT,
                                                             GL_DEPTH_COMPONENT,
                                                             GL_DEPTH_STENCIL_OES};
inline constexpr std::initializer_list<uint32_t> kTypes = {
    GL_UNSIGNED_BYTE,          GL_UNSIGNED_BYTE,          GL_UNSIGNED_SHORT_5_6_5,
    GL_UNSIGNED_SHORT_4_4_4_4, GL_UNSIGNED_SHORT_5_5_5_1, GL_FLOAT,
    GL_HALF_FLOAT_OES,         GL_UNSIGNED_SHORT,         GL_UNSIGNED_INT,
    GL_UNSIGNED_INT_24_8_OES};
inline constexpr std::initializer_list<uint32_t> kCompare = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                                             GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
inline constexpr std::initializer_list<uint32_t> kFactors = {GL_ZERO,
                                                             GL_ONE,
                                                             GL_SRC_COLOR,
                                                             GL_ONE_MINUS_SRC_COLOR,
                                                             GL_SRC_ALPHA,
                                                             GL_ONE_MINUS_SRC_ALPHA,
                                                             GL_DST_ALPHA,
                                                             GL_ONE_MINUS_DST_ALPHA,
                                                             GL_DST_COLOR,
                                                             GL_ONE_MINUS_DST_COLOR,
                                                             GL_SRC_ALPHA_SATURATE,
                                                             GL_CONSTANT_COLOR,
                                                             GL_ONE_MINUS_CONSTANT_COLOR,
                                                             GL_CONSTANT_ALPHA};
inline constexpr std::initializer_list<uint32_t> kEquations = {
    GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN_EXT, GL_MAX_EXT};
inline constexpr std::initializer_list<uint32_t> kStencilOps = {
    GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
inline constexpr std::initializer_list<uint32_t> kFaces = {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};
inline constexpr std::initializer_list<uint32_t> kCaps = {GL_BLEND,
                                                          GL_CULL_FACE,
                                                          GL_DEPTH_TEST,
                                                          GL_DITHER,
                                                          GL_POLYGON_OFFSET_FILL,
                                                          GL_SAMPLE_ALPHA_TO_COVERAGE,
                                                          GL_SAMPLE_COVERAGE,
                                                          GL_SCISSOR_TEST,
                                                          GL_STENCIL_TEST,
                                                          GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR};
inline constexpr std::initializer_list<uint32_t> kModes = {GL_TRIANGLES,    GL_TRIANGLES, GL_TRIANGLE_STRIP,
                                                           GL_TRIANGLE_FAN, GL_POINTS,    GL_LINES,
                                                           GL_LINE_STRIP,   GL_LINE_LOOP};
inline constexpr std::initializer_list<uint32_t> kBuffers = {GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER};
inline constexpr std::initializer_list<uint32_t> kUsages = {GL_STATIC_DRAW, GL_DYNAMIC_DRAW, GL_STREAM_DRAW};
inline constexpr std::initializer_list<uint32_t> kAttachments = {
    GL_COLOR_ATTACHMENT0,     GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1,
    GL_COLOR_ATTACHMENT0 + 7, GL_DEPTH_ATTACHMENT,  GL_STENCIL_ATTACHMENT};
inline constexpr std::initializer_list<uint32_t> kRenderbufferFormats = {GL_RGBA4,
                                                                         GL_RGB565,
                                                                         GL_RGB5_A1,
                                                                         GL_DEPTH_COMPONENT16,
                                                                         GL_STENCIL_INDEX8,
                                                                         GL_RGBA8_OES,
                                                                         GL_RGB8_OES,
                                                                         GL_DEPTH24_STENCIL8_OES,
                                                                         GL_DEPTH_COMPONENT24_OES};
inline constexpr std::initializer_list<uint32_t> kTexParameters = {
    GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER, GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T,
    GL_TEXTURE_MAX_ANISOTROPY_EXT};
inline constexpr std::initializer_list<uint32_t> kTexValues = {GL_NEAREST,
                                                               GL_LINEAR,
                                                               GL_NEAREST_MIPMAP_NEAREST,
                                                               GL_LINEAR_MIPMAP_NEAREST,
                                                               GL_NEAREST_MIPMAP_LINEAR,
                                                               GL_LINEAR_MIPMAP_LINEAR,
                                                               GL_REPEAT,
                                                               GL_CLAMP_TO_EDGE,
                                                               GL_MIRRORED_REPEAT,
                                                               4};
inline constexpr std::initializer_list<uint32_t> kAttribTypes = {
    GL_FLOAT, GL_FLOAT, GL_BYTE, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT, GL_FIXED};
inline constexpr std::initializer_list<uint32_t> kPixelStores = {
    GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH_EXT, GL_UNPACK_SKIP_ROWS_EXT,
    GL_UNPACK_SKIP_PIXELS_EXT};
inline constexpr std::initializer_list<uint32_t> kIndexTypes = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT,
                                                                GL_UNSIGNED_SHORT};
inline int32_t px(R& r) {
    return r.bounded(r.one_in(8) ? 130 : 20);
}
inline void gen(R& r, void (*f)(GLsizei, GLuint*)) {
    GLuint names[8];
    f(r.bounded(4), names);
}
inline void del(R& r, void (*f)(GLsizei, const GLuint*)) {
    const GLuint names[4] = {r.name(), r.name(), r.name(), r.name()};
    f(r.bounded(3), names);
}
inline GLint location(R& r) {
    return r.one_in(20) ? r.count(1000) : GLint(r.below(12)) - 1;
}

}  // namespace fuzz::es2
