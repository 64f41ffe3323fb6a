// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Waves of quads written to a tile, compared with write_color() for one sample at a time: one to eight
// samples, tiles of odd sizes, overlapping quads, registers of words and of halves, absent channels, logic
// operations.
#include "drivers/common/units/color_write.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <vector>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

constexpr int32_t kX0 = 5, kY0 = 8, kWidth = 9, kHeight = 7;
constexpr unsigned kGroups = 2, kQuads = 4 * kGroups, kLanes = 4 * kQuads;

struct Random {
    std::mt19937 bits{31};
    unsigned below(unsigned n) { return unsigned(bits() % n); }
    bool coin() { return bits() & 1; }
    float real() { return float(below(1400)) / 1000 - 0.2f; }
};

struct Registers {
    wave::U32 word[4][kGroups] = {};
    ColorRegisters of;

    Registers(Random& random, NumberKind kind) {
        of.kind = kind;
        of.halves = random.coin();
        for (unsigned c = 0; c < 4; ++c) {
            of.channel[c] = random.below(8) ? word[c] : nullptr;
            of.shift[c] = of.halves && random.coin() ? 16 : 0;
            for (unsigned lane = 0; lane < kLanes; ++lane) {
                const float v = random.real();
                const uint32_t number = kind != NumberKind::Float ? random.bits()
                                        : of.halves               ? pipe::float_to_half(v)
                                                                  : std::bit_cast<uint32_t>(v);
                word[c][lane / 16][lane % 16] = of.halves ? (number & 0xffff) << of.shift[c] : number;
            }
        }
    }
    void read(unsigned lane, uint32_t out[4]) const {
        for (unsigned c = 0; c < 4; ++c) {
            const uint32_t v = of.channel[c] ? word[c][lane / 16][lane % 16] >> of.shift[c] : 0;
            const auto half = uint16_t(v);
            out[c] = !of.halves                     ? v
                     : of.kind == NumberKind::Float ? std::bit_cast<uint32_t>(pipe::half_to_float(half))
                     : of.kind == NumberKind::Sint  ? uint32_t(int32_t(int16_t(half)))
                                                    : half;
        }
    }
};

struct Quads {
    int32_t x[kQuads], y[kQuads];
    uint32_t samples[kQuads];

    Quads(Random& random, unsigned count, const pipe::raster::PixelRect& rect) {
        for (unsigned q = 0; q < kQuads; ++q) {
            x[q] = (kX0 & ~1) + 2 * int32_t(random.below((kWidth + 2) / 2));
            y[q] = (kY0 & ~1) + 2 * int32_t(random.below((kHeight + 1) / 2));
            samples[q] = random.below(3) ? whole_quad(count) : random.bits() & whole_quad(count);
            for (int32_t i = 0; i < 4; ++i)
                if (!rect.contains(x[q] + (i & 1), y[q] + (i >> 1))) samples[q] &= ~(0xffu << 8 * i);
        }
    }
};

uint8_t logic_byte(unsigned table, uint8_t s, uint8_t d) {
    uint8_t out = 0;
    for (unsigned b = 0; b < 8; ++b)
        out = uint8_t(out | (table >> (2 * (s >> b & 1) + (d >> b & 1)) & 1) << b);
    return out;
}

// One sample, in the simplest way.
void write_one(const ColorTarget& t, const uint32_t source[4], const uint32_t* second, uint8_t* at) {
    uint32_t from[4];
    std::memcpy(from, source, sizeof from);
    if (t.alpha_to_one && t.format.kind == NumberKind::Float) from[3] = std::bit_cast<uint32_t>(1.0f);
    if (t.logic == kLogicCopy) return write_color(t, from, second, at);
    uint8_t bytes[16];
    t.format.write(from, bytes);
    for (unsigned i = 0; i < t.format.size_B; ++i)
        bytes[i] = logic_byte(t.logic, bytes[i], at[i]);
    uint32_t result[4], stored[4], masked[4];
    t.format.read(bytes, result);
    t.format.read(at, stored);
    pipe::raster::apply_color_mask(t.blend.write_mask, result, stored, masked);
    t.format.write(masked, at);
}

