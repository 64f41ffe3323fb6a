// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a warp's stage provides to the units (Warp::stage).
#pragma once

#include "drivers/mali/sim/state/shader.h"

namespace terrazzo::mali::sim {

enum class StageKind : uint8_t { Vertex, Fragment, Compute };

struct Stage {
    StageKind kind = StageKind::Compute;
    const ShaderState* shader = nullptr;
    // Vertices: the target of LEA_BUF of table 61.
    uint64_t output_base = 0;
    uint32_t output_stride_B = 0, output_count = 0;
    uint32_t attribute_offset = 0;
};

/// Table 61, entry 0: the outputs of a vertex shader.
inline constexpr unsigned kVertexOutputTable = 61;

}  // namespace terrazzo::mali::sim
