// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A mirror ball in a room. The room is a cube map: six pictures, looked up by a direction. The ball's
// fragment shader reflects the view at its surface and samples the room in that direction.
#include <GLES2/gl2.h>

#include <vector>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSize = 64;

/// Each face has its colour, a grid, and a bright disc (a lamp) in the middle.
void make_room() {
    const int colors[6][3] = {{200, 80, 70}, {80, 170, 90},  {235, 235, 225},
                              {110, 90, 70}, {80, 110, 200}, {210, 180, 80}};
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    for (GLenum face = 0; face < 6; ++face) {
        std::vector<GLubyte> texels;
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                const int dx = 2 * x + 1 - kSize, dy = 2 * y + 1 - kSize;
                const bool lamp = dx * dx + dy * dy < 24 * 24, line = x % 16 == 0 || y % 16 == 0;
                for (int c : colors[face])
                    texels.push_back(GLubyte(lamp ? 255 : line ? c / 3 : c));
                texels.push_back(255);
            }
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, texels.data());
    }
    glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

}  // namespace

void draw_cube_map(int width, int height) {
    // One rectangle over the whole picture; the fragment shader intersects its ray with the ball.
    const GLuint program = build_program(
        R"(uniform float aspect;
           attribute vec2 corner;
           varying vec2 v_ray;
           void main() {
               v_ray = corner * vec2(aspect, 1.0);
               gl_Position = vec4(corner, 0.0, 1.0);
           })",
        R"(precision highp float;
           uniform samplerCube room;
           varying vec2 v_ray;
           void main() {
               vec3 ray = normalize(vec3(v_ray, -1.3));
               vec3 centre = vec3(0.0, 0.0, -2.4);
               float along = dot(ray, centre);
               float root = along * along - dot(centre, centre) + 1.0;
               vec3 direction = ray;
               float shade = 1.0;
               if (root > 0.0) {
                   vec3 normal = ray * (along - sqrt(root)) - centre;
                   direction = reflect(ray, normal);
                   shade = 0.85;
               }
               // Rotate the room so that a corner of it is visible.
               direction = vec3(0.8 * direction.x - 0.6 * direction.z, direction.y,
                                0.6 * direction.x + 0.8 * direction.z);
               gl_FragColor = vec4(textureCube(room, direction).rgb * shade, 1.0);
           })",
        {"corner"});
    make_room();

    glViewport(0, 0, width, height);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "aspect"), float(width) / float(height));
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace example
