// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The primitives of a draw, from its index array in GPU memory.
#pragma once

#include "drivers/common/units/assembly.h"
#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

/// Without indices, `indices.index_B` is 0, and the vertices are consecutive.
bool load_primitives(Window& memory, hw::DrawMode mode, const units::IndexArray& indices,
                     bool first_provoking, units::Primitives* out, Fault* fault);

}  // namespace terrazzo::mali::sim
