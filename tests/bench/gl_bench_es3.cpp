// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gl_bench's cases of OpenGL ES 3.0. Each checks a pixel, or captured values, before it is timed.
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/bench/gl_bench.h"

namespace bench {
namespace {

constexpr char kQuad[] = R"(#version 300 es
in vec4 position; in vec4 data; out vec4 v; void main() { gl_Position = position; v = data; })";

std::string fragment(const std::string& body) {
    return "#version 300 es\nprecision highp float; precision highp sampler2DArray; precision highp "
           "sampler2DShadow;\n"
           "precision highp sampler3D; in vec4 v; " +
           body;
}

/// A framebuffer of textures of the surface's size. It is bound afterwards.
void bind_targets(int count, GLenum format) {
    GLuint framebuffer;
    GLenum buffers[8];
    gl(glGenFramebuffers)(1, &framebuffer);
    gl(glBindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < count; ++i) {
        GLuint texture;
        gl(glGenTextures)(1, &texture);
        gl(glBindTexture)(GL_TEXTURE_2D, texture);
        gl(glTexStorage2D)(GL_TEXTURE_2D, 1, format, kSize_px, kSize_px);
        buffers[i] = GL_COLOR_ATTACHMENT0 + GLenum(i);
        gl(glFramebufferTexture2D)(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, texture, 0);
    }
    gl(glDrawBuffers)(count, buffers);
}

/// Full-screen quads, `layers` of them in each frame.
void fill(const char* name, int layers, int r, int g, int b) {
    const auto frame = [&] {
        gl(glClear)(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < layers; ++i)
            gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
        gl(glFinish)();
    };
    frame();
    expect_middle(r, g, b, 2);
    rate(name, double(layers) * kSize_px * kSize_px, "Mpix/s", frame);
}

void mrt() {
    program(
        kQuad,
        fragment(
            "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 "
            "c; "
            "layout(location = 3) out vec4 d; void main() { a = v; b = v.yxzw; c = v * v; d = 1.0 - v; }"));
    bind_quad(kSize_px);
    bind_targets(4, GL_RGBA8);
    fill("mrt", 4, 127, 127, 64);
}

std::vector<uint8_t> texels(size_t count) {
    std::vector<uint8_t> t(count * 4);
    for (size_t i = 0; i < t.size(); ++i)
        t[i] = i % 4 == 3 ? 255 : uint8_t(100 + 50 * (i % 4));
    return t;
}

void layered_texture(GLenum target, int size, int layers, bool mipmaps) {
    GLuint name;
    gl(glGenTextures)(1, &name);
    gl(glBindTexture)(target, name);
    gl(glTexImage3D)(target, 0, GL_RGBA8, size, size, layers, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels(size_t(size) * size_t(size) * size_t(layers)).data());
    if (mipmaps) gl(glGenerateMipmap)(target);
    gl(glTexParameteri)(target, GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    gl(glTexParameteri)(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

void texture_array() {
    layered_texture(GL_TEXTURE_2D_ARRAY, 512, 8, true);
    program(kQuad, fragment("uniform sampler2DArray image; out vec4 c; void main() { c = texture(image, "
                            "vec3(v.xy, floor(v.x * 8.0))); }"));
    bind_quad(700);
    fill("texture_array", 4, 100, 150, 200);
}

void texture_3d() {
    layered_texture(GL_TEXTURE_3D, 128, 128, false);
    program(kQuad, fragment("uniform sampler3D image; out vec4 c; void main() { c = texture(image, "
                            "vec3(v.xy, v.x * v.y)); }"));
    bind_quad(700);
    fill("texture_3d", 4, 100, 150, 200);
}

void shadow_map() {
    std::vector<float> depths(size_t(kSize_px) * kSize_px);
    for (size_t i = 0; i < depths.size(); ++i)
        depths[i] = i % kSize_px / 64 % 2 ? 0.9f : 0.1f;
    GLuint name;
    gl(glGenTextures)(1, &name);
    gl(glBindTexture)(GL_TEXTURE_2D, name);
    gl(glTexImage2D)(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, kSize_px, kSize_px, 0, GL_DEPTH_COMPONENT,
                     GL_FLOAT, depths.data());
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        gl(glTexParameteri)(GL_TEXTURE_2D, filter, GL_LINEAR);
    gl(glTexParameteri)(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    program(kQuad,
            fragment("uniform sampler2DShadow image; out vec4 c; void main() {\n"
                     "float lit = texture(image, vec3(v.xy, 0.5)); c = vec4(lit, 1.0 - lit, 0.25, 1.0); }"));
    bind_quad(900);  // the middle is at texel 450, where the depth is 0.9
    fill("shadow_map", 4, 255, 0, 64);
}

constexpr int kCells = 64;

/// A grid of triangles with legs of 16 px, indexed.
GLsizei bind_grid() {
    std::vector<float> v;
    std::vector<uint16_t> index;
    for (int y = 0; y <= kCells; ++y)
        for (int x = 0; x <= kCells; ++x)
            v.insert(v.end(),
                     {float(x) * 2 / kCells - 1, float(y) * 2 / kCells - 1, 0, 1, 0.5f, 0.25f, 0.75f, 1});
    for (int y = 0; y < kCells; ++y)
        for (int x = 0; x < kCells; ++x) {
            const int a = y * (kCells + 1) + x, b = a + kCells + 1;
            for (const int i : {a, a + 1, b, b, a + 1, b + 1})
                index.push_back(uint16_t(i));
        }
    GLuint buffers[2];
    gl(glGenBuffers)(2, buffers);
    gl(glBindBuffer)(GL_ARRAY_BUFFER, buffers[0]);
    gl(glBufferData)(GL_ARRAY_BUFFER, GLsizeiptr(v.size() * 4), v.data(), GL_STATIC_DRAW);
    gl(glBindBuffer)(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    gl(glBufferData)(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(index.size() * 2), index.data(), GL_STATIC_DRAW);
    for (GLuint i = 0; i < 2; ++i) {
        gl(glVertexAttribPointer)(i, 4, GL_FLOAT, GL_FALSE, 32, reinterpret_cast<void*>(size_t(i) * 16));
        gl(glEnableVertexAttribArray)(i);
    }
    return GLsizei(index.size());
}

/// Four samples a pixel, a depth test, and one resolve a frame.
void multisample() {
    constexpr int kLayers = 4;
    const GLuint p = program(R"(#version 300 es
        in vec4 position; in vec4 data; uniform float z; out vec4 v;
        void main() { gl_Position = vec4(position.xy, z, 1); v = data; })",
                             fragment("out vec4 c; void main() { c = v; }"));
    const GLint z = gl(glGetUniformLocation)(p, "z");
    const GLsizei count = bind_grid();
    GLuint framebuffer, renderbuffers[2];
    gl(glGenFramebuffers)(1, &framebuffer);
    gl(glGenRenderbuffers)(2, renderbuffers);
    gl(glBindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 2; ++i) {
        gl(glBindRenderbuffer)(GL_RENDERBUFFER, renderbuffers[i]);
        gl(glRenderbufferStorageMultisample)(GL_RENDERBUFFER, 4, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8,
                                             kSize_px, kSize_px);
        gl(glFramebufferRenderbuffer)(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                      GL_RENDERBUFFER, renderbuffers[i]);
    }
    gl(glEnable)(GL_DEPTH_TEST);
    const auto frame = [&] {
        gl(glBindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
        gl(glClear)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) {
            gl(glUniform1f)(z, 0.5f - 0.1f * float(i));
            gl(glDrawElements)(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, nullptr);
        }
        gl(glBindFramebuffer)(GL_DRAW_FRAMEBUFFER, 0);
        gl(glBlitFramebuffer)(0, 0, kSize_px, kSize_px, 0, 0, kSize_px, kSize_px, GL_COLOR_BUFFER_BIT,
                              GL_NEAREST);
        gl(glFinish)();
    };
    frame();
    gl(glBindFramebuffer)(GL_FRAMEBUFFER, 0);
    expect_middle(127, 64, 191);
    rate("multisample", double(kLayers) * kSize_px * kSize_px, "Mpix/s", frame);
}

/// Small draws, with new contents of a uniform block before each.
void block_updates() {
    constexpr int kDraws = 2000;
    program(kQuad, fragment("layout(std140) uniform Block { vec4 color; vec4 more[15]; }; out vec4 c; void "
                            "main() { c = color + more[3]; }"));
    bind_quad(kSize_px);
    GLuint buffer;
    gl(glGenBuffers)(1, &buffer);
    gl(glBindBufferBase)(GL_UNIFORM_BUFFER, 0, buffer);
    float block[64] = {};
    gl(glBufferData)(GL_UNIFORM_BUFFER, sizeof block, block, GL_DYNAMIC_DRAW);
    gl(glViewport)(kSize_px / 2, kSize_px / 2, 2, 2);
    const auto frame = [&] {
        for (int i = 0; i < kDraws; ++i) {
            block[0] = float(i & 1);
            block[1] = 0.5f;
            gl(glBufferSubData)(GL_UNIFORM_BUFFER, 0, sizeof block, block);
            gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
        }
        gl(glFinish)();
    };
    frame();
    expect_middle(255, 128, 0);
    rate("block_updates", kDraws, "Mdraw/s", frame);
}

void feedback() {
    constexpr int kVertices = 1 << 18;
    program(R"(#version 300 es
        in vec4 position; in vec4 data; out vec4 moved;
        void main() { moved = position + 0.25 * data; gl_Position = moved; })",
            "#version 300 es\nvoid main() {}", "moved");
    std::vector<float> v(size_t(kVertices) * 8);
    for (size_t i = 0; i < v.size(); ++i)
        v[i] = float(i % 1024);
    GLuint buffers[2];
    gl(glGenBuffers)(2, buffers);
    gl(glBindBuffer)(GL_ARRAY_BUFFER, buffers[0]);
    gl(glBufferData)(GL_ARRAY_BUFFER, GLsizeiptr(v.size() * 4), v.data(), GL_STATIC_DRAW);
    for (GLuint i = 0; i < 2; ++i) {
        gl(glVertexAttribPointer)(i, 4, GL_FLOAT, GL_FALSE, 32, reinterpret_cast<void*>(size_t(i) * 16));
        gl(glEnableVertexAttribArray)(i);
    }
    gl(glBindBufferBase)(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1]);
    gl(glBufferData)(GL_TRANSFORM_FEEDBACK_BUFFER, GLsizeiptr(kVertices) * 16, nullptr, GL_DYNAMIC_COPY);
    gl(glEnable)(GL_RASTERIZER_DISCARD);
    const auto frame = [&] {
        gl(glBeginTransformFeedback)(GL_POINTS);
        gl(glDrawArrays)(GL_POINTS, 0, kVertices);
        gl(glEndTransformFeedback)();
        gl(glFinish)();
    };
    frame();
    const auto* const out = static_cast<const float*>(
        gl(glMapBufferRange)(GL_TRANSFORM_FEEDBACK_BUFFER, 0, GLsizeiptr(kVertices) * 16, GL_MAP_READ_BIT));
    const size_t last = kVertices - 1;
    if (!out || out[last * 4] != v[last * 8] + 0.25f * v[last * 8 + 4])
        fail("the last vertex was not captured");
    gl(glUnmapBuffer)(GL_TRANSFORM_FEEDBACK_BUFFER);
    rate("feedback", kVertices, "Mvert/s", frame);
}

/// 10,000 boxes of 12 triangles, a few pixels each.
void instances() {
    constexpr int kInstances = 10000, kSide = 100;
    program(R"(#version 300 es
        in vec4 position; in vec2 data; out vec4 v; void main() {
        gl_Position = vec4(position.xy * 0.008 + data, position.z * 0.5, 1);
        v = vec4(position.xyz * 0.5 + 0.5, 1); })",
            fragment("out vec4 c; void main() { c = v; }"));
    std::vector<float> corners, places;
    for (int i = 0; i < 8; ++i)
        corners.insert(corners.end(), {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f, 1});
    for (int i = 0; i < kInstances; ++i)
        places.insert(places.end(),
                      {(float(i % kSide) + 0.5f) * 2 / kSide - 1, (float(i / kSide) + 0.5f) * 2 / kSide - 1});
    static const uint8_t kIndex[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    GLuint buffers[2];
    gl(glGenBuffers)(2, buffers);
    for (GLuint i = 0; i < 2; ++i) {
        const std::vector<float>& v = i ? places : corners;
        gl(glBindBuffer)(GL_ARRAY_BUFFER, buffers[i]);
        gl(glBufferData)(GL_ARRAY_BUFFER, GLsizeiptr(v.size() * 4), v.data(), GL_STATIC_DRAW);
        gl(glVertexAttribPointer)(i, i ? 2 : 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl(glEnableVertexAttribArray)(i);
    }
    gl(glVertexAttribDivisor)(1, 1);
    gl(glEnable)(GL_DEPTH_TEST);
    const auto frame = [&] {
        gl(glClear)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl(glDrawElementsInstanced)(GL_TRIANGLES, 36, GL_UNSIGNED_BYTE, kIndex, kInstances);
        gl(glFinish)();
    };
    frame();
    // The corner between four boxes is 5.12 px away from their centres; the boxes extend to 4.1 px. The pixel
    // stays clear.
    expect_middle(0, 0, 0);
    uint8_t px[4];
    gl(glReadPixels)(kSize_px / 2 + 5, kSize_px / 2 + 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
    if (px[0] < 100 || px[0] > 150 || px[2] > 2) fail("a box is not where it should be");
    rate("instances", kInstances, "Minst/s", frame);
}

/// A program of ESSL 3.10 with lights in a uniform block, integers, an array texture and a comparison.
void first_draw_es3() {
    const char* const vertex = R"(#version 310 es
in vec4 position; in vec4 data; layout(std140) uniform Frame { mat4 view; mat3 normals; vec4 eye; };
out vec3 n; out vec3 to_eye; out vec3 at; flat out int layer;
void main() { gl_Position = position; n = normalize(normals * data.xyz + data.xyz);
    to_eye = (view * position).xyz - eye.xyz;
    at = vec3(data.xy * SEED, 0.5); layer = gl_VertexID & 3; })";
    const char* const fragment = R"(#version 310 es
precision highp float; precision highp int;
precision mediump sampler2DArray; precision mediump sampler2DShadow;
struct Light { vec4 place; vec4 color; }; layout(std140) uniform Lights { Light lights[4]; ivec4 count; };
layout(binding = 0) uniform sampler2DArray image; layout(binding = 1) uniform sampler2DShadow shadow;
in vec3 n; in vec3 to_eye; in vec3 at; flat in int layer;
layout(location = 0) out vec4 color;
void main() {
    vec3 base = texture(image, vec3(at.xy, float(layer))).rgb, sum = vec3(0.1) * base, m = normalize(n);
    for (int i = 0; i < min(count.x, 4); ++i) {
        vec3 l = normalize(lights[i].place.xyz - to_eye);
        float d = max(dot(m, l), 0.0) * texture(shadow, at);
        sum += lights[i].color.rgb *
               (base * d + pow(max(dot(reflect(-l, m), normalize(-to_eye)), 0.0), 20.0));
    }
    uint bits = packHalf2x16(sum.xy) ^ uint(layer << 3);
    color = vec4(unpackHalf2x16(bits), sum.z, SEED);
})";
    GLuint buffer;
    gl(glGenBuffers)(1, &buffer);
    gl(glBindBuffer)(GL_UNIFORM_BUFFER, buffer);
    gl(glBufferData)(GL_UNIFORM_BUFFER, 1024, nullptr, GL_STATIC_DRAW);
    gl(glBindBufferBase)(GL_UNIFORM_BUFFER, 0, buffer);
    first_draw("first_draw_es3", vertex, fragment);
}

const Case kCases[] = {
    {"first_draw_es3", first_draw_es3, 31},
    {"multisample", multisample, 30},
    {"block_updates", block_updates, 30},
    {"feedback", feedback, 30},
    {"instances", instances, 30},
    {"texture_array", texture_array, 30},
    {"shadow_map", shadow_map, 30},
    {"texture_3d", texture_3d, 30},
    {"mrt", mrt, 30},
};

}  // namespace

std::span<const Case> es3_cases() {
    return kCases;
}

}  // namespace bench
