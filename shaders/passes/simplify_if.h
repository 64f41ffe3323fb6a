// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Removes control flow that decides nothing: ifs on constants, loops that run once, code after an if whose
// arms both
// leave the iteration, discards of a constant.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool simplify_if(Shader& s);

}  // namespace terrazzo::ir
