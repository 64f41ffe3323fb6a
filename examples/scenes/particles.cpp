// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fountain of sparks. Transform feedback moves them: each step reads their positions and velocities from
// one buffer and writes them to the other, without rasterization. Then they are drawn as points with additive
// blending.
#include <GLES3/gl3.h>

#include <cmath>
#include <vector>

#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSparks = 6000, kSteps = 90;

const char* const kNothing = R"(#version 300 es
    void main() {})";

/// Positions and velocities: three floats each.
GLuint build_step() {
    return build_program(R"(#version 300 es
        layout(location = 0) in vec3 place;
        layout(location = 1) in vec3 speed;
        uniform float seconds;
        out vec3 new_place, new_speed;
        void main() {
            vec3 pull = vec3(0, -1.6, 0) + 0.9 * vec3(-place.z, 0, place.x);
            new_speed = speed + pull * seconds;
            new_place = place + new_speed * seconds;
            if (new_place.y < -1.0) {
                new_place.y = -2.0 - new_place.y;
                new_speed *= vec3(0.7, -0.55, 0.7);
            }
        })",
                         kNothing, {}, {"new_place", "new_speed"});
}

GLuint build_drawing() {
    return build_program(R"(#version 300 es
        layout(location = 0) in vec3 place;
        layout(location = 1) in vec3 speed;
        uniform mat4 view;
        uniform float size;
        out vec3 v_color;
        void main() {
            float heat = clamp(length(speed) / 2.0, 0.0, 1.0);
            v_color = mix(vec3(0.5, 0.06, 0.02), vec3(0.45, 0.4, 0.25), heat * heat);
            gl_Position = view * vec4(place, 1);
            gl_PointSize = size / gl_Position.w;
        })",
                         R"(#version 300 es
        precision mediump float;
        in vec3 v_color;
        out vec4 pixel;
        void main() {
            float from_center = length(gl_PointCoord - 0.5) * 2.0;
            pixel = vec4(v_color * max(1.0 - from_center, 0.0), 1);
        })",
                         {});
}

std::vector<float> first_sparks() {
    std::vector<float> out;
    unsigned state = 1;
    const auto number = [&] {
        state = state * 1664525u + 1013904223u;
        return float(state >> 8) / 16777216.0f - 0.5f;
    };
    for (int i = 0; i < kSparks; ++i) {
        const float angle = 6.2831853f * number(), wide = 0.75f * (number() + 0.5f),
                    up = 2.1f + 0.5f * number() - wide;
        out.insert(out.end(), {0.05f * number(), -1, 0.05f * number()});
        out.insert(out.end(), {wide * std::cos(angle), up, wide * std::sin(angle)});
    }
    return out;
}

void use_sparks(GLuint buffer) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    for (GLuint i = 0; i < 2; ++i) {
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 24, reinterpret_cast<const void*>(size_t(i) * 12));
        glEnableVertexAttribArray(i);
    }
}

}  // namespace

void draw_particles(int width, int height) {
    const GLuint step = build_step(), drawing = build_drawing();
    const std::vector<float> sparks = first_sparks();
    GLuint buffers[2];
    make_buffers(2, buffers);
    for (const GLuint b : buffers) {
        glBindBuffer(GL_ARRAY_BUFFER, b);
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(sparks.size() * sizeof(float)), sparks.data(),
                     GL_DYNAMIC_COPY);
    }
    GLuint feedback;
    glGenTransformFeedbacks(1, &feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);

    glEnable(GL_RASTERIZER_DISCARD);
    glUseProgram(step);
    glUniform1f(glGetUniformLocation(step, "seconds"), 1.0f / 60);
    for (int i = 0; i < kSteps; ++i) {
        // Each third of them starts 25 steps after the previous one.
        const GLsizei moving = GLsizei(kSparks / 3 * (1 + (i >= 25) + (i >= 50)));
        use_sparks(buffers[i % 2]);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1 - i % 2]);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, moving);
        glEndTransformFeedback();
    }
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDisable(GL_RASTERIZER_DISCARD);

    glViewport(0, 0, width, height);
    glClearColor(0.01f, 0.01f, 0.03f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glUseProgram(drawing);
    const Matrix view = perspective(0.8f, float(width) / float(height), 0.5f, 20) *
                        translate(0, 0.15f, -3.6f) * rotate_x(0.3f);
    glUniformMatrix4fv(glGetUniformLocation(drawing, "view"), 1, GL_FALSE, view.m);
    glUniform1f(glGetUniformLocation(drawing, "size"), 0.075f * float(height));
    use_sparks(buffers[kSteps % 2]);
    glDrawArrays(GL_POINTS, 0, kSparks);
}

}  // namespace example
