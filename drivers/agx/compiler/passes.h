// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The passes of a compilation, in their order (compile.cpp). Those on machine code report errors in f.error.
#pragma once

#include "drivers/agx/compiler/compile.h"
#include "drivers/agx/compiler/lir.h"

namespace terrazzo::agx::compiler {

/// IR passes before instruction selection.
void prepare(ir::Shader& s);

enum class Spill : uint8_t { No, Yes };
/// Assigns registers (f.reg), below `end` and from `begin` on. Fails if they are not enough.
void allocate(Function& f, Spill spill, unsigned end, unsigned begin);

/// Waits for late results before they are used, jumps, encoding. `statistics` are counted.
void pack(Function& f, std::vector<isa::Unit>* code, Statistics* statistics);

}  // namespace terrazzo::agx::compiler
