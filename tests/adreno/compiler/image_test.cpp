// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images of each kind: compiled code on the virtual GPU's core compared with the IR interpreter. Both access
// memory through ir::access_image. The test compares their requests: coordinates, layers, faces, data, order,
// sizes.
#include "shaders/ir/image.h"
#include "tests/adreno/compiler/compute_fixture.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

constexpr uint32_t kWidth = 8, kHeight = 6, kDepth = 6;

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

class Units : public MemoryUnits {
  public:
    Units(Images& images, const Binary& b) : images_(images), b_(b) {}
    bool image(adreno::sim::UnitCall& call, std::string* why) override {
        using adreno::isa::Op;
        const adreno::isa::Instr& instr = call.instr;
        const uint32_t slot = call.texture - b_.info.first_image;
        if (slot >= 4) return *why = "no image of that number", false;
        const ir::ImageRange& range = images_.ranges[slot];
        if (instr.op == Op::kResinfoB) {
            const uint32_t size[] = {range.width, range.height, range.depth};
            for (unsigned k = 0; k < 3; k++)
                call.out[k][0] = wave::splat(size[k]);
            return true;
        }
        if (instr.typed() != adreno::isa::Typed::kTyped) return *why = "untyped", false;
        const bool load = instr.op == Op::kLdibB, store = instr.op == Op::kStibB,
                   swap = instr.op == Op::kAtomicBCmpxchg;
        ir::MemInfo info;
        info.space = ir::Storage::Image;
        info.op = load || store ? ir::MemOp::None : op_of(instr);
        uint32_t coord[3][kLanes], value[4][kLanes], out[4][kLanes];
        ir::ImageAccess a;
        a.op = load ? ir::Op::LoadImage : store ? ir::Op::StoreImage : ir::Op::AtomicImage;
        a.info = &info;
        a.slots = &range;
        a.lanes = kLanes;
        for (unsigned i = 0; i < kLanes; i++)
            a.mask |= uint64_t(call.active.has(i)) << i;
        for (unsigned k = 0; k < instr.dimensions(); k++) {
            a.coord[k] = coord[k];
            for (unsigned i = 0; i < kLanes; i++)
                coord[k][i] = call.in[k][0][i];
        }
        // The compared value is the last in registers, and the first in the IR.
        for (unsigned k = 0; k < (store ? 4u : swap ? 2u : load ? 0u : 1u); k++) {
            a.value[k] = value[k];
            for (unsigned i = 0; i < kLanes; i++)
                value[k][i] = call.in[8 + (swap ? 1 - k : k)][0][i];
        }
        for (unsigned k = 0; !store && k < (load ? 4u : 1u); k++)
            a.out[k] = out[k];
        ir::access_image(a);
        for (unsigned k = 0; !store && k < (load ? 4u : 1u); k++)
            for (unsigned i = 0; i < kLanes; i++)
                call.out[k][0][i] = out[k][i];
        return true;
    }

  private:
    Images& images_;
    const Binary& b_;
};

class Meaning : public ComputeMeaning {
  public:
    explicit Meaning(Images& images) : images_(images) {}
    [[nodiscard]] std::span<const ir::ImageRange> images() override { return images_.ranges; }

  private:
    Images& images_;
};

/// `kind`: of all images except the first, which is 2D. The shader uses all of them, so that they keep their
/// numbers.
void check(const std::string& kind, const std::string& body) {
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
        [&](unsigned seed, const Binary& binary, auto&& run) {
            const uint32_t deep = kind == "2D" ? 1 : kDepth;
            Images expected(seed, {1, deep, deep, deep}), got(seed, {1, deep, deep, deep});
            Meaning env(expected);
            run(env);
            Units units(got, binary);
            CHECK(run_compute(binary, units) == "");
            for (unsigned k = 0; k < 4; k++)
                CHECK(got.texels[k] == expected.texels[k]);
        });
}

}  // namespace

TEST_CASE("adreno compiler: images of each kind") {
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
