// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/passes.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/chain_conditions.h"
#include "shaders/passes/check_stores.h"
#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/walk.h"
#include "shaders/passes/widen_16.h"
#include "shaders/passes/zero_arrays.h"
#include "shaders/passes/zero_shared.h"

namespace terrazzo::mali::compiler {

namespace {

/// Computes the inverse of a condition as a number as a difference from 1: comparisons have 0 or 1 as a
/// result, which often is needed, too.
bool subtract_conditions(ir::Shader& s) {
    bool changed = false;
    ir::for_each(s.body, [&](ir::Instr* i) {
        if (i->op != ir::Op::B2F || i->result()->type != ir::Type::F32) return;
        const ir::Instr* const inverse = i->operand(0)->def;
        if (!inverse || inverse->op != ir::Op::INot) return;
        ir::Builder b(s, i);
        b.line = i->line;
        b.flags = i->flags;
        ir::Value* const condition = b.convert(ir::Op::B2F, ir::Type::F32, inverse->operand(0));
        ir::replace_uses(i->result(), b.fsub(b.f32(1), condition));
        ir::erase(i);
        changed = true;
    });
    return changed;
}

}  // namespace

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
    // After clean_up(), which does the opposite.
    if (subtract_conditions(s)) {
        (void)ir::cse(s);
        (void)ir::dce(s);
    }
    (void)ir::zero_arrays(s);
    (void)ir::zero_shared(s);
    s.renumber();
}

}  // namespace terrazzo::mali::compiler
