// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Indices and primitives of a draw.
#pragma once

#include <vector>

#include "drivers/mali/sim/state/read.h"
#include "drivers/mali/sim/tiler/records.h"

namespace terrazzo::mali::sim {

/// Primitives in order; vertices of each in an order that keeps its orientation, the provoking one first or
/// last as the tiler context says.
struct Primitives {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    unsigned corners = 3;
    std::vector<uint32_t> vertices;  // ids
    size_t count() const { return vertices.size() / corners; }
};

struct IndexSource {
    hw::IndexType type = hw::IndexType::None;
    uint64_t va = 0;
    uint32_t size_B = 0;  // of the array
    uint32_t count = 0, first = 0;
    int32_t vertex_offset = 0;
    bool restart = false;
};

bool assemble_primitives(Window& memory, hw::DrawMode mode, const IndexSource& indices, bool first_provoking,
                         Primitives* out, Fault* fault);

}  // namespace terrazzo::mali::sim
