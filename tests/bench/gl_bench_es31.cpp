// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gl_bench's compute cases, for OpenGL ES 3.1. Each compares its results with those of plain C++ code before
// it is timed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/bench/gl_bench.h"

namespace bench {
namespace {

GLuint compute(const std::string& body) {
    const std::string text =
        "#version 310 es\nprecision highp float; precision highp int; precision highp image2D;\n" + body;
    const char* const t = text.c_str();
    const GLuint p = gl(glCreateProgram)(), s = gl(glCreateShader)(GL_COMPUTE_SHADER);
    gl(glShaderSource)(s, 1, &t, nullptr);
    gl(glCompileShader)(s);
    gl(glAttachShader)(p, s);
    gl(glLinkProgram)(p);
    GLint ok = 0;
    gl(glGetProgramiv)(p, GL_LINK_STATUS, &ok);
    if (!ok) {
        char log[2048] = "";
        gl(glGetShaderInfoLog)(s, sizeof log, nullptr, log);
        if (!log[0]) gl(glGetProgramInfoLog)(p, sizeof log, nullptr, log);
        fail(log);
    }
    gl(glUseProgram)(p);
    return p;
}

/// Storage buffer `binding`; without data it is filled with zeros.
template <class T>
GLuint storage(GLuint binding, const std::vector<T>& data) {
    GLuint name;
    gl(glGenBuffers)(1, &name);
    gl(glBindBufferBase)(GL_SHADER_STORAGE_BUFFER, binding, name);
    gl(glBufferData)(GL_SHADER_STORAGE_BUFFER, GLsizeiptr(data.size() * sizeof(T)), data.data(),
                     GL_DYNAMIC_COPY);
    return name;
}

template <class T>
std::vector<T> contents(GLuint buffer, size_t count) {
    gl(glMemoryBarrier)(GL_BUFFER_UPDATE_BARRIER_BIT);
    gl(glBindBuffer)(GL_SHADER_STORAGE_BUFFER, buffer);
    const auto size_B = GLsizeiptr(count * sizeof(T));
    const void* const p = gl(glMapBufferRange)(GL_SHADER_STORAGE_BUFFER, 0, size_B, GL_MAP_READ_BIT);
    if (!p) fail("a result cannot be mapped");
    std::vector<T> v(count);
    std::memcpy(v.data(), p, size_t(size_B));
    gl(glUnmapBuffer)(GL_SHADER_STORAGE_BUFFER);
    return v;
}

void expect_near(const char* what, double got, double want, double tolerance) {
    if (!(std::abs(got - want) <= tolerance * std::max(1.0, std::abs(want))))
        fail(std::string(what) + " is " + std::to_string(got) + ", not " + std::to_string(want));
}

float noise(size_t i) {
    return float((i * 2654435761u >> 8) % 1024) / 512.0f - 1.0f;
}

/// c = a * b, with tiles of 16x16 in shared memory. Each invocation computes one element.
void matrix() {
    constexpr size_t kN = 512;
    compute(R"(layout(local_size_x = 16, local_size_y = 16) in;
        layout(std430, binding = 0) readonly buffer A { float a[]; };
        layout(std430, binding = 1) readonly buffer B { float b[]; };
        layout(std430, binding = 2) writeonly buffer C { float c[]; };
        const uint n = 512u;
        shared float ta[16][16], tb[16][16];
        void main() {
            uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
            uint lx = gl_LocalInvocationID.x, ly = gl_LocalInvocationID.y;
            float sum = 0.0;
            for (uint t = 0u; t < n; t += 16u) {
                ta[ly][lx] = a[y * n + t + lx];
                tb[ly][lx] = b[(t + ly) * n + x];
                barrier();
                for (uint k = 0u; k < 16u; ++k) sum += ta[ly][k] * tb[k][lx];
                barrier();
            }
            c[y * n + x] = sum;
        })");
    std::vector<float> a(kN * kN), b(kN * kN);
    for (size_t i = 0; i < a.size(); ++i) {
        a[i] = noise(i);
        b[i] = noise(i + a.size());
    }
    storage(0, a);
    storage(1, b);
    const GLuint out = storage(2, std::vector<float>(kN * kN));
    const auto frame = [&] {
        gl(glDispatchCompute)(kN / 16, kN / 16, 1);
        gl(glMemoryBarrier)(GL_SHADER_STORAGE_BARRIER_BIT);
        gl(glFinish)();
    };
    frame();
    const std::vector<float> c = contents<float>(out, kN * kN);
    for (size_t i = 0; i < c.size(); i += 997) {
        double sum = 0;
        for (size_t k = 0; k < kN; ++k)
            sum += double(a[i / kN * kN + k]) * double(b[k * kN + i % kN]);
        expect_near("an element of the product", c[i], sum, 1e-3);
    }
    rate("matrix", 2.0 * kN * kN * kN, "Mflop/s", frame);
}

/// Inclusive prefix sums of 2^20 words: sums within workgroups, a scan of the workgroups' sums, and both
/// added.
void prefix_sum() {
    constexpr uint32_t kGroup = 256, kGroups = 4096, kCount = kGroup * kGroups;
    const std::string scan = R"(
        uint scan(uint v) {
            uint i = gl_LocalInvocationIndex;
            part[i] = v;
            barrier();
            for (uint step = 1u; step < SIZE; step <<= 1u) {
                uint before = i >= step ? part[i - step] : 0u;
                barrier();
                v += before;
                part[i] = v;
                barrier();
            }
            return v;
        })";
    const GLuint within = compute(R"(layout(local_size_x = 256) in;
        layout(std430, binding = 0) readonly buffer In { uint from[]; };
        layout(std430, binding = 1) writeonly buffer Out { uint to[]; };
        layout(std430, binding = 2) writeonly buffer Sums { uint sums[]; };
        const uint SIZE = 256u; shared uint part[256];)" +
                                  scan + R"(
        void main() {
            uint v = scan(from[gl_GlobalInvocationID.x]);
            to[gl_GlobalInvocationID.x] = v;
            if (gl_LocalInvocationIndex == 255u) sums[gl_WorkGroupID.x] = v;
        })");
    const GLuint of_sums = compute(R"(layout(local_size_x = 128) in;
        layout(std430, binding = 2) buffer Sums { uint sums[]; };
        const uint SIZE = 128u; shared uint part[128];)" +
                                   scan + R"(
        void main() {
            uint first = gl_LocalInvocationIndex * 32u, sum = 0u;
            for (uint k = 0u; k < 32u; ++k) sum += sums[first + k];
            uint before = scan(sum) - sum;
            for (uint k = 0u; k < 32u; ++k) {
                uint v = sums[first + k]; sums[first + k] = before; before += v;
            }
        })");
    const GLuint add = compute(R"(layout(local_size_x = 256) in;
        layout(std430, binding = 1) buffer Out { uint to[]; };
        layout(std430, binding = 2) readonly buffer Sums { uint sums[]; };
        void main() { to[gl_GlobalInvocationID.x] += sums[gl_WorkGroupID.x]; })");
    std::vector<uint32_t> in(kCount);
    for (size_t i = 0; i < in.size(); ++i)
        in[i] = uint32_t(i * 2654435761u >> 20);
    storage(0, in);
    const GLuint out = storage(1, std::vector<uint32_t>(kCount));
    storage(2, std::vector<uint32_t>(kGroups));
    const auto frame = [&] {
        const std::pair<GLuint, GLuint> steps[] = {{within, kGroups}, {of_sums, 1}, {add, kGroups}};
        for (const auto& [p, groups] : steps) {
            gl(glUseProgram)(p);
            gl(glDispatchCompute)(groups, 1, 1);
            gl(glMemoryBarrier)(GL_SHADER_STORAGE_BARRIER_BIT);
        }
        gl(glFinish)();
    };
    frame();
    const std::vector<uint32_t> got = contents<uint32_t>(out, kCount);
    uint32_t sum = 0;
    for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != (sum += in[i])) fail("sum " + std::to_string(i) + " is wrong");
    rate("prefix_sum", kCount, "Mword/s", frame);
}

