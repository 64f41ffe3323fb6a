// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Allocated code to machine code: waits ((ss), (sy), nops), where threads meet (jp), the last read of varyings
// (ei), targets of jumps. Facts: Mesa 25.0.7, ir3_legalize.c.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

/// Linked, allocated code of that stage. What cannot be encoded is f.error.
void legalize(Function& f, ir::Stage stage, std::pmr::vector<isa::Instr>* out);

}  // namespace terrazzo::adreno::compiler
