// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rasterization: culling, the orientation of front faces, samples.
#pragma once

#include "pipe/state.h"

namespace terrazzo::mali {

class MaliRaster final : public pipe::RasterState {
  public:
    explicit MaliRaster(const pipe::RasterDesc& d);
    const pipe::RasterDesc desc;
    uint32_t flags_0;           // DcdFlags0 of polygons: culling, orientation
    uint32_t flags_0_unculled;  // of points and lines, which have no faces
};

/// The DcdFlags0 bits for the samples of a pass. Lines are rectangles if they cover samples.
[[nodiscard]] uint32_t sample_flags_0(const pipe::RasterDesc& raster, uint32_t samples, bool per_sample);

}  // namespace terrazzo::mali
