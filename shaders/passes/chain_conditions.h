// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Joins many conditions one after the other, as soon as each is known: (a && b) && (c && d) becomes
// ((a && b) && c) && d. This is for GPUs whose comparisons can also compute "and" or "or" of their result and
// another value: all but the first then need no instruction to join them. Fewer conditions are live, too.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool chain_conditions(Shader& s);

}  // namespace terrazzo::ir
