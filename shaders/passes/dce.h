// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Removes what no output, discard or memory write depends on: instructions, stores to variables that no
// instruction loads, results of ifs and loops, arguments of loops, whole ifs and loops (also those that might
// never end), local variables.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool dce(Shader& s);

}  // namespace terrazzo::ir
