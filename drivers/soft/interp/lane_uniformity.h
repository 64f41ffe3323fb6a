// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What generated code relies on of the lanes of a row (shaders/analysis/uniformity.h).
#pragma once

#include "shaders/analysis/uniformity.h"

namespace terrazzo::soft {

class LaneSources final : public ir::UniformitySources {
  public:
    [[nodiscard]] ir::Scope scope(const ir::Shader& s, const ir::Instr& i) const override {
        // A block with an index, and the sizes of buffers, are looked up for the lanes that run. Other lanes get zeros.
        if (i.op == ir::Op::BufferSize || (i.op == ir::Op::LoadBuffer && i.u.mem->indexed))
            return ir::Scope::Invocation;
        return UniformitySources::scope(s, i);
    }
};

/// `lanes`: of a row, a power of two. Code computes and branches for whole rows, so facts must hold for stopped lanes.
[[nodiscard]] inline ir::Uniformity lane_uniformity(const ir::Shader& s, unsigned lanes) {
    return ir::Uniformity(s, LaneSources(), {.lanes = lanes, .stopped_lanes = true});
}

}  // namespace terrazzo::soft
