// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What becomes of a primitive after its positions are known: clipped, culled, snapped to 1/256 pixel.
#pragma once

#include <vector>

#include "drivers/common/units/primitive.h"
#include "pipe/raster/edge.h"
#include "pipe/state.h"

namespace terrazzo::units {

struct SetupState {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    /// front_ccw: front faces turn counter-clockwise to a viewer who has row 0 on top.
    bool cull_front = false, cull_back = false, front_ccw = false;
    /// Depth in the window that is clipped: below low, above high.
    bool low_depth_cull = true, high_depth_cull = true;
    float low_depth = 0, high_depth = 1;
    pipe::raster::PixelRect scissor;  // within the framebuffer
    float max_size_px = 4095.9375f;   // of points and lines
};

/// Of a position in clip space. |1/w| is at most 2^15, so that a vertex with w = 0 has a place, too. Where the
/// vertex shader does this itself (Mali), it clamps the same way.
WindowVertex window_vertex(const pipe::Viewport& viewport, const float clip[4]);

/// Appends what is left: nothing, or one primitive, or several of a clipped triangle; `varying`
/// is the caller's to fill in. A vertex that is not finite, or whose 1/w is 0, drops its primitive. `size_px`: of each vertex
/// for points, of all for lines.
void set_up_primitive(const SetupState& state, const WindowVertex* vertices, float size_px,
                      std::vector<Primitive>* out);

}  // namespace terrazzo::units
