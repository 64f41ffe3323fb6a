// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Points of increasing size, point sprites (gl_PointCoord), and lines: separate ones of increasing width, a
// strip, a loop.
#include <GLES2/gl2.h>

#include <cmath>
#include <vector>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

struct Vertex {
    GLfloat x, y, size;
    GLfloat r, g, b;
};

void draw(GLenum mode, const std::vector<Vertex>& vertices) {
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), &vertices[0].x);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), &vertices[0].r);
    glDrawArrays(mode, 0, GLsizei(vertices.size()));
}

constexpr char kVertex[] =
    R"(attribute vec3 position;  // x, y, point size
       attribute vec3 color;
       varying vec3 v_color;
       void main() {
           v_color = color;
           gl_Position = vec4(position.xy, 0.0, 1.0);
           gl_PointSize = position.z;
       })";

void draw_points(float unit) {
    const GLuint flat_program = build_program(kVertex,
                                              R"(precision mediump float;
           varying vec3 v_color;
           void main() { gl_FragColor = vec4(v_color, 1.0); })",
                                              {"position", "color"});
    glUseProgram(flat_program);
    std::vector<Vertex> row;
    for (int i = 0; i < 16; ++i)
        row.push_back(
            {-0.94f + float(i) * 0.125f, 0.9f, float(i + 1) * unit, 1, 1 - float(i) / 16, float(i) / 16});
    draw(GL_POINTS, row);

    const GLuint sprite_program = build_program(kVertex,
                                                R"(precision mediump float;
           varying vec3 v_color;
           void main() {
               vec2 p = gl_PointCoord * 2.0 - 1.0;
               float r = dot(p, p);
               if (r > 1.0)
                   discard;
               // A ball, lit from the upper left; gl_PointCoord's y increases downwards.
               float light = max(dot(vec3(p, sqrt(1.0 - r)), vec3(-0.48, -0.6, 0.64)), 0.0);
               gl_FragColor = vec4(v_color * (0.25 + 0.75 * light), 1.0);
           })",
                                                {"position", "color"});
    glUseProgram(sprite_program);
    row.clear();
    for (int i = 0; i < 6; ++i)
        row.push_back({-0.85f + float(i) * 0.34f, 0.58f, (12 + 6 * float(i)) * unit, 0.3f + 0.12f * float(i),
                       0.9f - 0.1f * float(i), 1});
    draw(GL_POINTS, row);
}

void draw_lines(float unit) {
    for (int i = 0; i < 10; ++i) {
        glLineWidth(float(i + 1) * unit);
        const float x = -0.92f + float(i) * 0.2f;
        draw(GL_LINES, {{x, 0.02f, 1, 1, 0.5f, 0.2f}, {x + 0.12f, 0.32f, 1, 0.2f, 0.5f, 1}});
    }
    glLineWidth(1);
    std::vector<Vertex> spiral;
    for (int i = 0; i <= 200; ++i) {
        const float t = float(i) / 200, angle = t * 25;
        spiral.push_back(
            {-0.5f + 0.44f * t * std::cos(angle), -0.5f + 0.44f * t * std::sin(angle), 1, t, 1 - t, 0.6f});
    }
    draw(GL_LINE_STRIP, spiral);

    // Every slope: a star of lines, and the loop around it.
    std::vector<Vertex> star, loop;
    for (int i = 0; i < 24; ++i) {
        const float angle = float(i) * 0.2617994f, x = 0.42f * std::cos(angle), y = 0.42f * std::sin(angle);
        star.push_back({0.5f, -0.5f, 1, 1, 1, 1});
        star.push_back({0.5f + x, -0.5f + y, 1, 0, 0.6f, 0.3f});
        loop.push_back({0.5f + 1.05f * x, -0.5f + 1.05f * y, 1, 1, 1, 0.4f});
    }
    draw(GL_LINES, star);
    draw(GL_LINE_LOOP, loop);
}

}  // namespace

void draw_points_lines(int width, int height) {
    const float unit = float(height) / 256;  // sizes are in pixels
    glViewport(0, 0, width, height);
    glClearColor(0.1f, 0.12f, 0.15f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    draw_points(unit);
    const GLuint program = build_program(kVertex,
                                         R"(precision mediump float;
           varying vec3 v_color;
           void main() { gl_FragColor = vec4(v_color, 1.0); })",
                                         {"position", "color"});
    glUseProgram(program);
    draw_lines(unit);
}

}  // namespace example
