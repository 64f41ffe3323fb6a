// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blend tests' cases for Mali: shaders' keys, and pixels from the virtual GPU's blender.
#pragma once

#include <bit>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/program/internal_shaders.h"
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
    units::ColorTarget target;
    std::string why;
    const bool fixed_function = b.internal.mode == hw::BlendMode::FixedFunction;
    REQUIRE(sim::blend_target(tile, &b, fixed_function, srgb, &target, &why));
    // The destination has values also in channels that the format lacks.
    const uint8_t stored = blend::stored_channels(c.format);
    uint32_t before[4], in[4], after[4];
    for (unsigned k = 0; k < 4; ++k) {
        before[k] = std::bit_cast<uint32_t>(stored >> k & 1 ? dest[k] : 0.3f);
        in[k] = std::bit_cast<uint32_t>(source[k]);
    }
    uint8_t pixel[4] = {};
    target.format.write(before, pixel);
    units::write_color(target, in, nullptr, pixel);
    target.format.read(pixel, after);
    Color out;
    for (unsigned k = 0; k < 4; ++k)
        out[k] = std::bit_cast<float>(after[k]);
    return out;
}

}  // namespace terrazzo::mali::testing
