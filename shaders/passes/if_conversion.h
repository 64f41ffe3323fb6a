// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small ifs without side effects become selects; an arm that only discards becomes a discard under a wider
// condition.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

struct IfConversionOptions {
    /// Of both arms together, except constants: they will run in every lane.
    unsigned max_instructions = 16;
};
bool if_conversion(Shader& s, const IfConversionOptions& options = {});

}  // namespace terrazzo::ir
