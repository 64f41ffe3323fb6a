// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clips and culls primitives, and snaps them to 1/256 pixel.
#pragma once

#include <algorithm>
#include <vector>

#include "drivers/common/units/primitive.h"
#include "pipe/raster/edge.h"
#include "pipe/state.h"

namespace terrazzo::units {

struct SetupState {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    /// front_ccw: front faces are counter-clockwise with row 0 on top.
    bool cull_front = false, cull_back = false, front_ccw = false;
    /// The depth range in the window, and whether depths below and above it are clipped.
    bool low_depth_cull = true, high_depth_cull = true;
    float low_depth = 0, high_depth = 1;
    pipe::raster::PixelRect scissor;  // inside of the framebuffer
    float max_size_px = 4095.9375f;   // of points and lines
};

/// Projects a position in clip space. |1/w| is at most 2^15, so that a vertex with w = 0 has a position, too.
/// Vertex shaders that project positions themselves (Mali) clamp in the same manner.
WindowVertex window_vertex(const pipe::Viewport& viewport, const float clip[4]);

/// A vertex with what all its primitives need of it.
struct SetupVertex {
    WindowVertex window;
    int32_t corner[2] = {};  // in 1/256 px
    bool inside = false;     // nothing clips it
};
SetupVertex set_up_vertex(const SetupState& state, const WindowVertex& vertex);

/// set_up_primitive() of a triangle whose three vertices are `inside`, in two steps: whether it is visible,
/// then the triangle, in which the caller sets `varying`.
[[nodiscard]] bool is_visible_inside(const SetupState& state, const SetupVertex* const vertex[3],
                                     uint16_t* back_facing);
inline Primitive triangle_of(const SetupState& state, const SetupVertex* const vertex[3], float size_px,
                             uint16_t back_facing) {
    const SetupVertex &a = *vertex[0], &b = *vertex[1], &c = *vertex[2];
    return {{{a.corner[0], a.corner[1]}, {b.corner[0], b.corner[1]}, {c.corner[0], c.corner[1]}},
            {a.window, b.window, c.window},
            {},
            PrimitiveKind::Triangle,
            back_facing,
            0,
            std::min(size_px, state.max_size_px)};
}

/// Appends the visible part: nothing, one primitive, or several for a clipped triangle. The caller sets
/// `varying`. A primitive with a vertex that is not finite, or whose 1/w is 0, is dropped. `size_px`: of
/// points and lines.
void set_up_primitive(const SetupState& state, const WindowVertex* vertices, float size_px,
                      std::vector<Primitive>* out);

}  // namespace terrazzo::units
