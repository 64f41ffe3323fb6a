// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What becomes of a primitive after its positions are known: clipped, culled, snapped to 1/256 pixel.
#pragma once

#include <vector>

#include "drivers/mali/sim/tiler/assembly.h"
#include "pipe/raster/edge.h"

namespace terrazzo::mali::sim {

struct SetupState {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    bool cull_front = false, cull_back = false, front_ccw = false;
    bool low_depth_cull = true, high_depth_cull = true;
    float low_depth = 0, high_depth = 1;
    pipe::raster::PixelRect scissor;  // within the framebuffer
};

/// Appends what is left: nothing, or one record, or several of a clipped triangle. `size_px`: of each vertex
/// for points, of all for lines.
void set_up_primitive(const SetupState& state, const WindowVertex* vertices, float size_px,
                      std::vector<PrimitiveRecord>* out);

}  // namespace terrazzo::mali::sim
