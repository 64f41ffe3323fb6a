// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "drivers/adreno/stream/draw_state.h"

namespace terrazzo::adreno {

/// A draw's use of LRZ (low-resolution Z), as in GRAS_LRZ_CNTL.
struct LrzUse {
    bool test = false, write = false, greater = false;
    bool fast = false;  // the buffer was cleared by its fast-clear bits
    bool operator==(const LrzUse&) const = default;
};

/// Group::DepthPlane: whether the depth test is early or late, and LRZ. All combinations are packed once.
class DepthPlanes {
  public:
    /// Not valid(): out of memory.
    explicit DepthPlanes(Device& device);
    [[nodiscard]] bool valid() const { return states_.valid(); }
    [[nodiscard]] static uint32_t index(hw::ZtestMode mode, const LrzUse& lrz) {
        return unsigned(mode) + kModes * (lrz.test + 2 * lrz.write + 4 * lrz.greater + 8 * lrz.fast);
    }
    [[nodiscard]] Segment segment(uint32_t index) const { return states_[index].segment(); }

  private:
    static constexpr uint32_t kModes = 3;
    StaticStates<kModes * 16> states_;
};

}  // namespace terrazzo::adreno
