// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute shaders of one workgroup with uniform blocks, storage buffers, shared memory, images and atomics.
// The IR interpreter computes the expected contents of memory. A vendor executes its compiled code on a copy.
#pragma once

#include "shaders/ir/image.h"
#include "shaders/ir/memory.h"
#include "tests/common/compiler/run.h"

namespace terrazzo::compiled {

/// A workgroup's invocations are the lanes, in one row.
class ComputeMeaning : public ir::InterpEnv {
  public:
    void load_input(const ir::IoInfo&, ir::Type, const uint32_t*, uint32_t*) override {}
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* out) override {
        const bool counts =
            (s == ir::Sysval::LocalInvocationId && component == 0) || s == ir::Sysval::LocalInvocationIndex;
        for (unsigned i = 0; i < kLanes; i++)
            out[i] = counts ? i : 0;
    }
    void store_output(const ir::IoInfo&, ir::Type, ir::InterpMask, const uint32_t*) override {}
    void tex(ir::InterpTex&) override {}
};

inline constexpr unsigned kWords = 64;

struct Buffers {
    std::vector<uint32_t> block = std::vector<uint32_t>(kWords), storage = std::vector<uint32_t>(kWords),
                          shared = std::vector<uint32_t>(kWords);
};

inline Buffers random_buffers(unsigned seed) {
    Buffers out;
    std::mt19937 random(seed);
    for (unsigned k = 0; k < kWords; k++) {
        out.block[k] = uint32_t(random() % 1000);
        out.storage[k] = uint32_t(random() % 1000);
    }
    return out;
}

class BufferMeaning : public ComputeMeaning {
  public:
    explicit BufferMeaning(Buffers& b) {
        std::vector<uint32_t>* const words[] = {&b.block, &b.storage, &b.shared};
        for (unsigned k = 0; k < 3; k++)
            ranges_[k] = {reinterpret_cast<uint8_t*>(words[k]->data()), kWords * 4};
    }
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        const unsigned k = space == ir::Storage::UniformBlock ? 0 : space == ir::Storage::Buffer ? 1 : 2;
        return {&ranges_[k], 1};
    }

  private:
    ir::MemoryRange ranges_[3];
};

inline constexpr uint32_t kWidth = 8, kHeight = 6, kDepth = 6;

/// By binding: r32i, rgba32f, rgba8, r32ui. All have slices; 2D images have one.
struct Images {
    static constexpr ir::ImageFormat kFormats[] = {ir::ImageFormat::R32i, ir::ImageFormat::Rgba32f,
                                                   ir::ImageFormat::Rgba8, ir::ImageFormat::R32ui};
    std::vector<uint32_t> texels[4];
    ir::ImageRange ranges[4];

    Images(unsigned seed, const uint32_t (&depths)[4]) {
        std::mt19937 random(seed);
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t texel_B = ir::texel_size_B(kFormats[k]);
            texels[k].resize(size_t(kWidth) * kHeight * depths[k] * texel_B / 4);
            for (uint32_t& t : texels[k])
                t = k == 1 ? std::bit_cast<uint32_t>(float(random() % 100)) : uint32_t(random() % 1000);
            ranges[k] = {.data = reinterpret_cast<uint8_t*>(texels[k].data()),
                         .format = kFormats[k],
                         .width = kWidth,
                         .height = kHeight,
                         .depth = depths[k],
                         .row_stride_B = kWidth * texel_B,
                         .slice_stride_B = uint64_t(kWidth) * kHeight * texel_B};
        }
    }
};

class ImageMeaning : public ComputeMeaning {
  public:
    explicit ImageMeaning(Images& images) : images_(images) {}
    [[nodiscard]] std::span<const ir::ImageRange> images() override { return images_.ranges; }

  private:
    Images& images_;
};

/// Links the text and calls compare(seed, shader, interpret) for some seeds. interpret(env) executes the IR.
template <class F>
void check_compute(const std::string& text, F&& compare) {
    std::string log;
    const auto program = link_compute(text, &log);
    CAPTURE(log);
    REQUIRE(program);
    const ir::Shader& shader = *program->stages[size_t(ir::Stage::Compute)];
    for (unsigned seed = 1; seed < 4; seed++)
        compare(seed, shader, [&](ComputeMeaning& env) {
            const auto code = ir::InterpProgram::create(shader, kLanes);
            ir::InterpState state(*code);
            REQUIRE(ir::run(*code, state, env, 0xffff, 1 << 20) == ir::InterpStatus::Done);
        });
}

/// `run`(shader, buffers) executes the compiled shader, and returns the error or "".
template <class Run>
void check_buffers(const std::string& body, const Run& run) {
    CAPTURE(body);
    check_compute(
        "#version 310 es\nlayout(local_size_x = 16) in;\nlayout(std140, binding = 0) uniform U { ivec4 "
        "u[16]; };\n"
        "layout(std430, binding = 0) buffer B { int b[]; };\nshared int s[64];\nvoid main() { int l = "
        "int(gl_LocalInvocationIndex);\n" +
            body + " }",
        [&](unsigned seed, const ir::Shader& shader, auto&& interpret) {
            Buffers expected = random_buffers(seed), got = expected;
            BufferMeaning env(expected);
            interpret(env);
            CHECK(run(shader, got) == "");
            CHECK(got.storage == expected.storage);
            CHECK(got.shared == expected.shared);
        });
}

