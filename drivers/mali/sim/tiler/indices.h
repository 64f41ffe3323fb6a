// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The primitives of a draw, from its index array in GPU memory.
#pragma once

#include "drivers/common/units/assembly.h"
#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

struct IndexSource {
    hw::IndexType type = hw::IndexType::None;
    uint64_t va = 0;
    uint32_t size_B = 0;  // of the array
    uint32_t count = 0, first = 0;
    int32_t vertex_offset = 0;
    bool restart = false;
};

bool load_primitives(Window& memory, hw::DrawMode mode, const IndexSource& indices, bool first_provoking,
                     units::Primitives* out, Fault* fault);

}  // namespace terrazzo::mali::sim
