// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tiles at the right and lower edges of imported images. Kernels read and write whole blocks of 4x2 pixels. Images of our own have room
// for them. Of an imported image only the pixels are ours: what lies after a row's last pixel, or after the last row, may be another
// image, or no memory at all. A tile whose blocks reach over such an edge is drawn in a copy, which is chosen once a tile: all other
// tiles, and all other images, pay nothing.
#pragma once

#include <cstddef>

#include "drivers/soft/binning/raster_types.h"

namespace terrazzo::soft {

class SoftResource;

/// The targets of one pass that are such images.
class EdgeTiles {
  public:
    /// Forgets all targets.
    void clear() { count_ = 0; }
    /// Colour `index` of the pass draws to this level; images with room for blocks are left out.
    void add(unsigned index, const SoftResource& r, uint32_t level, uint32_t pixel_B);
    [[nodiscard]] bool any() const { return count_ != 0; }
    /// What run() needs for its copies, bytes; 0: none of the targets has such an edge.
    [[nodiscard]] size_t room_B() const;
    /// Whether blocks of these pixels reach over an edge.
    [[nodiscard]] bool reach_over(const Rect& pixels) const;
    /// The tile with all targets of this kind in copies, which it brings back. `pixels` are the tile's, `room` has room_B() bytes
    /// that no other thread uses meanwhile.
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
