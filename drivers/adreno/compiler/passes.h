// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The passes of a compilation, in their order (compile.cpp). Those on machine code report errors in f.error.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

/// IR passes before instruction selection, on a copy of a linked stage. Returns whether any value became a
/// half.
bool prepare(ir::Shader& s, const Options& options);

/// Assigns registers below `max_registers` dwords to all words. If there are too few, nodes are spilled to
/// private memory if `spills` is set; otherwise it fails. Returns false if more units live at once than there
/// are: then other runs of registers would not help.
bool allocate(Function& f, unsigned max_registers, bool spills);
/// The registers of four dwords that allocated code uses.
[[nodiscard]] unsigned register_footprint(const Function& f);

/// Linked, allocated code of that stage to machine code: waits ((ss), (sy), nops), reconvergence points (jp),
/// the last read of varyings (ei), targets of jumps. Facts: Mesa 25.0.7, ir3_legalize.c.
void legalize(Function& f, ir::Stage stage, std::pmr::vector<isa::Instr>* out);

}  // namespace terrazzo::adreno::compiler