ColorTarget random_target(Random& random, pipe::Format format) {
    ColorTarget t;
    REQUIRE(color_target(format_reader(format), &t));
    pipe::BlendTargetDesc& b = t.blend;
    const bool is_float = t.format.kind == NumberKind::Float;
    b.write_mask = random.coin() ? uint8_t(15) : uint8_t(random.below(16));
    if (is_float && random.coin()) {
        b.enable = true;
        b.op_rgb = pipe::BlendOp(random.below(5)), b.op_alpha = pipe::BlendOp(random.below(5));
        for (pipe::BlendFactor* f : {&b.src_rgb, &b.dst_rgb, &b.src_alpha, &b.dst_alpha})
            *f = pipe::BlendFactor(random.below(unsigned(pipe::BlendFactor::OneMinusSrc1Alpha) + 1));
    } else if (random.below(4) == 0) {
        t.logic = uint8_t(random.below(16));
    }
    t.alpha_to_one = random.below(4) == 0;
    for (float& v : t.constant)
        v = random.real();
    return t;
}

}  // namespace

TEST_CASE("units: color write: waves of quads have the results of their samples, written one after another") {
    Random random;
    constexpr pipe::Format kFormats[] = {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8G8B8A8_SRGB,
                                         pipe::Format::B5G6R5_UNORM,   pipe::Format::R10G10B10A2_UNORM,
                                         pipe::Format::R8G8B8A8_UINT,  pipe::Format::R16G16_SINT};
    const pipe::raster::PixelRect rect = {kX0, kY0, kX0 + kWidth, kY0 + kHeight};
    unsigned changed = 0;
    for (unsigned round = 0; round < 6000; ++round) {
        const ColorTarget target = random_target(random, kFormats[round % 6]);
        const unsigned samples = 1u << random.below(4);
        // A sample of a tile may be larger than a pixel of the format.
        const uint32_t sample_B = random.coin() ? target.format.size_B : 4;
        TilePlane plane;
        plane.pixel_B = sample_B * samples;
        plane.row_B = size_t(kWidth) * plane.pixel_B;
        std::vector<uint8_t> drawn(plane.row_B * kHeight);
        for (size_t at = 0; at < drawn.size(); at += plane.pixel_B) {
            const bool same = random.coin();
            for (unsigned i = 0; i < plane.pixel_B; ++i)
                drawn[at + i] = same && i >= sample_B ? drawn[at + i - sample_B] : uint8_t(random.bits());
        }
        std::vector<uint8_t> expected = drawn;
        const Registers source(random, target.format.kind), second(random, NumberKind::Float);
        const bool has_second = random.coin();
        const Quads quads(random, samples, rect);
        const unsigned count = random.below(kQuads + 1);
        for (unsigned bit = 0; bit < count * 4 * samples; ++bit) {
            const unsigned lane = bit / samples, n = bit % samples, q = lane / 4, i = lane % 4;
            if (!(quads.samples[q] >> (8 * i + n) & 1)) continue;
            uint32_t one[4], two[4];
            source.read(lane, one);
            second.read(lane, two);
            const size_t row = size_t(quads.y[q] + int32_t(i / 2) - kY0),
                         column = size_t(quads.x[q] + int32_t(i % 2) - kX0);
            write_one(target, one, has_second ? two : nullptr,
                      &expected[row * plane.row_B + column * plane.pixel_B + n * sample_B]);
        }
        const std::vector<uint8_t> before = drawn;
        plane.origin = drawn.data();
        write_colors(target, source.of, has_second ? &second.of : nullptr,
                     {count, quads.x, quads.y, quads.samples}, samples, plane, rect);
        CAPTURE(round);
        REQUIRE(drawn == expected);
        changed += drawn != before;
    }
    CHECK(changed > 4000);
}
