// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A landscape of 708 x 708 squares, which is 1,002,528 triangles, in one draw with 32-bit indices
// (GL_OES_element_index_uint).
#include <GLES2/gl2.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSquares = 708, kPoints = kSquares + 1;

/// Hills: a sum of a few waves.
float height_at(float x, float y) {
    return 0.10f * std::sin(5 * x + 2 * y) + 0.06f * std::sin(9 * y - 4 * x + 1) +
           0.02f * std::sin(31 * x) * std::sin(29 * y);
}

std::vector<GLfloat> make_points() {
    std::vector<GLfloat> out;
    out.reserve(size_t(kPoints) * kPoints * 3);
    for (int row = 0; row < kPoints; ++row)
        for (int column = 0; column < kPoints; ++column) {
            const float x = 2.0f * float(column) / kSquares - 1, y = 2.0f * float(row) / kSquares - 1;
            out.insert(out.end(), {x, height_at(x, y), -y});
        }
    return out;
}

std::vector<GLuint> make_indices() {
    std::vector<GLuint> out;
    out.reserve(size_t(kSquares) * kSquares * 6);
    for (GLuint row = 0; row < kSquares; ++row)
        for (GLuint column = 0; column < kSquares; ++column) {
            const GLuint a = row * kPoints + column, b = a + 1, c = a + kPoints, d = c + 1;
            out.insert(out.end(), {a, b, c, c, b, d});
        }
    return out;
}

}  // namespace

void draw_million(int width, int height) {
    if (!std::strstr(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)),
                     "GL_OES_element_index_uint")) {
        std::fprintf(stderr, "million: this OpenGL ES has no GL_OES_element_index_uint\n");
        std::exit(1);
    }
    const GLuint program = build_program(
        R"(uniform mat4 matrix;
           attribute vec3 position;
           varying float v_height;
           void main() {
               v_height = position.y;
               gl_Position = matrix * vec4(position, 1.0);
           })",
        R"(precision mediump float;
           varying float v_height;
           void main() {
               float t = clamp(v_height * 3.0 + 0.5, 0.0, 1.0);
               float band = fract(v_height * 40.0) < 0.15 ? 0.75 : 1.0;  // lines of equal height
               gl_FragColor = vec4(mix(vec3(0.1, 0.25, 0.5), vec3(0.9, 0.85, 0.6), t) * band, 1.0);
           })",
        {"position"});
    const std::vector<GLfloat> points = make_points();
    const std::vector<GLuint> indices = make_indices();
    GLuint buffers[2];
    make_buffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(points.size() * sizeof(GLfloat)), points.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(indices.size() * sizeof(GLuint)), indices.data(),
                 GL_STATIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);

    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.7f, 0.8f, 0.9f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    const Matrix matrix = perspective(0.8f, float(width) / float(height), 0.5f, 10) * translate(0, 0, -2.6f) *
                          rotate_x(0.7f) * rotate_y(0.5f);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix.m);
    glDrawElements(GL_TRIANGLES, GLsizei(indices.size()), GL_UNSIGNED_INT, nullptr);
}

}  // namespace example
