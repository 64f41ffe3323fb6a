// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The exact values that a draw writes to the samples of its target, compared with
// drivers/common/units/color.h for one sample at a time: formats, numbers of samples, masks, blend equations,
// and overlapping primitives in one wave.
#include <random>

#include "drivers/common/units/color.h"
#include "drivers/common/units/walk.h"
#include "pipe/raster/sample_positions.h"
#include "tests/adreno/sim/pixel/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

struct TestFormat {
    hw::Format hw;
    pipe::Format pipe;
    bool srgb = false;
};
constexpr TestFormat kFormats[] = {
    {hw::Format::FMT6_8_8_8_8_UNORM, pipe::Format::R8G8B8A8_UNORM},
    {hw::Format::FMT6_8_8_8_8_UNORM, pipe::Format::R8G8B8A8_SRGB, true},
    {hw::Format::FMT6_8_UNORM, pipe::Format::R8_UNORM},
    {hw::Format::FMT6_10_10_10_2_UNORM_DEST, pipe::Format::R10G10B10A2_UNORM},
    {hw::Format::FMT6_16_16_16_16_FLOAT, pipe::Format::R16G16B16A16_FLOAT},
    {hw::Format::FMT6_32_32_32_32_FLOAT, pipe::Format::R32G32B32A32_FLOAT},
};

struct TestBlend {
    bool enable;
    hw::BlendOpcode hw_op;
    hw::BlendFactor hw_src, hw_dst;
    pipe::BlendOp op;
    pipe::BlendFactor src, dst;
};
constexpr TestBlend kBlends[] = {
    {false, {}, {}, {}, {}, {}, {}},
    {true, hw::BlendOpcode::BLEND_DST_PLUS_SRC, hw::BlendFactor::FACTOR_SRC_ALPHA,
     hw::BlendFactor::FACTOR_ONE_MINUS_SRC_ALPHA, pipe::BlendOp::Add, pipe::BlendFactor::SrcAlpha,
     pipe::BlendFactor::OneMinusSrcAlpha},
    {true, hw::BlendOpcode::BLEND_DST_PLUS_SRC, hw::BlendFactor::FACTOR_DST_COLOR,
     hw::BlendFactor::FACTOR_CONSTANT_COLOR, pipe::BlendOp::Add, pipe::BlendFactor::DstColor,
     pipe::BlendFactor::ConstColor},
    {true, hw::BlendOpcode::BLEND_DST_MINUS_SRC, hw::BlendFactor::FACTOR_ONE, hw::BlendFactor::FACTOR_ONE,
     pipe::BlendOp::ReverseSubtract, pipe::BlendFactor::One, pipe::BlendFactor::One},
    {true, hw::BlendOpcode::BLEND_MAX_DST_SRC, hw::BlendFactor::FACTOR_ONE, hw::BlendFactor::FACTOR_ONE,
     pipe::BlendOp::Max, pipe::BlendFactor::One, pipe::BlendFactor::One},
};

constexpr uint32_t kBin_px = 32;
constexpr float kConstant[4] = {0.3f, 0.6f, 0.2f, 0.9f};

struct SamplesTrial {
    PixelFixture f;
    std::mt19937 random;
    units::ColorTarget target;
    units::SamplePattern pattern;
    unsigned samples, sample_mask;
    std::vector<uint8_t> expected;

    SamplesTrial(unsigned seed, const TestFormat& format, unsigned samples_, unsigned write_mask,
                 unsigned sample_mask_, const TestBlend& blend)
        : random(seed), samples(samples_), sample_mask(sample_mask_) {
        f.bin(0, 0, kBin_px, kBin_px);
        f.multisample(hw::MsaaSamples(std::countr_zero(samples)));
        f.format(format.hw);
        f.set(hw::RB_SRGB_CNTL{.srgb_mrt0 = format.srgb});
        f.set(hw::SP_SRGB_CNTL{.srgb_mrt0 = format.srgb});
        f.set(hw::RB_MRT_BLEND_CONTROL{blend.hw_src, blend.hw_op, blend.hw_dst, blend.hw_src, blend.hw_op,
                                       blend.hw_dst});
        f.set(hw::RB_MRT_CONTROL{.blend = blend.enable, .component_enable = write_mask});
        f.set(hw::RB_BLEND_CNTL{.enable_blend = blend.enable ? 1u : 0u, .sample_mask = sample_mask});
        f.set(hw::RB_BLEND_RED_F32{kConstant[0]});
        f.set(hw::RB_BLEND_GREEN_F32{kConstant[1]});
        f.set(hw::RB_BLEND_BLUE_F32{kConstant[2]});
        f.set(hw::RB_BLEND_ALPHA_F32{kConstant[3]});
        REQUIRE(units::color_target(units::format_reader(format.pipe), &target));
        pipe::BlendTargetDesc& b = target.blend;
        b.enable = blend.enable;
        b.op_rgb = b.op_alpha = blend.op;
        b.src_rgb = b.src_alpha = blend.src;
        b.dst_rgb = b.dst_alpha = blend.dst;
        b.write_mask = uint8_t(write_mask);
        std::copy_n(kConstant, 4, target.constant);
        pattern.count = samples;
        for (unsigned i = 0; i < samples; ++i) {
            const pipe::raster::SamplePosition& at = pipe::raster::sample_at(samples, i);
            pattern.x[i] = uint8_t((8 + at.x) * 16);
            pattern.y[i] = uint8_t((8 + at.y) * 16);
        }
        fill();
    }

