// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gl_bench's cases of OpenGL ES 2.0.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/bench/gl_bench.h"

namespace bench {
namespace {

// --- fill --------------------------------------------------------------------------------------------------

constexpr const char* kQuadVertex = R"(
attribute vec4 position; attribute vec4 data; uniform float z; varying vec4 v;
void main() { gl_Position = vec4(position.xy, z, 1.0); v = data; })";
constexpr const char* kFlat =
    R"(precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; })";
constexpr const char* kVarying =
    R"(precision mediump float; varying vec4 v; void main() { gl_FragColor = v; })";
constexpr const char* kTexture =
    R"(precision mediump float; varying vec4 v; uniform sampler2D image; void main() {
    gl_FragColor = texture2D(image, v.xy); })";
constexpr const char* kPhong =
    R"(precision highp float; varying vec4 v; uniform sampler2D image; void main() {
    vec3 n = normalize(vec3(v.xy - 0.5, 0.5)), l = normalize(vec3(0.3, 0.4, 0.8)), e = vec3(0.0, 0.0, 1.0);
    float d = max(dot(n, l), 0.0), s = pow(max(dot(reflect(-l, n), e), 0.0), 20.0);
    gl_FragColor = vec4(texture2D(image, v.xy).rgb * (0.1 + d) + 0.5 * s, 1.0); })";

/// A filter of 5x5 texels, like that of glmark2's effect2d.
std::string kernel5x5() {
    std::string sum;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x)
            sum += std::string(sum.empty() ? "" : " + ") + "texture2D(image, v.xy + vec2(" +
                   std::to_string(x) + ".0, " + std::to_string(y) + ".0) * texel) * 0.04";
    return "precision mediump float; varying vec4 v; uniform sampler2D image;\n"
           "const float texel = 1.0 / 1024.0;\n"
           "void main() { vec4 sum = " +
           sum + "; gl_FragColor = vec4(sum.xyz, 1.0); }";
}

void image(GLint min, GLint mag) {
    std::vector<uint8_t> texels(size_t(kSize_px) * kSize_px * 4);
    unsigned seed = 12345;
    for (uint8_t& t : texels)
        t = uint8_t((seed = seed * 1664525u + 1013904223u) >> 24);
    GLuint name;
    gl(glGenTextures)(1, &name);
    gl(glBindTexture)(GL_TEXTURE_2D, name);
    gl(glTexImage2D)(GL_TEXTURE_2D, 0, GL_RGBA, kSize_px, kSize_px, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels.data());
    gl(glGenerateMipmap)(GL_TEXTURE_2D);
    gl(glTexParameteri)(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
    gl(glTexParameteri)(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
}

/// Frames of `layers` full-screen quads; `z(i)` is the depth of quad i.
void fill(const char* name, const char* fragment, const std::function<float(int)>& z,
          float texels = kSize_px) {
    constexpr int kLayers = 8;
    const GLuint p = program(kQuadVertex, fragment);
    gl(glUniform4f)(gl(glGetUniformLocation)(p, "color"), 0.2f, 0.4f, 0.6f, 0.5f);
    const GLint depth = gl(glGetUniformLocation)(p, "z");
    bind_quad(texels);
    rate(name, double(kLayers) * kSize_px * kSize_px, "Mpix/s", [&] {
        gl(glClear)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) {
            gl(glUniform1f)(depth, z(i));
            gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
        }
        gl(glFinish)();
    });
}

float no_depth(int) {
    return 0;
}

/// Likewise, but hidden by the first pass' depth. Each layer is a pass that loads the depth buffer. Two
/// colour buffers alternate.
void depth_rejected_passes() {
    constexpr int kLayers = 8;
    const GLuint p = program(kQuadVertex, kVarying);
    const GLint depth = gl(glGetUniformLocation)(p, "z");
    bind_quad(kSize_px);
    GLuint buffers[3], framebuffers[2];
    gl(glGenRenderbuffers)(3, buffers);
    gl(glGenFramebuffers)(2, framebuffers);
    for (int i = 0; i < 3; ++i) {
        gl(glBindRenderbuffer)(GL_RENDERBUFFER, buffers[i]);
        gl(glRenderbufferStorage)(GL_RENDERBUFFER, i == 2 ? GL_DEPTH_COMPONENT16 : GL_RGB565, kSize_px,
                                  kSize_px);
    }
    const auto bind = [&](int i) { gl(glBindFramebuffer)(GL_FRAMEBUFFER, framebuffers[i]); };
    for (int i = 0; i < 2; ++i) {
        bind(i);
        gl(glFramebufferRenderbuffer)(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[i]);
        gl(glFramebufferRenderbuffer)(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[2]);
        gl(glClear)(GL_COLOR_BUFFER_BIT);
    }
    gl(glEnable)(GL_DEPTH_TEST);
    gl(glClearDepthf)(0.25f);
    rate("depth_rejected_passes", double(kLayers) * kSize_px * kSize_px, "Mpix/s", [&] {
        bind(0);
        gl(glClear)(GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) {
            bind(i & 1);
            gl(glUniform1f)(depth, 0.1f * float(i));
            gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
        }
        gl(glFinish)();
    });
    bind(0);
    expect_middle(0, 0, 0, 0);
    bind(1);
    expect_middle(0, 0, 0, 0);
    gl(glUniform1f)(depth, -0.75f);
    gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
    expect_middle(128, 128, 64, 6);
}

// --- triangles ---------------------------------------------------------------------------------------------

constexpr const char* kMeshVertex = R"(
attribute vec4 position; attribute vec4 data; varying vec4 v;
void main() { gl_Position = position; v = data; })";

