// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rasterization: culling and the orientation of front faces.
#pragma once

#include "pipe/state.h"

namespace terrazzo::mali {

class MaliRaster final : public pipe::RasterState {
  public:
    explicit MaliRaster(const pipe::RasterDesc& d);
    const pipe::RasterDesc desc;
    uint32_t flags_0;           // DcdFlags0 of polygons: culling, orientation, samples
    uint32_t flags_0_unculled;  // of points and lines, which have no faces
};

}  // namespace terrazzo::mali
