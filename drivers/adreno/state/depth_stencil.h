// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil tests.
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

}  // namespace terrazzo::adreno