/// The accelerations of bodies that all attract each other, in tiles of 128 bodies.
void nbody() {
    constexpr size_t kBodies = 4096;
    compute(R"(layout(local_size_x = 128) in;
        layout(std430, binding = 0) readonly buffer Bodies { vec4 body[]; };
        layout(std430, binding = 1) writeonly buffer Forces { vec4 force[]; };
        shared vec4 tile[128];
        void main() {
            vec3 at = body[gl_GlobalInvocationID.x].xyz, sum = vec3(0.0);
            for (uint t = 0u; t < 4096u; t += 128u) {
                tile[gl_LocalInvocationIndex] = body[t + gl_LocalInvocationIndex];
                barrier();
                for (uint k = 0u; k < 128u; ++k) {
                    vec3 d = tile[k].xyz - at;
                    float inverse = inversesqrt(dot(d, d) + 0.01);
                    sum += d * (tile[k].w * inverse * inverse * inverse);
                }
                barrier();
            }
            force[gl_GlobalInvocationID.x] = vec4(sum, 0.0);
        })");
    std::vector<float> bodies(kBodies * 4);
    for (size_t i = 0; i < bodies.size(); ++i)
        bodies[i] = i % 4 == 3 ? 1.0f + 0.5f * noise(i) : 4 * noise(i * 7);
    storage(0, bodies);
    const GLuint out = storage(1, std::vector<float>(kBodies * 4));
    const auto frame = [&] {
        gl(glDispatchCompute)(kBodies / 128, 1, 1);
        gl(glMemoryBarrier)(GL_SHADER_STORAGE_BARRIER_BIT);
        gl(glFinish)();
    };
    frame();
    const std::vector<float> got = contents<float>(out, kBodies * 4);
    for (size_t i = 0; i < kBodies; i += 97) {
        double sum[3] = {};
        for (size_t k = 0; k < kBodies; ++k) {
            double d[3], square = 0.01;
            for (size_t c = 0; c < 3; ++c) {
                d[c] = double(bodies[k * 4 + c]) - double(bodies[i * 4 + c]);
                square += d[c] * d[c];
            }
            for (size_t c = 0; c < 3; ++c)
                sum[c] += d[c] * double(bodies[k * 4 + 3]) / (square * std::sqrt(square));
        }
        for (size_t c = 0; c < 3; ++c)
            expect_near("a force", got[i * 4 + c], sum[c], 1e-2);
    }
    rate("nbody", double(kBodies) * kBodies, "Mpair/s", frame);
}

