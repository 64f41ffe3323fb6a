// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is done to the IR before instructions are selected.
#pragma once

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno::compiler {

/// A copy of a linked stage, which is changed. True: something became half as wide.
bool prepare(ir::Shader& s, const Options& options);

}  // namespace terrazzo::adreno::compiler
