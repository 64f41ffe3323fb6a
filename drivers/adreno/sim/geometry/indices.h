// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From a draw packet to primitives of vertex indices: the PC.
#pragma once

#include "drivers/adreno/sim/machine.h"
#include "drivers/common/units/assembly.h"

namespace terrazzo::adreno::sim {

/// Vertices of a patch; 0: not a type of patches.
unsigned patch_vertices(hw::PrimType type);

/// The primitives of one instance, in order; they are the same for all instances. Indices are those in
/// memory, without VFD_INDEX_OFFSET. Reads PC_PRIMITIVE_CNTL_0 and PC_RESTART_INDEX. `adjacency`: for a
/// geometry shader, in its order and with adjacent vertices. Patches have as many corners as vertices, and no
/// kind. False: `fault`.
[[nodiscard]] bool load_primitives(Machine& machine, const DrawCall& call, bool first_provoking,
                                   bool adjacency, units::Primitives* out, Fault* fault);

}  // namespace terrazzo::adreno::sim
