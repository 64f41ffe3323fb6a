// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The scissor cuts clears and draws to a rectangle: a carpet of cleared squares within squares, and a
// triangle that is drawn once for each of four windows into it.
#include <GLES2/gl2.h>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

/// Sierpinski's carpet: clears the middle ninth, then does so with the eight squares around it.
void carpet(int x, int y, int width, int height, int depth) {
    if (depth == 0 || width < 3 || height < 3) return;
    const int w = width / 3, h = height / 3;
    const float k = 0.25f * float(depth);
    glScissor(x + w, y + h, w, h);
    glClearColor(0.1f + k * 0.8f, 0.9f - k * 0.6f, 0.3f + k * 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            if (row != 1 || column != 1) carpet(x + column * w, y + row * h, w, h, depth - 1);
}

}  // namespace

void draw_scissor(int width, int height) {
    glViewport(0, 0, width, height);
    glClearColor(0.12f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    carpet(0, 0, width, height, 4);

    const GLuint program = build_program(
        R"(attribute vec2 position;
           void main() { gl_Position = vec4(position, 0.0, 1.0); })",
        R"(precision mediump float;
           uniform vec4 color;
           void main() { gl_FragColor = color; })",
        {"position"});
    glUseProgram(program);
    const GLfloat positions[] = {-0.9f, -0.9f, 0.9f, -0.6f, -0.2f, 0.95f};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(0);
    const GLint color = glGetUniformLocation(program, "color");
    for (int i = 0; i < 4; ++i) {
        const int x = (i & 1) * width / 2, y = (i >> 1) * height / 2;
        glScissor(x + width / 10, y + height / 10, width * 3 / 10, height * 3 / 10);
        glUniform4f(color, i & 1 ? 1.0f : 0.2f, i & 2 ? 1.0f : 0.3f, 0.9f - 0.2f * float(i), 1);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glScissor(0, 0, 0, 0);  // nothing may be drawn
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace example
