// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// All equations of a blend descriptor compared with their arithmetic, a + b * c, in doubles; clear colours;
// formats of the tile buffer.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "drivers/mali/sim/fragment/blend.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
namespace hw = terrazzo::mali::hw;

namespace {

using A = hw::BlendOperandA;
using B = hw::BlendOperandB;
using C = hw::BlendOperandC;

struct Terms {
    double source, dest, source_alpha, dest_alpha, constant;
};
double value(C c, const Terms& t) {
    switch (c) {
        case C::Unused:
        case C::Zero:
            return 0;
        case C::Src:
            return t.source;
        case C::Dest:
            return t.dest;
        case C::SrcX2:
            return 2 * t.source;
        case C::SrcAlpha:
            return t.source_alpha;
        case C::DestAlpha:
            return t.dest_alpha;
        case C::Constant:
            break;
    }
    return t.constant;
}
double evaluate(const hw::BlendFunction& f, const Terms& t) {
    double a = f.a == A::Src ? t.source : f.a == A::Dest ? t.dest : 0;
    double b = f.b == B::SrcMinusDest  ? t.source - t.dest
               : f.b == B::SrcPlusDest ? t.source + t.dest
               : f.b == B::Src         ? t.source
                                       : t.dest;
    double c = value(f.c, t);
    if (f.negate_a) a = -a;
    if (f.negate_b) b = -b;
    if (f.invert_c) c = 1 - c;
    return a + b * c;
}

template <class F>
void for_each_function(F&& f) {
    for (const A a : {A::Zero, A::Src, A::Dest})
        for (const B b : {B::SrcMinusDest, B::SrcPlusDest, B::Src, B::Dest})
            for (const C c : {C::Zero, C::Src, C::Dest, C::SrcX2, C::SrcAlpha, C::DestAlpha, C::Constant})
                for (unsigned flags = 0; flags < 8; ++flags)
                    f(hw::BlendFunction{a, bool(flags & 1), b, bool(flags & 2), c, bool(flags & 4)});
}

constexpr hw::ColorBufferInternalFormat kFormats[] = {
    hw::ColorBufferInternalFormat::R8G8B8A8, hw::ColorBufferInternalFormat::R10G10B10A2,
    hw::ColorBufferInternalFormat::R8G8B8A2, hw::ColorBufferInternalFormat::R4G4B4A4,
    hw::ColorBufferInternalFormat::R5G6B5A0, hw::ColorBufferInternalFormat::R5G5B5A1};

TileFormat format_of(hw::ColorBufferInternalFormat f) {
    TileFormat t;
    REQUIRE(tile_format(f, &t));
    return t;
}

}  // namespace

TEST_CASE("blend: decoded equations compute the right values") {
    std::mt19937 random(9);
    unsigned decoded = 0, refused = 0;
    for (const hw::ColorBufferInternalFormat f : kFormats)
        for_each_function([&](const hw::BlendFunction& function) {
            const TileFormat tile = format_of(f);
            hw::Blend blend;
            blend.equation.rgb = blend.equation.alpha = function;
            blend.equation.color_mask = 15;
            blend.constant = random() & 0xffff;
            units::ColorTarget target;
            std::string why;
            if (!blend_target(tile, &blend, true, false, &target, &why)) {
                CHECK(!why.empty());
                ++refused;
                return;
            }
            ++decoded;
            for (unsigned round = 0; round < 8; ++round) {
                uint32_t stored[4], source[4], written[4];
                uint8_t pixel[4] = {};
                for (unsigned c = 0; c < 4; ++c) {
                    const unsigned high = (1u << tile.bits[c]) - 1;
                    // Multiples of the channel's step, which rounding of sources does not change.
                    const auto any = [&] { return high ? float(random() % (high + 1)) / float(high) : 1.0f; };
                    stored[c] = std::bit_cast<uint32_t>(any());
                    source[c] = std::bit_cast<uint32_t>(any());
                }
                target.format.write(stored, pixel);
                target.format.read(pixel, stored);
                units::write_color(target, source, nullptr, pixel);
                target.format.read(pixel, written);
                for (unsigned c = 0; c < 4; ++c) {
                    if (!tile.bits[c]) continue;
                    const auto number = [](uint32_t v) { return double(std::bit_cast<float>(v)); };
                    const unsigned bits = std::max(tile.bits[c], tile.bits[0]);
                    const Terms t{number(source[c]), number(stored[c]), number(source[3]), number(stored[3]),
                                  double(blend.constant >> (16 - bits)) / ((1u << bits) - 1)};
                    // Here R8G8B8A2 has more bits of alpha; a result in the middle may be rounded up or down.
                    const double step = 1.0 / ((1u << (tile.internal == kFormats[2] ? 8 : tile.bits[c])) - 1);
                    const double exact = std::clamp(evaluate(function, t), 0.0, 1.0);
                    CHECK(std::abs(number(written[c]) - exact) <= step * 0.50001);
                }
            }
        });
    CHECK(decoded > 1000);
    CHECK(refused > 100);
}

