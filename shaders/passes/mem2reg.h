// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Local variables become values: components accessed with constant indices alone turn into SSA, through
// results of
// ifs and arguments of loops. A variable with a dynamic index stays as it is (lower_indirect turns such
// indices into
// constant ones). A read before any write returns 0.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// True if something changed. Unneeded loop arguments and results are left for dce.
bool mem2reg(Shader& s);

}  // namespace terrazzo::ir
