// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The smallest program: one triangle, a colour at each corner, interpolated between them.
#include <GLES2/gl2.h>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {

void draw_triangle(int width, int height) {
    const GLuint program = build_program(
        R"(attribute vec2 position;
           attribute vec3 color;
           varying vec3 v_color;
           void main() {
               v_color = color;
               gl_Position = vec4(position, 0.0, 1.0);
           })",
        R"(precision mediump float;
           varying vec3 v_color;
           void main() {
               gl_FragColor = vec4(v_color, 1.0);
           })",
        {"position", "color"});

    const GLfloat positions[] = {-0.8f, -0.7f, 0.8f, -0.7f, 0.0f, 0.8f};
    const GLfloat colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    glViewport(0, 0, width, height);
    glClearColor(0.1f, 0.1f, 0.15f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, colors);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace example
