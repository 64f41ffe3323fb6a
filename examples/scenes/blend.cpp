// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every pair of blend factors with every equation: columns are the source's factors, rows the destination's,
// and the three bands from the bottom up are add, subtract and reverse subtract. In each cell the source's
// colour runs from left to right and its alpha from bottom to top, over a destination of two halves.
#include <GLES2/gl2.h>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {

void draw_blend(int width, int height) {
    const GLuint program = build_program(
        R"(attribute vec2 corner;
           attribute vec4 color;
           varying vec4 v_color;
           void main() {
               v_color = color;
               gl_Position = vec4(corner, 0.0, 1.0);
           })",
        R"(precision mediump float;
           varying vec4 v_color;
           void main() {
               gl_FragColor = v_color;
           })",
        {"corner", "color"});
    const GLenum source_factors[] = {GL_ZERO,
                                     GL_ONE,
                                     GL_SRC_COLOR,
                                     GL_ONE_MINUS_SRC_COLOR,
                                     GL_DST_COLOR,
                                     GL_ONE_MINUS_DST_COLOR,
                                     GL_SRC_ALPHA,
                                     GL_ONE_MINUS_SRC_ALPHA,
                                     GL_DST_ALPHA,
                                     GL_ONE_MINUS_DST_ALPHA,
                                     GL_CONSTANT_COLOR,
                                     GL_ONE_MINUS_CONSTANT_COLOR,
                                     GL_CONSTANT_ALPHA,
                                     GL_ONE_MINUS_CONSTANT_ALPHA,
                                     GL_SRC_ALPHA_SATURATE};
    constexpr int kSources = 15,
                  kDestinations = 14;  // a destination's factor may not be GL_SRC_ALPHA_SATURATE
    const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT};

    // The destination: alpha is part of it, so that GL_DST_ALPHA means something.
    glClearColor(0.8f, 0.3f, 0.1f, 0.75f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glClearColor(0.1f, 0.4f, 0.7f, 0.25f);
    for (int column = 0; column < kSources; ++column) {
        const int left = column * width / kSources, right = (column + 1) * width / kSources;
        glScissor((left + right) / 2, 0, right - (left + right) / 2, height);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);

    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    const GLfloat colors[] = {0.9f, 0.1f, 0.2f, 0.1f, 0.2f, 0.9f, 0.3f, 0.1f,
                              0.9f, 0.1f, 0.2f, 0.9f, 0.2f, 0.9f, 0.3f, 0.9f};
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, colors);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glEnable(GL_BLEND);
    glBlendColor(0.2f, 0.6f, 0.5f, 0.4f);
    constexpr int kRows = kDestinations * 3;
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kSources; ++column) {
            const int left = column * width / kSources, right = (column + 1) * width / kSources;
            const int bottom = row * height / kRows, top = (row + 1) * height / kRows;
            glViewport(left, bottom, right - left - 1, top - bottom - 1);
            glBlendEquation(equations[row / kDestinations]);
            glBlendFunc(source_factors[column], source_factors[row % kDestinations]);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }

    // Blending changed alpha, and the PNG would be transparent: set alpha to 1 and keep the colours.
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace example
