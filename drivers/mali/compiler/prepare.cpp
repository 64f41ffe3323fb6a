// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/passes.h"

#include "shaders/passes/chain_conditions.h"
#include "shaders/passes/check_stores.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/walk.h"
#include "shaders/passes/widen_16.h"
#include "shaders/passes/zero_arrays.h"
#include "shaders/passes/zero_shared.h"

namespace terrazzo::mali::compiler {

void prepare(ir::Shader& s, const Options& options) {
    const bool at_samples = options.at_samples && s.stage == ir::Stage::Fragment;
    ir::for_each(s.body, [&](ir::Instr* i) {
        if (at_samples && i->op == ir::Op::LoadInput && i->u.io.interp != ir::Interp::Flat)
            i->u.io.interp_at = ir::InterpAt::Sample;
    });
    // Instructions on halves are selected for these (select_half.cpp, shaders/passes/pair_halves.h).
    const bool widened = ir::widen_16(s, ir::is_usual_half);
    // Indices are clamped before sizes are read with them.
    if (ir::lower_bitfield(s) || widened) ir::clean_up(s);
    ir::simplify_addresses_and_products(s);
    // FCMP_AND and FCMP_OR.
    (void)ir::chain_conditions(s);
    if (!options.own && ir::check_stores(s)) ir::clean_up(s);
    (void)ir::zero_arrays(s);
    (void)ir::zero_shared(s);
    s.renumber();
}

}  // namespace terrazzo::mali::compiler
