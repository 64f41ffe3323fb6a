// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/prepare.h"

#include "shaders/passes/pipeline.h"
#include "shaders/passes/widen_16.h"
#include "shaders/passes/zero_arrays.h"

namespace terrazzo::mali::compiler {

void prepare(ir::Shader& s) {
    // Instructions on halves are selected for these (select_half.cpp, shaders/passes/pair_halves.h).
    if (ir::widen_16(s, ir::is_usual_half)) ir::clean_up(s);
    ir::simplify_addresses_and_products(s);
    (void)ir::zero_arrays(s);
    s.renumber();
}

}  // namespace terrazzo::mali::compiler