/// A grid of right triangles with legs of 2 px, with 16-bit indices, in several draws.
void triangles(const char* name, bool culled) {
    constexpr int kCells = kSize_px / 2, kRows = 64;  // rows of cells in a draw: 513 * 65 vertices
    program(kMeshVertex, kVarying);
    std::vector<float> v;
    for (int y = 0; y <= kCells; ++y)
        for (int x = 0; x <= kCells; ++x)
            v.insert(v.end(), {float(x) * 4 / kSize_px - 1, float(y) * 4 / kSize_px - 1, 0, 1, float(x & 1),
                               float(y & 1), 0.5f, 1.0f});
    std::vector<uint16_t> index;
    for (int y = 0; y < kRows; ++y)
        for (int x = 0; x < kCells; ++x) {
            const auto a = uint16_t(y * (kCells + 1) + x), b = uint16_t(a + kCells + 1);
            for (const int i : {int(a), a + 1, int(b), int(b), a + 1, b + 1})
                index.push_back(uint16_t(i));
        }
    GLuint buffers[2];
    gl(glGenBuffers)(2, buffers);
    gl(glBindBuffer)(GL_ARRAY_BUFFER, buffers[0]);
    gl(glBufferData)(GL_ARRAY_BUFFER, GLsizeiptr(v.size() * 4), v.data(), GL_STATIC_DRAW);
    gl(glBindBuffer)(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    gl(glBufferData)(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(index.size() * 2), index.data(), GL_STATIC_DRAW);
    gl(glEnableVertexAttribArray)(0);
    gl(glEnableVertexAttribArray)(1);
    if (culled) {
        gl(glEnable)(GL_CULL_FACE);
        gl(glCullFace)(GL_FRONT);
    }
    rate(name, double(kCells) * kCells * 2, "Mtri/s", [&] {
        gl(glClear)(GL_COLOR_BUFFER_BIT);
        for (int row = 0; row < kCells; row += kRows) {
            const size_t at = size_t(row) * (kCells + 1) * 32;
            gl(glVertexAttribPointer)(0, 4, GL_FLOAT, GL_FALSE, 32, reinterpret_cast<void*>(at));
            gl(glVertexAttribPointer)(1, 4, GL_FLOAT, GL_FALSE, 32, reinterpret_cast<void*>(at + 16));
            gl(glDrawElements)(GL_TRIANGLES, GLsizei(index.size()), GL_UNSIGNED_SHORT, nullptr);
        }
        gl(glFinish)();
    });
}

// --- programs ----------------------------------------------------------------------------------------------

/// A program with three Phong lights and a texture.
void first_draw_es2() {
    const char* const vertex = R"(
attribute vec4 position; attribute vec4 data; uniform mat4 mvp; uniform mat4 view; uniform mat3 normals;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() { gl_Position = position + 0.0 * (mvp * position); n = normalize(normals * data.xyz + data.xyz);
    eye = (view * position).xyz + position.xyz; at = data.xy * SEED; })";
    const char* const fragment = R"(
precision mediump float;
uniform sampler2D image; uniform vec3 light[3]; uniform vec3 color[3]; uniform float shininess;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() {
    vec3 base = texture2D(image, at).rgb, sum = vec3(0.1) * base, v = normalize(-eye), m = normalize(n);
    for (int i = 0; i < 3; ++i) {
        vec3 l = normalize(light[i] - eye);
        float d = max(dot(m, l), 0.0);
        float s = d > 0.0 ? pow(max(dot(reflect(-l, m), v), 0.0), shininess) : 0.0;
        sum += color[i] * (base * d + s);
    }
    gl_FragColor = vec4(sum, SEED);
})";
    image(GL_NEAREST, GL_NEAREST);
    first_draw("first_draw", vertex, fragment);
}

