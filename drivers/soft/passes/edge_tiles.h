// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tiles at the right and lower edges of imported images. Kernels read and write whole blocks of 4x2 pixels.
// Our own images are padded for this. In an imported image, only the pixels are ours: after a row's last
// pixel or after the last row, there may be another image or no memory. A tile whose blocks extend over such
// an edge is drawn in a copy. This is decided per tile, so other tiles and images have no cost.
#pragma once

#include <cstddef>

#include "drivers/soft/binning/raster_types.h"

namespace terrazzo::soft {

class SoftResource;

/// The targets of a pass that need this.
class EdgeTiles {
  public:
    /// Removes all targets.
    void clear() { count_ = 0; }
    /// The pass' colour `index` draws to this level; images with padding are ignored.
    void add(unsigned index, const SoftResource& r, uint32_t level, uint32_t pixel_B);
    [[nodiscard]] bool any() const { return count_ != 0; }
    /// The bytes that run() needs for its copies; 0: no target has such an edge.
    [[nodiscard]] size_t room_B() const;
    /// Whether blocks of these pixels extend over an edge.
    [[nodiscard]] bool reach_over(const Rect& pixels) const;
    /// Runs the tile with all these targets in copies and copies the results back. `pixels` are the tile's;
    /// `room` has room_B() bytes that no other thread uses during the call.
    void run(RunTileFn run, const TileJob& job, uint32_t tile, const Rect& pixels, TileWorker& worker,
             uint8_t* room) const;

  private:
    struct Target {
        unsigned index = 0;
        int32_t width_px = 0, height_px = 0;  // of the image
        uint32_t pixel_B = 0;
    };
    Target targets_[pipe::kMaxColorTargets];
    unsigned count_ = 0;
};

}  // namespace terrazzo::soft