    // Half of the pixels have the same value in all their samples.
    void fill() {
        const uint32_t size_B = target.format.size_B;
        expected.resize(size_t(kBin_px) * kBin_px * samples * size_B);
        for (size_t at = 0; at < expected.size(); at += size_B * samples) {
            const bool same = random() % 2;
            for (unsigned i = 0; i < samples; ++i) {
                uint32_t value[4];
                for (uint32_t& v : value)
                    v = std::bit_cast<uint32_t>(float(random() % 256) / 255);
                uint8_t* const sample = expected.data() + at + size_t(i) * size_B;
                if (same && i)
                    std::memcpy(sample, sample - size_B, size_B);
                else
                    target.format.write(value, sample);
            }
        }
        std::copy(expected.begin(), expected.end(), f.machine.gmem.begin());
    }

    // Some colours are outside 0..1; all vertices have the same.
    void add() {
        std::array<float, 4> value;
        for (float& v : value)
            v = random() % 8 ? float(random() % 1025) / 1024 : float(int(random() % 5) - 2);
        const auto place = [&] { return float(random() % (16 * (kBin_px + 16))) / 16 - 8; };
        if (random() % 2)
            f.rectangle(0, 0, place() + 9, place() + 9, value);
        else
            f.triangle({{place(), place(), 0.5f, 1, value},
                        {place(), place(), 0.5f, 1, value},
                        {place(), place(), 0.5f, 1, value}});
    }

    void expect() {
        const units::DepthBias bias;
        for (const DrawnPrimitive& d : f.drawn.primitives) {
            units::RasterPrimitive p;
            if (!units::set_up_raster(d.shape, bias, samples > 1, &p)) continue;
            const uint32_t* const source = f.drawn.outputs.of(d.shape.varying[0]);
            const pipe::raster::PixelRect bin{0, 0, int32_t(kBin_px), int32_t(kBin_px)};
            const bool all = units::walk_quads(p, pattern, bin, [&](int32_t x, int32_t y, uint32_t mask) {
                for (unsigned bit = 0; bit < 4 * samples; ++bit) {
                    const unsigned pixel = bit / samples, sample = bit % samples;
                    if (!(mask >> bit & 1) || !(sample_mask >> sample & 1)) continue;
                    const size_t index = size_t(y + int32_t(pixel / 2)) * kBin_px + size_t(x) + pixel % 2;
                    units::write_color(target, source, nullptr,
                                       expected.data() + (index * samples + sample) * target.format.size_B);
                }
                return true;
            });
            REQUIRE(all);
        }
    }

    void run() {
        for (unsigned n = 0; n < 8; ++n)
            add();
        f.draw();
        expect();
        const auto [drawn, wanted] = std::mismatch(
            f.machine.gmem.begin(), f.machine.gmem.begin() + ptrdiff_t(expected.size()), expected.begin());
        const size_t at = size_t(wanted - expected.begin());
        CAPTURE(at);
        CHECK(at == expected.size());
    }
};

TEST_CASE("pixel: every sample has the value of its colour, mask and blend equation") {
    unsigned seed = 0;
    for (const TestFormat& format : kFormats)
        for (const unsigned samples : {1u, 2u, 4u})
            for (const unsigned write_mask : {15u, 7u, 10u})
                for (const unsigned sample_mask : {0xffffu, 0xfffau})
                    for (const TestBlend& blend : kBlends) {
                        CAPTURE(unsigned(format.pipe));
                        CAPTURE(samples);
                        CAPTURE(write_mask);
                        CAPTURE(sample_mask);
                        CAPTURE(&blend - kBlends);
                        SamplesTrial trial(++seed, format, samples, write_mask, sample_mask, blend);
                        trial.run();
                    }
}

// Waves with one quad for each sample: lanes of the same pixel must not influence each other.
TEST_CASE("pixel: samples that are shaded separately are blended like those that are shaded together") {
    for (const unsigned samples : {2u, 4u}) {
        SamplesTrial trial(99, kFormats[0], samples, 15, 0xffff, kBlends[1]);
        trial.f.change<hw::RB_SAMPLE_CNTL>([](hw::RB_SAMPLE_CNTL& r) { r.per_samp_mode = true; });
        trial.run();
    }
}

TEST_CASE("pixel: a lane keeps the samples of a mask") {
    FragmentBatch b;
    b.samples[1] = 0x0f0f0f0f;
    b.keep_samples(6, 5);
    CHECK(b.samples[1] == 0x0f050f0f);
    CHECK(b.samples_at(6) == 5);
    CHECK(b.samples_at(7) == 15);
}

}  // namespace
}  // namespace terrazzo::adreno::sim::testing
