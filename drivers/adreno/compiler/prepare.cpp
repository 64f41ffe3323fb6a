// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/passes.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/if_conversion.h"
#include "shaders/passes/loop_invariants.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/mediump_to_16.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/start_sums.h"
#include "shaders/passes/walk.h"
#include "shaders/passes/widen_16.h"
#include "shaders/passes/zero_arrays.h"
#include "shaders/passes/zero_shared.h"

namespace terrazzo::adreno::compiler {

namespace {

using ir::Instr;
using ir::Op;
using ir::Type;

/// Instructions of 16 bits that select_alu.cpp supports.
bool is_native(const Instr& i) {
    const bool rounds = i.op == Op::FFloor || i.op == Op::FCeil || i.op == Op::FFract;
    return ir::is_usual_half(i) || (rounds && i.result()->type == Type::F16);
}

/// Division uses reciprocals, which several divisions may share and a preamble may compute.
bool divide_by_reciprocals(ir::Shader& s) {
    bool changed = false;
    ir::for_each(s.body, [&](Instr* i) {
        if (i->op != Op::FDiv || ir::is_const(i->operand(1))) return;
        ir::Builder b(s, i);
        b.flags = i->flags;
        b.line = i->line;
        ir::Value* const inverse = b.alu(Op::FRcp, i->operand(1));
        ir::replace_uses(i->result(), b.fmul(i->operand(0), inverse));
        changed = true;
    });
    return changed;
}

void take_inputs_at_samples(ir::Shader& s) {
    ir::for_each(s.body, [&](Instr* i) {
        if (i->op == Op::LoadInput && i->u.io.interp != ir::Interp::Flat)
            i->u.io.interp_at = ir::InterpAt::Sample;
    });
}

}  // namespace

bool prepare(ir::Shader& s, const Options& options) {
    lower_stage(s, options);
    if (options.sample_shading) take_inputs_at_samples(s);
    const blend::AdvancedDesc& blending = options.advanced_blend;
    if (blending.equation != pipe::AdvancedBlend::None && blend::blend_advanced(s, blending)) ir::clean_up(s);
    if (options.variant == Variant::Binning) {
        ir::for_each(s.body, [&](Instr* i) {
            if (i->op != Op::StoreOutput) return;
            if (!says_where(i->u.io.slot)) ir::erase(i);
        });
        ir::dce(s);
    }
    const bool halves = options.halves && s.stage == ir::Stage::Fragment && ir::mediump_to_16(s);
    const bool widened = ir::widen_16(s, is_native);
    if (ir::lower_bitfield(s) || widened || halves) ir::clean_up(s);
    ir::simplify_addresses_and_products(s);
    const bool divides = divide_by_reciprocals(s);
    if (ir::start_sums(s) || divides) ir::clean_up(s);
    // A branch waits for its condition, and the scheduler cannot mix its arms with other code. So longer arms
    // are flattened than on other targets.
    constexpr unsigned kMostInArms = 40;
    if (ir::if_conversion(s, {.max_instructions = kMostInArms})) ir::clean_up(s);
    if (ir::loop_invariants(s)) ir::clean_up(s);
    (void)ir::zero_arrays(s);
    if (options.zero_shared) (void)ir::zero_shared(s);
    s.renumber();
    return halves;
}

}  // namespace terrazzo::adreno::compiler
