// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colours of whole quads against blend_pixel(), a lane at a time, with random states and values.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "drivers/mali/sim/fragment/blend.h"
#include "drivers/mali/sim/fragment/quad_color.h"
#include "pipe/half.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
namespace hw = terrazzo::mali::hw;

namespace {

constexpr unsigned kRow_px = 32, kPixels = kRow_px * 4;

struct Random {
    std::mt19937 engine{7};
    unsigned below(unsigned n) { return engine() % n; }
    bool coin() { return engine() & 1; }

    // Values around the limits and between the integers of channels, and any bits.
    float value() {
        const unsigned high = (1u << (1 + below(10))) - 1;
        switch (below(6)) {
            case 0:
                return std::bit_cast<float>(uint32_t(engine()));
            case 1: {
                const float special[] = {0, -0.0f, 1, 2, -1, INFINITY, -INFINITY, NAN, 1e-40f, 0.99999994f};
                return special[below(10)];
            }
            case 2:
                return (float(below(high + 1)) + 0.5f) / float(high);
            case 3:
                return std::nextafterf((float(below(high + 1)) + 0.5f) / float(high), coin() ? 2.0f : -2.0f);
            default:
                return float(engine()) * 0x1p-32f;
        }
    }
    hw::BlendFunction function() {
        constexpr hw::BlendOperandA kA[] = {hw::BlendOperandA::Zero, hw::BlendOperandA::Src,
                                            hw::BlendOperandA::Dest};
        constexpr hw::BlendOperandB kB[] = {hw::BlendOperandB::SrcMinusDest, hw::BlendOperandB::SrcPlusDest,
                                            hw::BlendOperandB::Src, hw::BlendOperandB::Dest};
        constexpr hw::BlendOperandC kC[] = {hw::BlendOperandC::Zero,     hw::BlendOperandC::Src,
                                            hw::BlendOperandC::Dest,     hw::BlendOperandC::SrcX2,
                                            hw::BlendOperandC::SrcAlpha, hw::BlendOperandC::DestAlpha,
                                            hw::BlendOperandC::Constant};
        return {kA[below(3)], coin(), kB[below(4)], coin(), kC[below(7)], coin()};
    }
};

constexpr hw::ColorBufferInternalFormat kFormats[] = {
    hw::ColorBufferInternalFormat::R8G8B8A8, hw::ColorBufferInternalFormat::R10G10B10A2,
    hw::ColorBufferInternalFormat::R8G8B8A2, hw::ColorBufferInternalFormat::R4G4B4A4,
    hw::ColorBufferInternalFormat::R5G6B5A0, hw::ColorBufferInternalFormat::R5G5B5A1};

float component(const wave::U32* in, unsigned in_count, bool halves, unsigned c, unsigned lane) {
    const unsigned reg = halves ? c / 2 : c;
    const uint32_t word = reg < in_count ? in[reg][lane] : 0;
    return halves ? pipe::half_to_float(uint16_t(c % 2 ? word >> 16 : word)) : std::bit_cast<float>(word);
}

}  // namespace

TEST_CASE("quad color: random states and colours are as blend_pixel writes them") {
    Random random;
    for (unsigned round = 0; round < 20000; ++round) {
        CAPTURE(round);
        TileFormat format;
        REQUIRE(tile_format(kFormats[random.below(6)], &format));
        hw::Blend blend;
        blend.alpha_to_one = random.below(8) == 0;
        blend.constant = random.below(0x10000);
        blend.equation.rgb = random.function();
        blend.equation.alpha = random.function();
        blend.equation.color_mask = random.coin() ? 15 : random.below(16);
        const hw::Blend* equation = random.below(8) ? &blend : nullptr;
        const bool fixed_function = random.coin(), halves = random.coin();
        QuadColor state;
        REQUIRE(quad_color(format, equation, fixed_function, false, halves, &state));

        const unsigned in_count = random.below(halves ? 3 : 5);
        wave::U32 in[4];
        for (wave::U32& v : in)
            for (unsigned lane = 0; lane < wave::kLanes; ++lane)
                v[lane] = halves ? pipe::float_to_half(random.value()) |
                                       uint32_t(pipe::float_to_half(random.value())) << 16
                                 : std::bit_cast<uint32_t>(random.value());
        // Quads may lie on each other: the later one is blended with the earlier one.
        uint32_t first_pixel[4], lanes = random.engine() & 0xffff;
        for (uint32_t& first : first_pixel)
            first = 2 * random.below(3) + 2 * kRow_px * random.below(2);
        alignas(8) uint32_t expected[kPixels], actual[kPixels], portable[kPixels];
        for (uint32_t& word : expected)
            word = uint32_t(random.engine());
        std::memcpy(actual, expected, sizeof(actual));
        std::memcpy(portable, expected, sizeof(portable));

        for (unsigned lane = 0; lane < wave::kLanes; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            float source[4];
            for (unsigned c = 0; c < 4; ++c)
                source[c] = component(in, in_count, halves, c, lane);
            const unsigned pixel = first_pixel[lane / 4] + (lane & 1) + (lane & 2 ? kRow_px : 0);
            blend_pixel(format, equation, fixed_function, false, source,
                        reinterpret_cast<uint8_t*>(&expected[pixel]));
        }
        write_quads(state, in, in_count, lanes, first_pixel, kRow_px, reinterpret_cast<uint8_t*>(actual));
        write_quads_portable(state, in, in_count, lanes, first_pixel, kRow_px,
                             reinterpret_cast<uint8_t*>(portable));
        REQUIRE(std::memcmp(actual, expected, sizeof(expected)) == 0);
        REQUIRE(std::memcmp(portable, expected, sizeof(expected)) == 0);
    }
}

TEST_CASE("quad color: sRGB and formats that are not blended are left to the general path") {
    TileFormat format;
    QuadColor state;
    REQUIRE(tile_format(hw::ColorBufferInternalFormat::R8G8B8A8, &format));
    CHECK_FALSE(quad_color(format, nullptr, false, true, false, &state));
    REQUIRE(tile_format(hw::ColorBufferInternalFormat::RAW32, &format));
    CHECK_FALSE(quad_color(format, nullptr, false, false, false, &state));
}
