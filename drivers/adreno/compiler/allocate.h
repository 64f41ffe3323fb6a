// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers.
#pragma once

#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

/// Assigns registers below `max_registers` dwords to all words. If there are too few, nodes are spilled to
/// private memory if `spills` is set; otherwise f.error reports it. Returns false if more units live at once
/// than there are: then other runs of registers would not help.
bool allocate(Function& f, unsigned max_registers, bool spills);

/// The registers of four dwords that the code uses.
[[nodiscard]] unsigned register_footprint(const Function& f);

}  // namespace terrazzo::adreno::compiler
