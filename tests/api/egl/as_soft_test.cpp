// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What Khronos' lists found on a device and not on the CPU: each becomes a scene that both draw.
#include "tests/api/egl/as_soft.h"

using namespace as_soft;

TEST_CASE("as soft: borders of integers, of every size, in 2D, 3D and arrays") {
    struct Format {
        GLenum internal, format, type;
        const char* prefix;
    };
    const Format formats[] = {{GL_R8I, GL_RED_INTEGER, GL_BYTE, "i"},
                              {GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, "u"},
                              {GL_R16I, GL_RED_INTEGER, GL_SHORT, "i"},
                              {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, "u"},
                              {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, "u"},
                              {GL_R32I, GL_RED_INTEGER, GL_INT, "i"},
                              {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, "u"},
                              {GL_RG32I, GL_RG_INTEGER, GL_INT, "i"},
                              {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, "u"}};
    for (const Format& f : formats)
        for (const GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY})
            for (const bool large : {false, true}) {
                CAPTURE(f.internal);
                CAPTURE(target);
                CAPTURE(large);
                check([&] {
                    const bool flat = target == GL_TEXTURE_2D;
                    texture(target, f.internal, 8, 8, flat ? 0 : 4);
                    const Bytes texels(size_t(8 * 8 * 4 * 16), 7);
                    if (flat)
                        glTexSubImage2D(target, 0, 0, 0, 8, 8, f.format, f.type, texels.data());
                    else
                        glTexSubImage3D(target, 0, 0, 0, 0, 8, 8, 4, f.format, f.type, texels.data());
                    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
                        glTexParameteri(target, wrap, GL_CLAMP_TO_BORDER);
                    // Those that the format has no room for are undefined.
                    const GLint small_border[4] = {100, 3, 77, 1},
                                large_border[4] = {0x12345678, -5, 0x7ffffff, 1 << 25};
                    const bool wide = large && (f.type == GL_INT || f.type == GL_UNSIGNED_INT);
                    glTexParameterIiv(target, GL_TEXTURE_BORDER_COLOR, wide ? large_border : small_border);
                    const std::string p = f.prefix;
                    program({{GL_VERTEX_SHADER, kAll},
                             {GL_FRAGMENT_SHADER,
                              "uniform highp " + p + "sampler" +
                                  (flat                      ? "2D"
                                   : target == GL_TEXTURE_3D ? "3D"
                                                             : "2DArray") +
                                  " t; in vec2 uv; out " + p + "vec4 o;\nvoid main() { o = texture(t, " +
                                  (flat                      ? "uv * 3.0 - 1.0"
                                   : target == GL_TEXTURE_3D ? "vec3(uv * 3.0 - 1.0, uv.x * 2.0 - 0.5)"
                                                             : "vec3(uv * 3.0 - 1.0, 1.0)") +
                                  "); }"}});
                    const bool u = p == "u";
                    framebuffer(texture(GL_TEXTURE_2D, u ? GL_RGBA32UI : GL_RGBA32I, 24, 24), 24, 24);
                    glBindTexture(GL_TEXTURE_2D, flat ? 1 : 0);
                    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
                    return read(24, 24, GL_RGBA_INTEGER, u ? GL_UNSIGNED_INT : GL_INT, 16);
                });
            }
}
