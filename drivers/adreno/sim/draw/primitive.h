// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The data from geometry to pixels: primitives in the window with the outputs of their vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "drivers/common/units/primitive.h"

namespace terrazzo::adreno::sim {

/// The outputs of the last stage before the rasterizer for a draw, by VPC's locations: a vertex is `words`
/// words (VPC_VS_PACK's stride, with position and point size) at values[vertex * words].
/// units::Primitive::varying are vertices here.
struct VertexOutputs {
    uint32_t words = 0;
    std::vector<uint32_t> values;
    const uint32_t* of(uint32_t vertex) const { return values.data() + size_t(vertex) * words; }
};

/// The shape is in window coordinates of the whole framebuffer, also with GMEM: pixels subtract
/// RB_WINDOW_OFFSET when they address a tile. Triangles that touch no pixel of the scissors are left out; of
/// the others, the sink must leave out pixels outside the scissors.
struct DrawnPrimitive {
    units::Primitive shape;
    uint32_t provoking = 0;  // which of the three has the flat values
    uint32_t primitive_id = 0;
    uint16_t layer = 0, view = 0;
};

/// A draw's primitives, in order.
struct DrawnPrimitives {
    VertexOutputs outputs;
    std::vector<DrawnPrimitive> primitives;
};

}  // namespace terrazzo::adreno::sim
