// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A square of pixels that one thread works on: the pixels of a draw's targets, in place in GMEM, or read from
// memory and written back.
#pragma once

#include "drivers/adreno/sim/pixel/state.h"

namespace terrazzo::adreno::sim {

struct Area {
    static constexpr int32_t kSize_px = 32;
    /// Planes 0 to 7 are colours.
    static constexpr unsigned kDepth = kMaxTargets, kStencil = kDepth + 1, kPlanes = kStencil + 1;

    struct Plane : units::TilePlane {
        bool changed = false;
        std::vector<uint8_t> own;  // of targets in memory
    };
    Plane plane[kPlanes];
    units::DepthStencilTile zs;  // planes kDepth and kStencil
    pipe::raster::PixelRect rect;

    /// Loads the pixels of `area`, which is not empty and within the state's bounds; colours only if
    /// `load_colors`: otherwise the draw must write all samples of all targets. False: memory refuses an
    /// access.
    [[nodiscard]] bool begin(const PixelState& state, const pipe::raster::PixelRect& area, bool load_colors,
                             window::Window& memory, std::vector<uint8_t>& gmem, Fault* fault);
    /// Writes the changed planes.
    [[nodiscard]] bool end(const PixelState& state, window::Window& memory, std::vector<uint8_t>& gmem,
                           Fault* fault);

    /// The pixel's first sample.
    uint8_t* at(unsigned n, int32_t x, int32_t y) const {
        const Plane& p = plane[n];
        return p.origin + ptrdiff_t(y - rect.y0) * ptrdiff_t(p.row_B) + ptrdiff_t(x - rect.x0) * p.pixel_B;
    }
};

/// The target of a plane of the area.
const Target& target_of(const PixelState& state, unsigned plane);

}  // namespace terrazzo::adreno::sim
