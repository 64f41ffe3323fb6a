// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil tests, and LRZ.
#pragma once

#include "drivers/adreno/stream/draw_state.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

class AdrenoDepthStencil final : public pipe::DepthStencilState {
  public:
    AdrenoDepthStencil(Device& device, const pipe::DepthStencilDesc& d);
    [[nodiscard]] bool valid() const { return states_.valid(); }

    const pipe::DepthStencilDesc desc;
    /// Group::DepthStencil. The test of an attachment that is missing passes, and writes nothing.
    [[nodiscard]] const StaticState& state(bool has_depth, bool has_stencil) const {
        return states_[has_depth + 2 * has_stencil];
    }
    [[nodiscard]] bool tests_depth(bool has_depth) const { return has_depth && desc.depth_test; }
    /// Whether draws may change depth or stencil.
    [[nodiscard]] bool writes(bool has_depth, bool has_stencil) const {
        return (has_depth && writes_depth_) || (has_stencil && writes_stencil_);
    }
    [[nodiscard]] bool writes_depth() const { return writes_depth_; }
    [[nodiscard]] bool writes_stencil() const { return writes_stencil_; }
    mutable std::atomic<uint64_t> held_by{0};

  private:
    StaticStates<4> states_;
    bool writes_depth_ = false, writes_stencil_ = false;
};

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
