// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two uses of the stencil. Left: a star is drawn only to the stencil, and rings are only visible inside it.
// Right: a cube marks its pixels, and a larger, flat copy draws only the pixels around them: an outline.
#include <GLES2/gl2.h>

#include <cmath>
#include <vector>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

void draw_star() {
    // A five-pointed star as a path that crosses itself, filled by the even-odd rule. Each triangle of the
    // fan inverts the stencil of its pixels. Therefore pixels that an even number of triangles cover, such as
    // the middle, stay outside.
    const GLuint program = build_program(
        R"(attribute vec2 position;
           void main() { gl_Position = vec4(position, 0.0, 1.0); })",
        R"(void main() { gl_FragColor = vec4(1.0); })", {"position"});
    glUseProgram(program);
    std::vector<GLfloat> fan;
    for (int i = 0; i < 5; ++i) {
        const float angle = 1.5707963f + float(i * 2) * 1.2566371f;
        fan.insert(fan.end(), {0.95f * std::cos(angle), 0.95f * std::sin(angle)});
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, fan.data());
    glEnableVertexAttribArray(0);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glStencilFunc(GL_ALWAYS, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INVERT);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 5);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void draw_rings() {
    const GLuint program = build_program(
        R"(attribute vec2 corner;
           varying vec2 v_place;
           void main() {
               v_place = corner;
               gl_Position = vec4(corner, 0.0, 1.0);
           })",
        R"(precision highp float;
           varying vec2 v_place;
           void main() {
               float ring = fract(length(v_place) * 6.0);
               gl_FragColor = ring < 0.5 ? vec4(1.0, 0.85, 0.2, 1.0) : vec4(0.9, 0.3, 0.1, 1.0);
           })",
        {"corner"});
    glUseProgram(program);
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glStencilFunc(GL_NOTEQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void draw_outlined_cube(float aspect) {
    const GLuint program = build_program(
        R"(uniform mat4 projection, model;
           attribute vec3 position, normal;
           varying float v_light;
           void main() {
               vec3 n = mat3(model[0].xyz, model[1].xyz, model[2].xyz) * normal;
               v_light = 0.3 + 0.7 * max(dot(n, vec3(0.0, 0.6, 0.8)), 0.0);
               gl_Position = projection * model * vec4(position, 1.0);
           })",
        R"(precision mediump float;
           uniform vec4 color;  // alpha 0: lit
           varying float v_light;
           void main() {
               gl_FragColor = vec4(color.rgb * mix(v_light, 1.0, color.a), 1.0);
           })",
        {"position", "normal", "texcoord"});
    const Cube cube = make_cube();
    use_cube(cube);
    glUseProgram(program);
    const Matrix projection = perspective(0.8f, aspect, 1, 20);
    const Matrix model = translate(0, 0, -5) * rotate_x(0.6f) * rotate_y(0.6f);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    const GLint model_at = glGetUniformLocation(program, "model"),
                color_at = glGetUniformLocation(program, "color");

    glEnable(GL_CULL_FACE);
    glStencilFunc(GL_ALWAYS, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glUniformMatrix4fv(model_at, 1, GL_FALSE, model.m);
    glUniform4f(color_at, 0.4f, 0.7f, 0.5f, 0);
    draw_cube(cube);

    glStencilFunc(GL_NOTEQUAL, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glUniformMatrix4fv(model_at, 1, GL_FALSE, (model * scale(1.12f)).m);
    glUniform4f(color_at, 1, 1, 0.3f, 1);
    draw_cube(cube);
}

}  // namespace

void draw_stencil(int width, int height) {
    glClearColor(0.15f, 0.15f, 0.25f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glViewport(0, height / 4, width / 2, height / 2);
    draw_star();
    draw_rings();
    glViewport(width / 2, height / 4, width - width / 2, height / 2);
    draw_outlined_cube(float(width - width / 2) / float(height / 2));
}

}  // namespace example
