// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Many objects in one draw. OpenGL ES 2.0 has no instancing, so each vertex has its object's data: position,
// rotation, colour. The program then issues only one draw.
#include <GLES2/gl2.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

struct Vertex {
    GLfloat position[3], normal[3];
    GLfloat place[4];  // of the object: x, y, z, size
    GLfloat turn[2];   // of the object: angles about x and y
    GLubyte color[4];
};

/// A small generator of numbers that look random and are the same on every machine.
struct Random {
    uint32_t state = 12345;
    float operator()(float low, float high) {
        state = state * 1664525u + 1013904223u;
        return low + (high - low) * float(state >> 8) / 16777216.0f;
    }
};

}  // namespace

void draw_batches(int width, int height) {
    const GLuint program = build_program(
        R"(uniform mat4 projection;
           attribute vec3 position, normal;
           attribute vec4 place;
           attribute vec2 turn;
           attribute vec4 color;
           varying vec3 v_color;
           vec3 turned(vec3 p) {
               vec2 s = sin(turn), c = cos(turn);
               p = vec3(p.x, c.x * p.y - s.x * p.z, s.x * p.y + c.x * p.z);
               return vec3(c.y * p.x + s.y * p.z, p.y, c.y * p.z - s.y * p.x);
           }
           void main() {
               float light = 0.4 + 0.6 * max(dot(turned(normal), vec3(0.48, 0.6, 0.64)), 0.0);
               v_color = color.rgb * light;
               gl_Position = projection * vec4(turned(position) * place.w + place.xyz, 1.0);
           })",
        R"(precision mediump float;
           varying vec3 v_color;
           void main() {
               gl_FragColor = vec4(v_color, 1.0);
           })",
        {"position", "normal", "place", "turn", "color"});

    // 20 x 20 cubes of 24 vertices and 36 indices.
    const Cube cube = make_cube();
    Random random;
    std::vector<Vertex> vertices;
    std::vector<GLushort> indices;
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 20; ++column) {
            const GLushort first = GLushort(vertices.size());
            const float x = float(column) - 9.5f + random(-0.3f, 0.3f),
                        y = float(row) - 9.5f + random(-0.3f, 0.3f);
            const float z = -24 + random(-4, 4), size = random(0.15f, 0.45f);
            const float turn_x = random(0, 3.1f), turn_y = random(0, 3.1f);
            const GLubyte r = GLubyte(random(60, 255)), g = GLubyte(random(60, 255)),
                          b = GLubyte(random(60, 255));
            for (const CubeVertex& v : cube.vertices)
                vertices.push_back({{v.position[0], v.position[1], v.position[2]},
                                    {v.normal[0], v.normal[1], v.normal[2]},
                                    {x, y, z, size},
                                    {turn_x, turn_y},
                                    {r, g, b, 255}});
            for (GLushort i : cube.indices)
                indices.push_back(GLushort(first + i));
        }

    // Buffer objects: drawing again does not copy them again.
    GLuint buffers[2];
    make_buffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(indices.size() * sizeof(GLushort)), indices.data(),
                 GL_STATIC_DRAW);
    auto attribute = [](GLuint i, GLint components, GLenum type, GLboolean normalized, size_t offset) {
        glVertexAttribPointer(i, components, type, normalized, sizeof(Vertex),
                              reinterpret_cast<const void*>(offset));
        glEnableVertexAttribArray(i);
    };
    attribute(0, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, position));
    attribute(1, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, normal));
    attribute(2, 4, GL_FLOAT, GL_FALSE, offsetof(Vertex, place));
    attribute(3, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, turn));
    attribute(4, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, color));

    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.05f, 0.05f, 0.1f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    const Matrix projection = perspective(0.8f, float(width) / float(height), 1, 40);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    glDrawElements(GL_TRIANGLES, GLsizei(indices.size()), GL_UNSIGNED_SHORT, nullptr);
}

}  // namespace example
