// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The same small picture in each of OpenGL ES 2.0's texel formats (columns) and wrap modes (rows), over a
// grey background so that its alpha is visible.
#include <GLES2/gl2.h>

#include <cstddef>
#include <vector>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSize = 16;

struct Texel {
    int r, g, b, a;  // 0 to 255
};

/// Red to the right, green upwards, blue on the diagonal, and a corner that is half transparent.
Texel picture(int x, int y) {
    return {x * 17, y * 17, x == y ? 255 : 0, x >= 8 && y >= 8 ? 128 : 255};
}

GLuint new_texture() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

/// Uploads the texels that `pack` returns: 16-bit words, or bytes.
template <class Pack>
GLuint upload(GLenum format, GLenum type, Pack pack) {
    const GLuint texture = new_texture();
    std::vector<decltype(pack(Texel{}))> texels;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x)
            texels.push_back(pack(picture(x, y)));
    glTexImage2D(GL_TEXTURE_2D, 0, GLint(format), kSize, kSize, 0, format, type, texels.data());
    return texture;
}

struct Bytes2 {
    GLubyte v[2];
};
struct Bytes3 {
    GLubyte v[3];
};
struct Bytes4 {
    GLubyte v[4];
};

std::vector<GLuint> make_textures() {
    auto byte = [](int v) { return GLubyte(v); };
    return {
        upload(GL_RGBA, GL_UNSIGNED_BYTE,
               [=](Texel t) {
                   return Bytes4{{byte(t.r), byte(t.g), byte(t.b), byte(t.a)}};
               }),
        upload(GL_RGB, GL_UNSIGNED_BYTE,
               [=](Texel t) {
                   return Bytes3{{byte(t.r), byte(t.g), byte(t.b)}};
               }),
        upload(GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4,
               [](Texel t) {
                   return GLushort((t.r >> 4) << 12 | (t.g >> 4) << 8 | (t.b >> 4) << 4 | t.a >> 4);
               }),
        upload(GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1,
               [](Texel t) {
                   return GLushort((t.r >> 3) << 11 | (t.g >> 3) << 6 | (t.b >> 3) << 1 | (t.a == 255));
               }),
        upload(GL_RGB, GL_UNSIGNED_SHORT_5_6_5,
               [](Texel t) { return GLushort((t.r >> 3) << 11 | (t.g >> 2) << 5 | t.b >> 3); }),
        upload(GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE,
               [=](Texel t) {
                   return Bytes2{{byte(t.r), byte(t.a)}};
               }),
        upload(GL_LUMINANCE, GL_UNSIGNED_BYTE, [=](Texel t) { return byte(t.g); }),
        upload(GL_ALPHA, GL_UNSIGNED_BYTE, [=](Texel t) { return byte(t.r); }),
    };
}

}  // namespace

void draw_texture_formats(int width, int height) {
    const GLuint program = build_program(
        R"(attribute vec2 corner;
           varying vec2 v_texcoord;
           void main() {
               v_texcoord = corner * 1.25 + 0.5;  // from -0.75 to 1.75: beyond both edges
               gl_Position = vec4(corner, 0.0, 1.0);
           })",
        R"(precision mediump float;
           uniform sampler2D picture;
           varying vec2 v_texcoord;
           void main() { gl_FragColor = texture2D(picture, v_texcoord); })",
        {"corner"});
    const std::vector<GLuint> textures = make_textures();
    const GLint wraps[] = {GL_CLAMP_TO_EDGE, GL_REPEAT, GL_MIRRORED_REPEAT};

    glClearColor(0.5f, 0.5f, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(program);
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                        GL_ONE);  // the picture itself stays opaque
    const int columns = int(textures.size()), rows = 9;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const int left = column * width / columns, right = (column + 1) * width / columns;
            const int bottom = row * height / rows, top = (row + 1) * height / rows;
            glViewport(left + 1, bottom + 1, right - left - 2, top - bottom - 2);
            glBindTexture(GL_TEXTURE_2D, textures[size_t(column)]);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[row % 3]);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[row / 3]);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
}

}  // namespace example
