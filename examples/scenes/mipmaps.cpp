// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A chessboard floor that extends to the horizon, in strips: each strip uses another minification filter. On
// the left half the levels come from glGenerateMipmap. On the right half each level has its own colour, which
// shows the chosen level.
#include <GLES2/gl2.h>

#include <cstddef>
#include <vector>

#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSize = 64;

std::vector<GLubyte> chessboard(int size, const GLubyte* dark) {
    std::vector<GLubyte> texels;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            for (int c = 0; c < 3; ++c)
                texels.push_back(((x * 8 / size) ^ (y * 8 / size)) & 1 ? 240 : dark[c]);
    return texels;
}

GLuint make_generated() {
    const GLubyte dark[] = {30, 40, 90};
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, kSize, kSize, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 chessboard(kSize, dark).data());
    glGenerateMipmap(GL_TEXTURE_2D);
    return texture;
}

GLuint make_coloured_levels() {
    const GLubyte colors[7][3] = {{200, 0, 0}, {200, 150, 0}, {0, 170, 0}, {0, 160, 160},
                                  {0, 0, 200}, {150, 0, 150}, {90, 90, 90}};
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (int level = 0; level < 7; ++level) {
        const int size = kSize >> level;
        // Rows of 3-byte texels are not padded to 4 bytes, GL's default.
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGB, size, size, 0, GL_RGB, GL_UNSIGNED_BYTE,
                     chessboard(size, colors[level]).data());
    }
    return texture;
}

}  // namespace

void draw_mipmaps(int width, int height) {
    const GLuint program = build_program(
        R"(uniform mat4 projection;
           attribute vec2 floor_point;  // x and -z
           varying vec2 v_texcoord;
           void main() {
               v_texcoord = floor_point * 0.5;
               gl_Position = projection * vec4(floor_point.x, -1.0, -floor_point.y, 1.0);
           })",
        R"(precision mediump float;
           uniform sampler2D board;
           varying vec2 v_texcoord;
           void main() {
               gl_FragColor = texture2D(board, v_texcoord);
           })",
        {"floor_point"});
    const GLuint textures[] = {make_generated(), make_coloured_levels()};
    const GLint filters[] = {GL_NEAREST,
                             GL_LINEAR,
                             GL_NEAREST_MIPMAP_NEAREST,
                             GL_LINEAR_MIPMAP_NEAREST,
                             GL_NEAREST_MIPMAP_LINEAR,
                             GL_LINEAR_MIPMAP_LINEAR};

    glViewport(0, 0, width, height);
    glClearColor(0.6f, 0.75f, 0.9f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(program);
    glEnableVertexAttribArray(0);
    glEnable(GL_SCISSOR_TEST);
    const Matrix projection = perspective(1.2f, float(width) / float(height), 0.1f, 200);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    const GLfloat points[] = {-100, 1, 100, 1, -100, 60, 100, 60};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, points);
    for (int half = 0; half < 2; ++half) {
        glBindTexture(GL_TEXTURE_2D, textures[half]);
        for (int i = 0; i < 6; ++i) {
            const int strip = half * 6 + i, left = strip * width / 12, right = (strip + 1) * width / 12;
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filters[i]);
            glScissor(left, 0, right - left, height);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
}

}  // namespace example
