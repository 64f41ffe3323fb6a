// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Deferred shading. The first pass writes colour, normal and depth of the visible surfaces to several
// targets. The second pass lights each pixel with all lamps, whose positions are in a uniform block.
#include <GLES3/gl3.h>

#include <cmath>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kLamps = 60, kSide = 7;  // cubes along a side

struct Lamps {
    GLfloat place[kLamps][4], color[kLamps][4];
};

Lamps scatter() {
    Lamps l{};
    for (int i = 0; i < kLamps; ++i) {
        const float a = 2.4f * float(i), r = 0.55f * std::sqrt(float(i));
        const float place[3] = {r * std::cos(a), 0.55f + 0.3f * std::sin(3.0f * float(i)), r * std::sin(a)};
        for (int c = 0; c < 3; ++c) {
            l.place[i][c] = place[c];
            l.color[i][c] = 0.16f + 0.14f * std::cos(1.7f * float(i) + 2.1f * float(c));
        }
    }
    return l;
}

/// The geometry's targets: colour, normal and depth.
struct Targets {
    GLuint framebuffer = 0, textures[3] = {};
};

Targets make_targets(int width, int height) {
    Targets t;
    glGenFramebuffers(1, &t.framebuffer);
    glGenTextures(3, t.textures);
    glBindFramebuffer(GL_FRAMEBUFFER, t.framebuffer);
    const GLenum formats[] = {GL_RGBA8, GL_RGB10_A2, GL_DEPTH_COMPONENT24};
    const GLenum places[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_DEPTH_ATTACHMENT};
    for (int i = 0; i < 3; ++i) {
        glActiveTexture(GL_TEXTURE0 + GLenum(i));
        glBindTexture(GL_TEXTURE_2D, t.textures[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[i], width, height);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glFramebufferTexture2D(GL_FRAMEBUFFER, places[i], GL_TEXTURE_2D, t.textures[i], 0);
    }
    const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, buffers);
    return t;
}

void draw_surfaces(const Matrix& view) {
    const GLuint program = build_program(
        R"(#version 300 es
           layout(location = 0) in vec3 position;
           layout(location = 1) in vec3 normal;
           uniform mat4 view;
           uniform int side;
           out vec3 v_normal, v_place;
           void main() {
               // The last instance is the floor, the others are cubes.
               int n = side * side;
               vec2 cell = vec2(gl_InstanceID % side, gl_InstanceID / side) - float(side - 1) * 0.5;
               bool floor_ = gl_InstanceID == n;
               float height = 0.15 + 0.3 * fract(sin(dot(cell, vec2(12.9, 78.2))) * 43.75);
               vec3 size = floor_ ? vec3(6, 0.02, 6) : vec3(0.2, height, 0.2);
               vec3 at = floor_ ? vec3(0, -0.02, 0) : vec3(cell.x, height, cell.y);
               v_place = position * size + at;
               v_normal = normal;
               gl_Position = view * vec4(v_place, 1);
           })",
        R"(#version 300 es
           precision highp float;
           in vec3 v_normal, v_place;
           layout(location = 0) out vec4 color;
           layout(location = 1) out vec4 normal;
           void main() {
               vec2 square = floor(v_place.xz * 2.0);
               float dark = v_normal.y > 0.5 && v_place.y < 0.01 ? mod(square.x + square.y, 2.0) : 0.0;
               color = vec4(vec3(0.9, 0.88, 0.8) * (1.0 - 0.6 * dark), 1);
               normal = vec4(normalize(v_normal) * 0.5 + 0.5, 1);
           })",
        {});
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view.m);
    glUniform1i(glGetUniformLocation(program, "side"), kSide);
    const Cube cube = make_cube();
    use_cube(cube);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    const GLfloat black[] = {0, 0, 0, 0}, one = 1;
    glClearBufferfv(GL_COLOR, 0, black);
    glClearBufferfv(GL_COLOR, 1, black);
    glClearBufferfv(GL_DEPTH, 0, &one);
    glDrawElementsInstanced(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, cube.indices, kSide * kSide + 1);
    glDisable(GL_DEPTH_TEST);
}

void draw_light(const Matrix& view, const Lamps& lamps) {
    const GLuint program = build_program(
        R"(#version 300 es
           uniform highp mat4 view;
           flat out mat4 v_to_world;
           void main() {
               v_to_world = inverse(view);
               gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0, 1);
           })",
        R"(#version 300 es
           precision highp float;
           uniform sampler2D colors, normals, depths;
           layout(std140) uniform Lamps { vec4 place[60], color[60]; } lamps;
           flat in mat4 v_to_world;
           out vec4 pixel;
           void main() {
               ivec2 at = ivec2(gl_FragCoord.xy);
               float depth = texelFetch(depths, at, 0).x;
               if (depth == 1.0) {
                   pixel = vec4(0.02, 0.02, 0.03, 1);
                   return;
               }
               vec2 size = vec2(textureSize(depths, 0));
               vec4 p = v_to_world * vec4(vec3(gl_FragCoord.xy / size, depth) * 2.0 - 1.0, 1);
               vec3 place = p.xyz / p.w, n = texelFetch(normals, at, 0).xyz * 2.0 - 1.0, light = vec3(0.02);
               for (int i = 0; i < lamps.place.length(); ++i) {
                   vec3 to_lamp = lamps.place[i].xyz - place;
                   float d2 = dot(to_lamp, to_lamp);
                   light += lamps.color[i].rgb * max(dot(n, to_lamp) * inversesqrt(d2), 0.0) /
                            (0.1 + 2.0 * d2);
               }
               pixel = vec4(texelFetch(colors, at, 0).rgb * light, 1);
           })",
        {});
    GLuint buffer;
    make_buffers(1, &buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof lamps, &lamps, GL_STATIC_DRAW);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view.m);
    glUniform1i(glGetUniformLocation(program, "colors"), 0);
    glUniform1i(glGetUniformLocation(program, "normals"), 1);
    glUniform1i(glGetUniformLocation(program, "depths"), 2);
    for (GLuint i = 0; i < 3; ++i)
        glDisableVertexAttribArray(i);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace

void draw_deferred(int width, int height) {
    GLint window = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &window);
    const Matrix view = perspective(0.75f, float(width) / float(height), 1, 30) * translate(0, 0.1f, -8.5f) *
                        rotate_x(0.6f) * rotate_y(0.45f);
    glViewport(0, 0, width, height);
    (void)make_targets(width, height);
    draw_surfaces(view);
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(window));
    draw_light(view, scatter());
}

}  // namespace example
