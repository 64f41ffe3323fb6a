// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A ring lit per pixel by two lamps (Blinn-Phong), from buffer objects, with back faces culled. Degenerate
// triangles join its strips.
#include <GLES2/gl2.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kAround = 48, kTube = 24;

struct Vertex {
    GLfloat position[3];
    GLbyte normal[4];  // signed bytes are precise enough for a direction
};

std::vector<Vertex> ring_vertices() {
    std::vector<Vertex> out;
    for (int i = 0; i <= kAround; ++i)
        for (int j = 0; j <= kTube; ++j) {
            const float a = float(i % kAround) * 6.2831853f / kAround,
                        b = float(j % kTube) * 6.2831853f / kTube;
            const float n[3] = {std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
            Vertex v{};
            for (int k = 0; k < 3; ++k)
                v.normal[k] = GLbyte(std::lround(n[k] * 127));
            v.position[0] = std::cos(a) + 0.4f * n[0];
            v.position[1] = std::sin(a) + 0.4f * n[1];
            v.position[2] = 0.4f * n[2];
            out.push_back(v);
        }
    return out;
}

std::vector<GLushort> ring_strip() {
    std::vector<GLushort> out;
    for (int i = 0; i < kAround; ++i) {
        const int row = i * (kTube + 1), next = row + kTube + 1;
        if (i > 0) out.push_back(GLushort(row));  // repeated: joins this strip to the last one
        for (int j = 0; j <= kTube; ++j) {
            out.push_back(GLushort(row + j));
            out.push_back(GLushort(next + j));
        }
        if (i + 1 < kAround) out.push_back(GLushort(next + kTube));
    }
    return out;
}

}  // namespace

void draw_torus(int width, int height) {
    const GLuint program = build_program(
        R"(uniform mat4 projection, model;
           attribute vec3 position, normal;
           varying vec3 v_normal, v_position;
           void main() {
               vec4 p = model * vec4(position, 1.0);
               v_position = p.xyz;
               v_normal = (model * vec4(normal, 0.0)).xyz;
               gl_Position = projection * p;
           })",
        R"(precision highp float;
           uniform vec3 lamps[2];
           uniform vec3 colors[2];
           varying vec3 v_normal, v_position;
           void main() {
               vec3 n = normalize(v_normal), to_eye = normalize(-v_position);
               vec3 sum = vec3(0.06, 0.05, 0.08);
               for (int i = 0; i < 2; ++i) {
                   vec3 to_lamp = normalize(lamps[i] - v_position);
                   float matte = max(dot(n, to_lamp), 0.0);
                   float gloss = pow(max(dot(n, normalize(to_lamp + to_eye)), 0.0), 40.0);
                   sum += colors[i] * (0.7 * matte + 0.8 * gloss);
               }
               gl_FragColor = vec4(sum, 1.0);
           })",
        {"position", "normal"});

    const std::vector<Vertex> vertices = ring_vertices();
    const std::vector<GLushort> strip = ring_strip();
    GLuint buffers[2];
    make_buffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(strip.size() * sizeof(GLushort)), strip.data(),
                 GL_STATIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                          reinterpret_cast<const void*>(offsetof(Vertex, position)));
    glVertexAttribPointer(1, 3, GL_BYTE, GL_TRUE, sizeof(Vertex),
                          reinterpret_cast<const void*>(offsetof(Vertex, normal)));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);

    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glClearColor(0.02f, 0.02f, 0.04f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    const Matrix projection = perspective(0.8f, float(width) / float(height), 1, 20);
    const Matrix model = translate(0, 0, -4.2f) * rotate_x(-0.9f) * rotate_y(0.3f);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    glUniformMatrix4fv(glGetUniformLocation(program, "model"), 1, GL_FALSE, model.m);
    const GLfloat lamps[] = {3, 3, 0, -3, 1, -1}, colors[] = {0.9f, 0.7f, 0.4f, 0.2f, 0.4f, 0.9f};
    glUniform3fv(glGetUniformLocation(program, "lamps"), 2, lamps);
    glUniform3fv(glGetUniformLocation(program, "colors"), 2, colors);
    glDrawElements(GL_TRIANGLE_STRIP, GLsizei(strip.size()), GL_UNSIGNED_SHORT, nullptr);
}

}  // namespace example