TEST_CASE("blend: masks, alpha to one, opaque descriptors and none") {
    const TileFormat tile = format_of(hw::ColorBufferInternalFormat::R8G8B8A8);
    hw::Blend blend;
    blend.equation.rgb = blend.equation.alpha = {A::Zero, true, B::SrcPlusDest, true, C::SrcX2, true};
    blend.equation.color_mask = 5;
    blend.alpha_to_one = true;
    units::ColorTarget target;
    std::string why;
    CHECK_FALSE(blend_target(tile, &blend, true, false, &target, &why));
    CHECK(why == "a blend equation that is none of OpenGL's");
    REQUIRE(blend_target(tile, &blend, false, false, &target, &why));  // the equation is not used
    CHECK(target.blend.write_mask == 5);
    CHECK(target.alpha_to_one);
    CHECK(!target.blend.enable);
    CHECK(target.rgba8);
    REQUIRE(blend_target(tile, nullptr, true, true, &target, &why));
    CHECK(target.blend.write_mask == 15);
    CHECK(target.format.format == pipe::Format::R8G8B8A8_SRGB);
    CHECK(!target.rgba8);
    const TileFormat raw = format_of(hw::ColorBufferInternalFormat::RAW32);
    CHECK_FALSE(blend_target(raw, nullptr, false, false, &target, &why));
}

TEST_CASE("blend: clear colours lose their fraction, rounded to the nearest") {
    const auto unpack = [](const TileFormat& f, uint32_t pixel, uint32_t channel[4]) {
        uint32_t value[4];
        f.format.read(&pixel, value);
        for (unsigned c = 0; c < 4; ++c)
            channel[c] = f.bits[c] ? to_unorm(std::bit_cast<float>(value[c]), f.bits[c]) : 0;
    };
    const TileFormat bytes = format_of(hw::ColorBufferInternalFormat::R8G8B8A8);
    CHECK(clear_pixel(bytes, 0x80ff0012) == 0x80ff0012);
    const TileFormat ten = format_of(hw::ColorBufferInternalFormat::R10G10B10A2);
    CHECK(clear_pixel(ten, 0xbff00155) == 0xbff00155);
    // R has 5 bits and 5 bits of fraction, G has 6 and 4.
    const TileFormat small = format_of(hw::ColorBufferInternalFormat::R5G6B5A0);
    uint32_t channel[4],
        pixel = clear_pixel(small, (7u << 5 | 16) | (9u << 4 | 7) << 10 | (31u << 5 | 31) << 20);
    unpack(small, pixel, channel);
    CHECK(channel[0] == 8);
    CHECK(channel[1] == 9);
    CHECK(channel[2] == 31);
    CHECK(channel[3] == 0);
    const TileFormat four = format_of(hw::ColorBufferInternalFormat::R4G4B4A4);
    pixel = clear_pixel(four, 0x50a7f801);
    unpack(four, pixel, channel);
    CHECK(channel[0] == 0);
    CHECK(channel[1] == 15);
    CHECK(channel[2] == 10);
    CHECK(channel[3] == 5);
}

TEST_CASE("blend: write-back scales each channel to the bits in memory, by the swizzle") {
    using Internal = hw::ColorBufferInternalFormat;
    struct Case {
        Internal internal;
        hw::ColorFormat memory;
        uint8_t bits[4];
        unsigned size_B;
    };
    constexpr Case kCases[] = {{Internal::R8G8B8A8, hw::ColorFormat::R8G8B8A8, {8, 8, 8, 8}, 4},
                               {Internal::R8G8B8A8, hw::ColorFormat::R8G8B8, {8, 8, 8}, 3},
                               {Internal::R8G8B8A2, hw::ColorFormat::R8G8B8A8, {8, 8, 8, 8}, 4},
                               {Internal::R8G8B8A2, hw::ColorFormat::R10G10B10A2, {10, 10, 10, 2}, 4},
                               {Internal::R5G6B5A0, hw::ColorFormat::R8G8B8A8, {8, 8, 8, 8}, 4},
                               {Internal::R10G10B10A2, hw::ColorFormat::R4G4B4A4, {4, 4, 4, 4}, 2},
                               {Internal::R5G5B5A1, hw::ColorFormat::R5G5B5A1, {5, 5, 5, 1}, 2}};
    constexpr unsigned kCount = 100;
    std::mt19937 random(8);
    for (const Case& c : kCases)
        for (unsigned round = 0; round < 40; ++round) {
            CAPTURE(hw::enum_name(c.internal));
            const TileFormat tile = format_of(c.internal);
            uint32_t swizzle = 0;
            unsigned source[4];
            for (unsigned i = 0; i < 4; ++i) {
                source[i] = round ? unsigned(random() % 6) : i;
                swizzle |= source[i] << 3 * i;
            }
            std::vector<uint8_t> pixels(kCount * 4), memory(kCount * c.size_B);
            for (uint8_t& b : pixels)
                b = uint8_t(random());
            write_pixels(tile, pixels.data(), kCount, c.memory, swizzle, memory.data());
            if (writes_copies(tile, c.memory, swizzle))
                CHECK(std::equal(memory.begin(), memory.end(), pixels.begin()));
            for (unsigned i = 0; i < kCount; ++i) {
                const unsigned size_B = tile.size_B;
                uint32_t value[4], wanted = 0, got = 0;
                tile.format.read(&pixels[size_t(i) * size_B], value);
                for (unsigned ch = 0, shift = 0; ch < 4; shift += c.bits[ch++]) {
                    if (!c.bits[ch]) continue;
                    const unsigned from = source[ch], high = (1u << c.bits[ch]) - 1;
                    uint32_t v = from == 5 ? high : 0;
                    if (from < 4) {
                        const unsigned n = tile.bits[from];
                        const uint32_t most = (1u << n) - 1;
                        v = n ? to_unorm(std::bit_cast<float>(value[from]), n) : 0;
                        v = n ? (v * high + most / 2) / most : high;
                    }
                    wanted |= v << shift;
                }
                std::memcpy(&got, &memory[size_t(i) * c.size_B], c.size_B);
                REQUIRE(got == wanted);
            }
        }
}
