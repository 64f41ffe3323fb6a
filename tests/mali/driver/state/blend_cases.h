// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blend tests' cases for Mali: shaders' keys, and pixels from the virtual GPU's blender.
#pragma once

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/program/blend_shader.h"
#include "drivers/mali/sim/fragment/blend.h"
#include "drivers/mali/state/blend.h"
#include "tests/common/blend/cases.h"

namespace terrazzo::mali::testing {

using namespace terrazzo::test;

/// Formats that the blender supports, in a form of the tile buffer.
inline bool blender_has(const BlendCase& c) {
    const pipe::raster::ColorRange range = pipe::raster::color_range(c.format);
    return range == pipe::raster::ColorRange::Unorm8 || range == pipe::raster::ColorRange::Unorm;
}

/// The result of blend_color_at_dw() for shaders with one to sixteen words.
inline constexpr uint8_t kColorAt_dw = 16;
inline BlendKey key_of(const pipe::BlendTargetDesc& t, const BlendCase& c, uint8_t target) {
    const blend::Equation e = blend::simplify(t, pipe::format_info(c.format).has_alpha);
    return {.blend = {.desc = e.desc,
                      .format = c.format,
                      .write_mask = uint8_t(t.write_mask & blend::stored_channels(c.format)),
                      .has_second = true,
                      .color_at_dw = e.constants ? kColorAt_dw : uint8_t(0)},
            .target = target};
}

/// A pixel from the virtual GPU's blender.
inline Color by_blender(const hw::Blend& b, const BlendCase& c, const Color& source, const Color& dest) {
    sim::TileFormat tile;
    sim::TileConversion conversion;
    const bool srgb = pipe::format_info(c.format).is_srgb;
    REQUIRE(sim::tile_format(hw::format_row(c.format)->internal, &tile));
    REQUIRE(sim::tile_conversion(b.internal.conversion.memory_format, &conversion));
    REQUIRE(conversion.blendable);
    REQUIRE(conversion.srgb == srgb);
    uint32_t channel[4];
    const auto is_srgb = [&](unsigned k) { return srgb && k < 3; };
    for (unsigned k = 0; k < 4; ++k)
        channel[k] = is_srgb(k) ? pipe::linear_to_srgb8(dest[k]) : sim::to_unorm(dest[k], tile.bits[k]);
    // The destination has values also in channels that the format lacks.
    const uint8_t stored = blend::stored_channels(c.format);
    for (unsigned k = 0; k < 4; ++k)
        if (!(stored >> k & 1)) channel[k] = 77 & ((1u << tile.bits[k]) - 1);
    const uint32_t before = sim::pack_tile(tile, channel);
    uint8_t pixel[4];
    std::memcpy(pixel, &before, 4);
    sim::blend_pixel(tile, &b, b.internal.mode == hw::BlendMode::FixedFunction, srgb, source.data(), pixel);
    uint32_t after;
    std::memcpy(&after, pixel, 4);
    sim::unpack_tile(tile, after, channel);
    Color out;
    for (unsigned k = 0; k < 4; ++k)
        out[k] = is_srgb(k) ? pipe::srgb8_to_linear(uint8_t(channel[k]))
                            : sim::from_unorm(channel[k], tile.bits[k]);
    return out;
}

}  // namespace terrazzo::mali::testing
