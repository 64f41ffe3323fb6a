// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two textured cubes that intersect: the depth test decides for each pixel which one is visible.
#include <GLES2/gl2.h>

#include <vector>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

/// A 64x64 texture: bricks.
GLuint make_bricks() {
    constexpr int kSize = 64;
    std::vector<GLubyte> texels;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) {
            const int row = y / 16, shifted = x + (row & 1) * 16;
            const bool mortar = y % 16 < 2 || shifted % 32 < 2;
            const int shade = (shifted / 32 * 37 + row * 53) % 48;
            for (int c : {mortar ? 200 : 150 + shade, mortar ? 195 : 70 + shade / 2, mortar ? 185 : 50})
                texels.push_back(GLubyte(c));
        }
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, kSize, kSize, 0, GL_RGB, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return texture;
}

}  // namespace

void draw_textured_cube(int width, int height) {
    const GLuint program = build_program(
        R"(uniform mat4 projection, model;
           attribute vec3 position, normal;
           attribute vec2 texcoord;
           varying vec2 v_texcoord;
           varying float v_light;
           void main() {
               vec3 n = mat3(model[0].xyz, model[1].xyz, model[2].xyz) * normal;
               v_light = 0.35 + 0.65 * max(dot(n, vec3(0.36, 0.48, 0.8)), 0.0);
               v_texcoord = texcoord;
               gl_Position = projection * model * vec4(position, 1.0);
           })",
        R"(precision mediump float;
           uniform sampler2D bricks;
           uniform vec3 tint;
           varying vec2 v_texcoord;
           varying float v_light;
           void main() {
               gl_FragColor = vec4(texture2D(bricks, v_texcoord).rgb * tint * v_light, 1.0);
           })",
        {"position", "normal", "texcoord"});

    make_bricks();
    const Cube cube = make_cube();
    use_cube(cube);

    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glClearColor(0.2f, 0.3f, 0.4f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    const Matrix projection = perspective(0.8f, float(width) / float(height), 1, 20);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE, projection.m);
    const GLint model = glGetUniformLocation(program, "model"), tint = glGetUniformLocation(program, "tint");
    const Matrix place = translate(0, 0, -5.5f) * rotate_x(0.5f);

    glUniform3f(tint, 1, 1, 1);
    glUniformMatrix4fv(model, 1, GL_FALSE, (place * rotate_y(0.7f)).m);
    draw_cube(cube);

    glUniform3f(tint, 0.6f, 0.9f, 1.3f);
    glUniformMatrix4fv(model, 1, GL_FALSE, (place * rotate_y(1.5f) * rotate_x(0.8f)).m);
    draw_cube(cube);
}

}  // namespace example