/// Each kind of access.
template <class Run>
void check_buffers(const Run& run) {
    const auto check = [&](const std::string& body) { check_buffers(body, run); };
    check("b[l] = u[l].x + u[l & 3].w;");
    check("ivec4 v = u[2] + u[b[l] & 15]; b[l] = v.x + v.y - v.z * v.w;");
    check("b[l + 20] = b[l * 3] + b[1000 + l]; b[2000] = 3;");
    check("b[l] = u[l & 7][l & 3];");
    check("b[l] = int(b.length()) + l;");
    check("s[l] = b[l] * 2; barrier(); b[l] = s[15 - l] + s[(l + 5) & 15];");
    check("atomicAdd(b[l & 3], l); atomicMax(b[8 + (l & 1)], l * 100 - 700); atomicXor(b[20], l);");
    check("atomicCompSwap(b[l], b[l] & ~1, 7); b[l + 32] = atomicExchange(b[l + 16], l);");
    check(
        "s[l] = 0; s[l + 16] = -l; barrier(); atomicAdd(s[l & 3], l); atomicMin(s[16 + (l & 1)], l - 9); "
        "barrier(); b[l] = s[l] + "
        "s[l + 16];");
    check("s[l] = l; barrier(); b[l] = atomicCompSwap(s[l], 5, 100) + s[l];");
    check("if (b[l] > 500) { for (int i = 0; i < l; i++) b[l] += u[i & 15].y; } else b[l] = -b[l];");
    check("b[l] = int(uint(u[l].x) << 3) ^ u[2].y; b[62] = 5; b[63] = 6; b[64] = 7;");
}

/// `kind`: of all images except the first, which is 2D. The shader uses all of them, so that they keep their
/// numbers. `run`(shader, images) executes the compiled shader, and returns the error or "".
template <class Run>
void check_images(const std::string& kind, const std::string& body, const Run& run) {
    CAPTURE(kind);
    CAPTURE(body);
    check_compute(
        "#version 310 es\n#extension GL_OES_shader_image_atomic : enable\nprecision highp float; precision "
        "highp int;\n"
        "layout(local_size_x = 16) in;\n"
        "layout(r32i, binding = 0) uniform highp iimage2D flat_image;\n"
        "layout(rgba32f, binding = 1) readonly uniform highp image" +
            kind +
            " source;\n"
            "layout(rgba8, binding = 2) writeonly uniform highp image" +
            kind +
            " target;\n"
            "layout(r32ui, binding = 3) uniform highp uimage" +
            kind +
            " counts;\n"
            "void main() { int l = int(gl_LocalInvocationIndex); if (imageSize(flat_image).x + "
            "imageSize(source).x + imageSize(target).x + imageSize(counts).x == 32) { " +
            body + " } }",
        [&](unsigned seed, const ir::Shader& shader, auto&& interpret) {
            const uint32_t deep = kind == "2D" ? 1 : kDepth;
            Images expected(seed, {1, deep, deep, deep}), got(seed, {1, deep, deep, deep});
            ImageMeaning env(expected);
            interpret(env);
            CHECK(run(shader, got) == "");
            for (unsigned k = 0; k < 4; k++)
                CHECK(got.texels[k] == expected.texels[k]);
        });
}

/// Images of each kind.
template <class Run>
void check_images(const Run& run) {
    const auto check = [&](const std::string& kind, const std::string& body) {
        check_images(kind, body, run);
    };
    const std::string flat = "ivec2 p = ivec2(l & 7, l >> 3); ",
                      deep = "ivec3 p = ivec3(l & 7, l >> 3, l % 6); ";
    for (const std::string kind : {"2D", "2DArray", "3D", "Cube"}) {
        const std::string at = kind == "2D" ? flat : deep, swapped = kind == "2D" ? "p.yx" : "p.yxz";
        check(kind, at + "imageStore(target, p, imageLoad(source, " + swapped + ") * 0.01);");
        check(kind, at + "imageStore(counts, p, imageLoad(counts, " + swapped + ") + uvec4(l));");
        // Outside the image: reads give zeros, and nothing is stored.
        check(kind, at + "imageStore(target, p * 3, imageLoad(source, p * 2 - 1) * 0.02);");
        check(
            kind,
            at +
                "imageAtomicAdd(counts, p, uint(l)); imageAtomicMin(counts, p, 300u); imageStore(flat_image, "
                "ivec2(l & 7, l >> 3), ivec4(imageAtomicCompSwap(counts, p, imageLoad(counts, p).x, 7u)));");
        check(kind, at + "imageStore(flat_image, ivec2(l & 7, l >> 3), ivec4(imageSize(source).y * 100 + "
                         "imageSize(counts).x));");
    }
    for (const std::string kind : {"2DArray", "3D"})
        check(kind, "imageStore(flat_image, ivec2(l & 7, l >> 3), ivec4(imageSize(source).z + l));");
    check("2D", flat +
                    "imageAtomicMax(flat_image, p, l * 70 - 300); imageAtomicXor(flat_image, p.yx, "
                    "imageAtomicExchange("
                    "flat_image, ivec2(7 - l / 2, 5), l));");
}

}  // namespace terrazzo::compiled
