// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A cloud: its density is a 3D texture with one 8-bit channel, its light another one, computed in advance.
// The fragment shader marches through both along its pixel's ray, and stops where the cloud is opaque.
#include <GLES3/gl3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {
namespace {

constexpr int kSize = 48;

using Voxels = std::vector<uint8_t>;

float lattice(int x, int y, int z) {
    unsigned h = unsigned(x) * 374761393u + unsigned(y) * 668265263u + unsigned(z) * 2246822519u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return float((h ^ (h >> 16)) & 0xffff) / 65535;
}

/// Values of a lattice, interpolated.
float noise(float x, float y, float z) {
    const float fx = std::floor(x), fy = std::floor(y), fz = std::floor(z);
    const float t[3] = {x - fx, y - fy, z - fz};
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const float weight = (i ? t[0] : 1 - t[0]) * (j ? t[1] : 1 - t[1]) * (k ? t[2] : 1 - t[2]);
        sum += weight * lattice(int(fx) + i, int(fy) + j, int(fz) + k);
    }
    return sum;
}

Voxels make_cloud() {
    Voxels v(size_t(kSize) * kSize * kSize);
    size_t at = 0;
    for (int z = 0; z < kSize; ++z)
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                const float p[3] = {(float(x) + 0.5f) / kSize, (float(y) + 0.5f) / kSize,
                                    (float(z) + 0.5f) / kSize};
                float sum = 0, scale = 5, weight = 0.55f;
                for (int octave = 0; octave < 4; ++octave, scale *= 2, weight *= 0.5f)
                    sum += weight * noise(p[0] * scale, p[1] * scale, p[2] * scale);
                const float dx = p[0] - 0.5f, dy = (p[1] - 0.45f) * 1.5f, dz = p[2] - 0.5f;
                const float density = (sum - 0.22f - 1.7f * (dx * dx + dy * dy + dz * dz)) * 2.2f;
                v[at++] = uint8_t(std::lround(std::clamp(density, 0.0f, 1.0f) * 255));
            }
    return v;
}

/// The light from above that reaches each voxel.
Voxels make_light(const Voxels& cloud) {
    Voxels v(cloud.size());
    for (int z = 0; z < kSize; ++z)
        for (int x = 0; x < kSize; ++x) {
            float light = 1;
            for (int y = kSize - 1; y >= 0; --y) {
                const size_t at = (size_t(z) * kSize + size_t(y)) * kSize + size_t(x);
                v[at] = uint8_t(std::lround(light * 255));
                light *= 1 - 0.16f * float(cloud[at]) / 255;
            }
        }
    return v;
}

void make_texture(GLenum unit, GLuint name, const Voxels& voxels) {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_3D, name);
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_R8, kSize, kSize, kSize);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, kSize, kSize, kSize, GL_RED, GL_UNSIGNED_BYTE, voxels.data());
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glTexParameteri(GL_TEXTURE_3D, wrap, GL_CLAMP_TO_EDGE);
}

}  // namespace

void draw_volume(int width, int height) {
    const GLuint program = build_program(
        R"(#version 300 es
           uniform mat4 turn;
           uniform float aspect;
           out vec3 v_eye, v_ray;
           void main() {
               vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
               v_eye = (turn * vec4(0, 0, 1.9, 1)).xyz;
               v_ray = (turn * vec4(p.x * 0.38 * aspect, p.y * 0.38, -1, 0)).xyz;
               gl_Position = vec4(p, 0, 1);
           })",
        R"(#version 300 es
           precision highp float;
           precision highp sampler3D;
           uniform sampler3D cloud, light;
           in vec3 v_eye, v_ray;
           out vec4 pixel;
           void main() {
               vec3 ray = normalize(v_ray);
               vec3 sky = mix(vec3(0.5, 0.66, 0.85), vec3(0.1, 0.25, 0.6), 0.5 + ray.y);
               vec3 a = (-0.5 - v_eye) / ray, b = (0.5 - v_eye) / ray, low = min(a, b), high = max(a, b);
               float from = max(max(low.x, low.y), low.z), to = min(min(high.x, high.y), high.z);
               vec3 sum = vec3(0);
               float left = 1.0;
               const float kStep = 1.0 / 64.0;
               for (float t = from; t < to && left > 0.02; t += kStep) {
                   vec3 at = v_eye + ray * t + 0.5;
                   float density = textureLod(cloud, at, 0.0).r;
                   if (density == 0.0) continue;
                   float share = left * (1.0 - exp(-density * 14.0 * kStep));
                   sum += share *
                          mix(vec3(0.28, 0.3, 0.4), vec3(1.0, 0.97, 0.9), textureLod(light, at, 0.0).r);
                   left -= share;
               }
               pixel = vec4(sum + left * sky, 1);
           })",
        {});
    const Voxels cloud = make_cloud();
    GLuint textures[2];
    glGenTextures(2, textures);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    make_texture(GL_TEXTURE0, textures[0], cloud);
    make_texture(GL_TEXTURE1, textures[1], make_light(cloud));
    glViewport(0, 0, width, height);
    glUseProgram(program);
    const Matrix turn = rotate_y(-0.7f) * rotate_x(0.25f);
    glUniformMatrix4fv(glGetUniformLocation(program, "turn"), 1, GL_FALSE, turn.m);
    glUniform1f(glGetUniformLocation(program, "aspect"), float(width) / float(height));
    glUniform1i(glGetUniformLocation(program, "cloud"), 0);
    glUniform1i(glGetUniformLocation(program, "light"), 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace example
