// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rasterization: culling, lines, points, depth bias.
#pragma once

#include "drivers/adreno/submission/draw_state.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

inline constexpr float kMinPointSize_px = 1, kMaxPointSize_px = 4092, kMaxLineWidth_px = 63.5f;

class AdrenoRaster final : public pipe::RasterState {
  public:
    AdrenoRaster(Device& device, const pipe::RasterDesc& d);
    [[nodiscard]] bool valid() const;

    const pipe::RasterDesc desc;
    /// Group::Raster. `restart`: of draws with indices where all ones separate primitives. `multisampled`: of passes with several samples
    /// a pixel, where lines are rectangles. `discards`: where the description does, too.
    [[nodiscard]] const StaticState& state(bool restart, bool multisampled, bool discards) const {
        return states_[restart + 2 * multisampled + 4 * (desc.discard && !discards)];
    }
    mutable std::atomic<uint64_t> held_by{0};

  private:
    std::array<StaticState, 8> states_;  // the last four: of those that discard, as if they did not
};

}  // namespace terrazzo::adreno
