// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Boxes on a spiral, all in one instanced draw. One uniform block has the common values, another one the
// materials. Attributes that advance once per instance have each box's position, rotation and material. Four
// samples per pixel, resolved by a blit.
#include <GLES3/gl3.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/multisampled.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kBoxes = 1200, kMaterials = 8;

struct Box {
    GLfloat place[4];  // w: its size
    GLfloat turn;
    GLuint material;
};

/// std140.
struct Camera {
    Matrix projection, view;
    GLfloat lamp[4];
};
struct Materials {
    GLfloat color[kMaterials][4];  // alpha: its gloss
};

std::vector<Box> spiral() {
    std::vector<Box> boxes;
    for (int i = 0; i < kBoxes; ++i) {
        const float t = float(i) / kBoxes, a = 75 * std::sqrt(t), r = 0.2f + 3.6f * std::sqrt(t);
        boxes.push_back({{r * std::cos(a), 0.9f * std::cos(7 * t), r * std::sin(a), 0.03f + 0.07f * t},
                         3 * a,
                         GLuint(i) % kMaterials});
    }
    return boxes;
}

Materials rainbow() {
    Materials m{};
    for (int i = 0; i < kMaterials; ++i)
        for (int c = 0; c < 4; ++c)
            m.color[i][c] =
                c == 3 ? 8 + 9.0f * float(i) : 0.5f + 0.45f * std::cos(0.8f * float(i) + 2.1f * float(c));
    return m;
}

/// Binds the buffer to the binding, and the program's block to it.
template <class T>
void bind_block(GLuint program, const char* name, GLuint binding, GLuint buffer, const T& value) {
    glBindBufferBase(GL_UNIFORM_BUFFER, binding, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(T), &value, GL_STATIC_DRAW);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, name), binding);
}

void use_boxes(const std::vector<Box>& boxes, GLuint buffer) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(boxes.size() * sizeof(Box)), boxes.data(), GL_STATIC_DRAW);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, sizeof(Box),
                          reinterpret_cast<const void*>(offsetof(Box, place)));
    glVertexAttribPointer(4, 1, GL_FLOAT, GL_FALSE, sizeof(Box),
                          reinterpret_cast<const void*>(offsetof(Box, turn)));
    glVertexAttribIPointer(5, 1, GL_UNSIGNED_INT, sizeof(Box),
                           reinterpret_cast<const void*>(offsetof(Box, material)));
    for (GLuint i = 3; i < 6; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
}

}  // namespace

void draw_instances(int width, int height) {
    const GLuint program = build_program(
        R"(#version 300 es
           layout(location = 0) in vec3 position;
           layout(location = 1) in vec3 normal;
           layout(location = 3) in vec4 place;
           layout(location = 4) in float turn;
           layout(location = 5) in uint material;
           layout(std140) uniform Camera { mat4 projection, view; vec4 lamp; };
           out vec3 v_position, v_normal;
           flat out uint v_material;
           void main() {
               mat3 spin = mat3(cos(turn), 0, -sin(turn), 0, 1, 0, sin(turn), 0, cos(turn));
               vec4 p = view * vec4(spin * position * place.w * vec3(1, 1.0 + 2.0 * place.w / 0.1, 1) +
                                        place.xyz, 1);
               v_position = p.xyz;
               v_normal = mat3(view) * (spin * normal);
               v_material = material;
               gl_Position = projection * p;
           })",
        R"(#version 300 es
           precision highp float;
           layout(std140) uniform Camera { mat4 projection, view; vec4 lamp; };
           layout(std140) uniform Materials { vec4 color[8]; } materials;
           in vec3 v_position, v_normal;
           flat in uint v_material;
           out vec4 pixel;
           void main() {
               vec4 material = materials.color[v_material];
               vec3 n = normalize(v_normal), to_lamp = normalize(lamp.xyz - v_position);
               float gloss = pow(max(dot(n, normalize(to_lamp - normalize(v_position))), 0.0), material.w);
               pixel = vec4(material.rgb * (0.15 + 0.85 * max(dot(n, to_lamp), 0.0)) + 0.5 * gloss, 1);
           })",
        {});
    GLuint buffers[3];
    make_buffers(3, buffers);
    const Camera camera = {perspective(0.7f, float(width) / float(height), 1, 30),
                           translate(0, 0.4f, -11) * rotate_x(0.7f),
                           {4, 6, 2, 1}};
    bind_block(program, "Camera", 0, buffers[0], camera);
    bind_block(program, "Materials", 3, buffers[1], rainbow());
    use_boxes(spiral(), buffers[2]);
    const Cube cube = make_cube();
    use_cube(cube);

    Multisampled target(width, height, 4);
    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glClearColor(0.03f, 0.03f, 0.05f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    glDrawElementsInstanced(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, cube.indices, kBoxes);
    target.resolve();
}

}  // namespace example
