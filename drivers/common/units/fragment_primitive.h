// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A primitive whose fragments are shaded: ready for the walk over tiles, with the outputs of its vertices.
#pragma once

#include <algorithm>

#include "drivers/common/units/raster.h"
#include "drivers/common/units/window_setup.h"

namespace terrazzo::units {

struct FragmentPrimitive : RasterPrimitive {
    const uint32_t* values[3] = {};  // outputs of the vertices, VertexOutputs::words each
    float inv_w_of[3] = {1, 1, 1};   // 1/w of the vertices
    uint32_t provoking = 0, primitive_id = 0;
    uint16_t layer = 0;
};

/// Sets a primitive up, and limits it to `scissor`. Where nothing of it is drawn, p->bounds is empty. False:
/// it has a vertex that `outputs` has not.
[[nodiscard]] inline bool set_up_fragments(const DrawnPrimitive& d, const VertexOutputs& outputs,
                                           const DepthBias& bias, bool multisampled,
                                           const pipe::raster::PixelRect& scissor, FragmentPrimitive* p) {
    if (!set_up_raster(d.shape, bias, multisampled, p)) {
        p->bounds = {};
        return true;
    }
    p->bounds = intersect(p->bounds, scissor);
    if (p->bounds.empty()) return true;
    const unsigned n = p->vertex_count();
    p->provoking = std::min(d.provoking, n - 1);
    p->primitive_id = d.primitive_id;
    p->layer = d.layer;
    const uint32_t* const values = outputs.words ? outputs.values.data() : nullptr;
    uint32_t last = 0;
    for (unsigned i = 0; i < n; ++i) {
        p->inv_w_of[i] = d.shape.vertex[i].inv_w;
        p->values[i] = values + size_t(d.shape.varying[i]) * outputs.words;
        last = std::max(last, d.shape.varying[i]);
    }
    for (unsigned i = n; i < 3; ++i)
        p->inv_w_of[i] = 1, p->values[i] = nullptr;
    return (size_t(last) + 1) * outputs.words <= outputs.values.size();
}

}  // namespace terrazzo::units
