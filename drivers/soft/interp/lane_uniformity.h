// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The facts about lanes of a row that generated code relies on (shaders/analysis/uniformity.h).
#pragma once

#include "shaders/analysis/uniformity.h"

namespace terrazzo::soft {

class LaneSources final : public ir::UniformitySources {
  public:
    [[nodiscard]] ir::Scope scope(const ir::Shader& s, const ir::Instr& i) const override {
        // An indexed block and the sizes of buffers are only looked up for the running lanes. Other lanes get
        // zeros.
        if (i.op == ir::Op::BufferSize || (i.op == ir::Op::LoadBuffer && i.u.mem->indexed))
            return ir::Scope::Invocation;
        return UniformitySources::scope(s, i);
    }
};

/// `lanes`: the lanes of a row, a power of two. Code computes and branches for whole rows, so the facts must
/// also hold for stopped lanes.
[[nodiscard]] inline ir::Uniformity lane_uniformity(const ir::Shader& s, unsigned lanes) {
    return ir::Uniformity(s, LaneSources(), {.lanes = lanes, .stopped_lanes = true});
}

}  // namespace terrazzo::soft