/// Draws of one small triangle.
void draws() {
    constexpr int kDraws = 10000;
    const GLuint p = program(kQuadVertex, kFlat);
    const GLint color = gl(glGetUniformLocation)(p, "color");
    bind_quad(kSize_px);
    gl(glViewport)(0, 0, 2, 2);
    rate("draws", kDraws, "Mdraw/s", [&] {
        for (int i = 0; i < kDraws; ++i) {
            gl(glUniform4f)(color, float(i & 1), 0, 0, 1);
            gl(glDrawArrays)(GL_TRIANGLES, 0, 3);
        }
        gl(glFinish)();
    });
}

const Case kCases[] = {
    {"flat", [] { fill("flat", kFlat, no_depth); }},
    {"blend",
     [] {
         gl(glEnable)(GL_BLEND);
         gl(glBlendFunc)(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
         fill("blend", kVarying, no_depth);
     }},
    {"depth",
     [] {
         gl(glEnable)(GL_DEPTH_TEST);
         fill("depth", kFlat, [](int i) { return 0.9f - 0.1f * float(i); });
     }},
    {"depth_rejected",
     [] {
         gl(glEnable)(GL_DEPTH_TEST);
         gl(glClearDepthf)(0.25f);
         fill("depth_rejected", kVarying, [](int i) { return 0.1f * float(i); });
     }},
    {"depth_rejected_passes", depth_rejected_passes},
    {"varying", [] { fill("varying", kVarying, no_depth); }},
    {"nearest",
     [] {
         image(GL_NEAREST, GL_NEAREST);
         fill("nearest", kTexture, no_depth);
     }},
    {"bilinear",
     [] {
         image(GL_LINEAR, GL_LINEAR);
         fill("bilinear", kTexture, no_depth, 700);
     }},
    {"kernel5x5",
     [] {
         image(GL_NEAREST, GL_NEAREST);
         fill("kernel5x5", kernel5x5().c_str(), no_depth);
     }},
    {"kernel5x5_linear",
     [] {
         image(GL_LINEAR, GL_LINEAR);
         fill("kernel5x5_linear", kernel5x5().c_str(), no_depth, 700);
     }},
    {"trilinear",
     [] {
         image(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
         fill("trilinear", kTexture, no_depth, 1500);
     }},
    {"phong",
     [] {
         gl(glEnable)(GL_DEPTH_TEST);
         image(GL_LINEAR, GL_LINEAR);
         fill(
             "phong", kPhong, [](int i) { return 0.9f - 0.1f * float(i); }, 700);
     }},
    {"triangles", [] { triangles("triangles", false); }},
    {"triangles_culled", [] { triangles("triangles_culled", true); }},
    {"draws", draws},
    {"first_draw", first_draw_es2},
    {"start",
     [] {
         gl(glClear)(GL_COLOR_BUFFER_BIT);
         uint8_t px[4];
         gl(glReadPixels)(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
         print("start", cpu_s() * 1e3, "ms CPU");
     }},
};

}  // namespace

std::span<const Case> es2_cases() {
    return kCases;
}

}  // namespace bench
