// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ALU operations on constants become constants, by the interpreter's own kernels. undef becomes 0.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool constant_folding(Shader& s);

}  // namespace terrazzo::ir
