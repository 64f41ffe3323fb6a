// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From a draw packet to primitives of vertex indices: what PC does.
#pragma once

#include "drivers/adreno/sim/machine.h"
#include "drivers/common/units/assembly.h"

namespace terrazzo::adreno::sim {

/// Vertices of a patch; 0: the type is none of patches.
unsigned patch_vertices(hw::PrimType type);

/// The primitives of one instance, in order; all instances have the same. Indices are as memory has them: VFD_INDEX_OFFSET is not in them. PC_PRIMITIVE_CNTL_0
/// and PC_RESTART_INDEX are read. `adjacency`: a geometry shader sees them, in its order, so with the vertices beside them. Patches have as many corners as
/// vertices, and no kind. False: the fault says why.
[[nodiscard]] bool load_primitives(Machine& machine, const DrawCall& call, bool first_provoking,
                                   bool adjacency, units::Primitives* out, Fault* fault);

}  // namespace terrazzo::adreno::sim
