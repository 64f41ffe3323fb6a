// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tile buffer of 32x32 pixels.
#pragma once

#include "drivers/common/units/fragment_tests.h"
#include "drivers/mali/sim/fragment/framebuffer.h"

namespace terrazzo::mali::sim {

struct Area {
    static constexpr unsigned kPixels = kArea_px * kArea_px;
    static constexpr unsigned kTiles = (kArea_px / kTile_px) * (kArea_px / kTile_px);

    int32_t x0 = 0, y0 = 0;
    pipe::raster::PixelRect rect;  // within the framebuffer's bounds
    // The samples of a pixel are adjacent.
    std::vector<uint32_t> depth;
    std::vector<uint8_t> stencil;
    units::DepthStencilTile zs;  // `depth` and `stencil`
    std::vector<uint8_t> color[kMaxTargets];
    uint32_t touched_color = 0, touched_zs = 0;  // a bit for each 16x16 pixels

    void begin(const FramebufferState& fb, int32_t x, int32_t y);
    unsigned index(int32_t x, int32_t y) const { return unsigned((y - y0) * kArea_px + (x - x0)); }
    static unsigned tile_of(unsigned index) {
        return index / (kArea_px * kTile_px) * (kArea_px / kTile_px) + index % kArea_px / kTile_px;
    }
};

/// Observes colours on their way to memory. Thread: any thread that draws.
class TargetWatcher {
  public:
    virtual ~TargetWatcher() = default;
    /// Called with 16x16 pixels of the area for each bit of `tiles`, of a render target that is written.
    /// `pixels`: the area's, of one sample each, as they were in the tile buffer.
    virtual void wrote(const FramebufferState& fb, unsigned target, const Area& area, const uint8_t* pixels,
                       uint32_t tiles) = 0;
};

/// Writes an area to memory, with CRCs if the framebuffer uses them. `watcher` may be null.
bool write_back(Window& memory, const FramebufferState& fb, Area& area, TargetWatcher* watcher, Fault* fault);

}  // namespace terrazzo::mali::sim
