// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/color.h"

#include <array>
#include <bit>

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

using Bits = std::array<uint32_t, 4>;
using Pixel = std::array<uint8_t, 4>;

Bits bits(float r, float g, float b, float a) {
    return {std::bit_cast<uint32_t>(r), std::bit_cast<uint32_t>(g), std::bit_cast<uint32_t>(b),
            std::bit_cast<uint32_t>(a)};
}
ColorTarget target(pipe::Format format) {
    ColorTarget t;
    REQUIRE(color_target(format_reader(format), &t));
    return t;
}

}  // namespace

TEST_CASE("units: color: opaque, masked, blended") {
    ColorTarget t = target(pipe::Format::R8G8B8A8_UNORM);
    Pixel p = {10, 20, 30, 40};
    write_color(t, bits(1, 0.5f, 2, -1).data(), nullptr, p.data());
    CHECK(p == Pixel{255, 128, 255, 0});
    t.blend.write_mask = 2;
    write_color(t, bits(0, 0, 0, 0).data(), nullptr, p.data());
    CHECK(p == Pixel{255, 0, 255, 0});
    t.blend.write_mask = 15;
    t.blend.enable = true;
    t.blend.src_rgb = t.blend.dst_rgb = t.blend.src_alpha = t.blend.dst_alpha = pipe::BlendFactor::One;
    p = {10, 20, 30, 40};
    write_color(t, bits(1 / 255.0f, 1, 2 / 255.0f, 0).data(), nullptr, p.data());
    CHECK(p == Pixel{11, 255, 32, 40});
    t.blend.src_rgb = pipe::BlendFactor::Zero;
    t.blend.dst_rgb = pipe::BlendFactor::Src1Color;
    write_color(t, bits(0, 0, 0, 0).data(), bits(1, 0, 1, 0).data(), p.data());
    CHECK(p == Pixel{11, 0, 32, 40});
}

TEST_CASE("units: color: integers are masked, never blended") {
    ColorTarget t = target(pipe::Format::R8G8B8A8_UINT);
    t.blend.enable = true;
    t.blend.write_mask = 5;
    Pixel p = {1, 2, 3, 4};
    write_color(t, Bits{200, 201, 202, 203}.data(), nullptr, p.data());
    CHECK(p == Pixel{200, 2, 202, 4});
    ColorTarget none;
    CHECK(!color_target(format_reader(pipe::Format::D16_UNORM), &none));
    CHECK(!color_target(format_reader(pipe::Format::ETC2_RGB8_UNORM), &none));
    CHECK(!color_target(format_reader(pipe::Format::None), &none));
}

TEST_CASE("units: color: resolves") {
    const std::array<uint8_t, 16> samples = {0, 10, 255, 1, 255, 20, 255, 3, 0, 30, 255, 5, 255, 40, 255, 7};
    Pixel p;
    resolve_pixel(format_reader(pipe::Format::R8G8B8A8_UNORM), samples.data(), 4, p.data());
    CHECK(p == Pixel{128, 25, 255, 4});
    resolve_pixel(format_reader(pipe::Format::R8G8B8A8_UINT), samples.data(), 4, p.data());
    CHECK(p == Pixel{0, 10, 255, 1});
    resolve_pixel(format_reader(pipe::Format::R8G8B8A8_SRGB), samples.data(), 4, p.data());
    CHECK(p[0] == 188);  // the mean in linear light
    CHECK(p[3] == 4);    // alpha is linear
    resolve_pixel(format_reader(pipe::Format::R8G8B8A8_UNORM), samples.data(), 1, p.data());
    CHECK(p == Pixel{0, 10, 255, 1});
}
