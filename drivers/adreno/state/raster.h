// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rasterization: culling, lines, points, depth bias.
#pragma once

#include "drivers/adreno/stream/draw_state.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

inline constexpr float kMinPointSize_px = 1, kMaxPointSize_px = 4092, kMaxLineWidth_px = 63.5f;

class AdrenoRaster final : public pipe::RasterState {
  public:
    AdrenoRaster(Device& device, const pipe::RasterDesc& d);
    [[nodiscard]] bool valid() const { return states_.valid(desc.discard ? 8 : 4); }

    const pipe::RasterDesc desc;
    /// Group::Raster. `restart`: for draws with indices in which primitive restart is enabled.
    /// `multisampled`: for passes with several samples a pixel, in which lines are rectangles. `discards`:
    /// primitives are discarded, if the description says so.
    [[nodiscard]] const StaticState& state(bool restart, bool multisampled, bool discards) const {
        return states_[restart + 2 * multisampled + 4 * (desc.discard && !discards)];
    }
    mutable std::atomic<uint64_t> held_by{0};

  private:
    StaticStates<8> states_;  // the last four: without discarding, of a description that discards
};

}  // namespace terrazzo::adreno
