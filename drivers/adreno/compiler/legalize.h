// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Allocated code to machine code: waits ((ss), (sy), nops), reconvergence points (jp), the last read of
// varyings (ei), targets of jumps. Facts: Mesa 25.0.7, ir3_legalize.c.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

/// `f`: linked, allocated code of that stage. f.error reports what cannot be encoded.
void legalize(Function& f, ir::Stage stage, std::pmr::vector<isa::Instr>* out);

}  // namespace terrazzo::adreno::compiler
