// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instruction selection: a prepared shader (prepare.h) becomes instructions on words, with blocks in program
// order. f.error reports what is refused.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

void select(const ir::Shader& s, const Options& options, Function& f, Info& info);

}  // namespace terrazzo::adreno::compiler
