// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A framebuffer object: cubes are drawn into a texture with its own depth buffer. The texture is then shown
// twice: on a tilted screen (with generated mipmaps), and below through a filter that finds edges.
#include <GLES2/gl2.h>

#include <cstdio>
#include <cstdlib>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSize = 128;

void draw_cubes() {
    const GLuint program = build_program(
        R"(uniform mat4 projection, model;
           attribute vec3 position, normal;
           attribute vec2 texcoord;
           varying vec3 v_color;
           void main() {
               vec3 n = mat3(model[0].xyz, model[1].xyz, model[2].xyz) * normal;
               float light = 0.35 + 0.65 * max(dot(n, vec3(0.36, 0.48, 0.8)), 0.0);
               v_color = light * (0.5 + 0.5 * normal) + 0.1 * vec3(texcoord, 0.0);
               gl_Position = projection * model * vec4(position, 1.0);
           })",
        R"(precision mediump float;
           varying vec3 v_color;
           void main() { gl_FragColor = vec4(v_color, 1.0); })",
        {"position", "normal", "texcoord"});
    const Cube cube = make_cube();
    use_cube(cube);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(program);
    const Matrix projection = perspective(0.8f, 1, 1, 30);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    const GLint model = glGetUniformLocation(program, "model");
    for (int i = 0; i < 9; ++i) {
        const Matrix m = translate(float(i % 3 - 1) * 2.3f, float(i / 3 - 1) * 2.3f, -11) *
                         rotate_x(0.4f + 0.3f * float(i)) * rotate_y(0.5f * float(i));
        glUniformMatrix4fv(model, 1, GL_FALSE, m.m);
        draw_cube(cube);
    }
    glDisable(GL_DEPTH_TEST);
}

/// Draws into a new texture, which stays bound.
void make_picture() {
    GLuint texture = 0, depth = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, kSize, kSize);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        std::fprintf(stderr, "the framebuffer object is not complete\n");
        std::exit(1);
    }
    glViewport(0, 0, kSize, kSize);
    glClearColor(0.85f, 0.85f, 0.8f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_cubes();
    glDeleteFramebuffers(1, &framebuffer);  // binds the first framebuffer again
    glDeleteRenderbuffers(1, &depth);
    glGenerateMipmap(GL_TEXTURE_2D);
}

constexpr char kScreenVertex[] =
    R"(uniform mat4 matrix;
       attribute vec2 corner;
       varying vec2 v_texcoord;
       void main() {
           v_texcoord = corner * 0.5 + 0.5;
           gl_Position = matrix * vec4(corner, 0.0, 1.0);
       })";

void draw_screen(GLuint program, const Matrix& matrix) {
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix.m);
    glDisableVertexAttribArray(1);
    glDisableVertexAttribArray(2);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace

void draw_render_to_texture(int width, int height) {
    make_picture();
    const GLuint plain = build_program(kScreenVertex,
                                       R"(precision mediump float;
           uniform sampler2D picture;
           varying vec2 v_texcoord;
           void main() { gl_FragColor = texture2D(picture, v_texcoord); })",
                                       {"corner"});
    const GLuint edges = build_program(kScreenVertex,
                                       R"(precision mediump float;
           uniform sampler2D picture;
           varying vec2 v_texcoord;
           const float step_size = 1.0 / 128.0;
           void main() {
               vec3 dx = texture2D(picture, v_texcoord + vec2(step_size, 0.0)).rgb -
                         texture2D(picture, v_texcoord - vec2(step_size, 0.0)).rgb;
               vec3 dy = texture2D(picture, v_texcoord + vec2(0.0, step_size)).rgb -
                         texture2D(picture, v_texcoord - vec2(0.0, step_size)).rgb;
               gl_FragColor = vec4(abs(dx) + abs(dy), 1.0);
           })",
                                       {"corner"});
    glClearColor(0.1f, 0.1f, 0.12f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glViewport(0, height / 2, width, height - height / 2);
    const float aspect = float(width) / float(height - height / 2);
    draw_screen(plain, perspective(0.8f, aspect, 0.5f, 20) * translate(0, 0, -2.9f) * rotate_y(0.6f));
    glViewport(width / 4, 0, width / 2, height / 2);
    draw_screen(edges, scale(0.95f));
}

}  // namespace example