/// The mean of 5x5 texels, from one image to another.
void image_blur() {
    compute(R"(layout(local_size_x = 16, local_size_y = 8) in;
        layout(rgba8, binding = 0) readonly uniform image2D from;
        layout(rgba8, binding = 1) writeonly uniform image2D to;
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            vec4 sum = vec4(0.0);
            for (int y = -2; y <= 2; ++y)
                for (int x = -2; x <= 2; ++x)
                    sum += imageLoad(from, clamp(at + ivec2(x, y), ivec2(0), ivec2(1023)));
            imageStore(to, at, sum / 25.0);
        })");
    std::vector<uint8_t> texels(size_t(kSize_px) * kSize_px * 4);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = uint8_t(i * 2654435761u >> 17);
    GLuint images[2], framebuffer;
    gl(glGenTextures)(2, images);
    for (GLuint i = 0; i < 2; ++i) {
        gl(glBindTexture)(GL_TEXTURE_2D, images[i]);
        gl(glTexStorage2D)(GL_TEXTURE_2D, 1, GL_RGBA8, kSize_px, kSize_px);
        if (i == 0)
            gl(glTexSubImage2D)(GL_TEXTURE_2D, 0, 0, 0, kSize_px, kSize_px, GL_RGBA, GL_UNSIGNED_BYTE,
                                texels.data());
        gl(glBindImageTexture)(i, images[i], 0, GL_FALSE, 0, i ? GL_WRITE_ONLY : GL_READ_ONLY, GL_RGBA8);
    }
    const auto frame = [&] {
        gl(glDispatchCompute)(kSize_px / 16, kSize_px / 8, 1);
        gl(glMemoryBarrier)(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
        gl(glFinish)();
    };
    frame();
    gl(glGenFramebuffers)(1, &framebuffer);
    gl(glBindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
    gl(glFramebufferTexture2D)(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, images[1], 0);
    std::vector<uint8_t> got(texels.size());
    gl(glReadPixels)(0, 0, kSize_px, kSize_px, GL_RGBA, GL_UNSIGNED_BYTE, got.data());
    for (int i = 0; i < kSize_px * kSize_px; i += 331) {
        double sum = 0;
        for (int y = -2; y <= 2; ++y)
            for (int x = -2; x <= 2; ++x)
                sum += texels[size_t(std::clamp(i / kSize_px + y, 0, kSize_px - 1) * kSize_px +
                                     std::clamp(i % kSize_px + x, 0, kSize_px - 1)) *
                              4];
        if (std::abs(got[size_t(i) * 4] - sum / 25) > 1) fail("a pixel of the blur is wrong");
    }
    rate("image_blur", double(kSize_px) * kSize_px, "Mpix/s", frame);
}

/// A histogram of 2^22 bytes: each workgroup counts in shared memory and adds its counts to the result.
void histogram() {
    constexpr uint32_t kWords = 1 << 20;
    compute(R"(layout(local_size_x = 256) in;
        layout(std430, binding = 0) readonly buffer In { uint from[]; };
        layout(std430, binding = 1) buffer Out { uint bins[256]; };
        shared uint counts[256];
        void main() {
            counts[gl_LocalInvocationIndex] = 0u;
            barrier();
            uint first = gl_WorkGroupID.x * 4096u + gl_LocalInvocationIndex;
            for (uint k = 0u; k < 16u; ++k) {
                uint word = from[first + k * 256u];
                for (int b = 0; b < 4; ++b) atomicAdd(counts[bitfieldExtract(word, b * 8, 8)], 1u);
            }
            barrier();
            atomicAdd(bins[gl_LocalInvocationIndex], counts[gl_LocalInvocationIndex]);
        })");
    std::vector<uint32_t> words(kWords), want(256), zeros(256);
    for (size_t i = 0; i < words.size(); ++i) {
        words[i] = uint32_t(i * 2654435761u ^ i >> 3);
        for (int b = 0; b < 32; b += 8)
            ++want[words[i] >> b & 255];
    }
    storage(0, words);
    const GLuint out = storage(1, zeros);
    const auto frame = [&] {
        gl(glBindBuffer)(GL_SHADER_STORAGE_BUFFER, out);
        gl(glBufferSubData)(GL_SHADER_STORAGE_BUFFER, 0, 1024, zeros.data());
        gl(glDispatchCompute)(kWords / 4096, 1, 1);
        gl(glMemoryBarrier)(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl(glFinish)();
    };
    frame();
    if (contents<uint32_t>(out, 256) != want) fail("the histogram is wrong");
    rate("histogram", double(kWords) * 4, "Mbyte/s", frame);
}

const Case kCases[] = {
    {"matrix", matrix, 31},         {"prefix_sum", prefix_sum, 31}, {"nbody", nbody, 31},
    {"image_blur", image_blur, 31}, {"histogram", histogram, 31},
};

}  // namespace

std::span<const Case> es31_cases() {
    return kCases;
}

}  // namespace bench
