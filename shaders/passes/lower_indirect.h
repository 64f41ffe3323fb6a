// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dynamic indices into small local variables become chains of selects over constant indices, which mem2reg
// can promote.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

struct LowerIndirectOptions {
    /// Candidates (elements that an index can mean) up to which an access is lowered.
    unsigned max_elements = 16;
    /// Candidates of all accesses together: accesses beyond this number stay.
    unsigned max_total = 16384;
};
bool lower_indirect(Shader& s, const LowerIndirectOptions& options = {});

}  // namespace terrazzo::ir
