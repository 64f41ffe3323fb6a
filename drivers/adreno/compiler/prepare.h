// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IR passes before instruction selection.
#pragma once

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno::compiler {

/// Changes a copy of a linked stage. Returns whether any value became a half.
bool prepare(ir::Shader& s, const Options& options);

}  // namespace terrazzo::adreno::compiler
