// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/prepare.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/clamp_indices.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/fold_indices.h"
#include "shaders/passes/if_conversion.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/mediump_to_16.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/reassociate_products.h"
#include "shaders/passes/start_sums.h"
#include "shaders/passes/walk.h"
#include "shaders/passes/widen_16.h"

namespace terrazzo::adreno::compiler {

namespace {

using ir::Instr;
using ir::Op;
using ir::Type;

/// Instructions of 16 bits that select_alu.cpp has.
bool is_native(const Instr& i) {
    switch (i.op) {
        case Op::Const:
        case Op::Undef:
        case Op::I2I:
        case Op::U2U:
        case Op::Bitcast:
        case Op::F2F:
            return true;
        case Op::Mov:
        case Op::Select:
        case Op::FAdd:
        case Op::FSub:
        case Op::FMul:
        case Op::FFma:
        case Op::FMin:
        case Op::FMax:
        case Op::FSat:
        case Op::FNeg:
        case Op::FAbs:
        case Op::FFloor:
        case Op::FCeil:
        case Op::FFract:
        case Op::B2F:
            return i.result()->type == Type::F16;
        default:
            return i.info().sig == ir::Sig::FloatCmp;
    }
}

/// There is no division but by the reciprocal, which several may share and a preamble may compute.
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

}  // namespace

bool prepare(ir::Shader& s, const Options& options) {
    if (options.variant == Variant::Binning) {
        ir::for_each(s.body, [&](Instr* i) {
            if (i->op != Op::StoreOutput) return;
            if (!says_where(i->u.io.slot)) ir::erase(i);
        });
        ir::dce(s);
    }
    const bool halves = options.halves && s.stage == ir::Stage::Fragment && ir::mediump_to_16(s);
    if (halves) ir::clean_up(s);
    if (ir::widen_16(s, is_native)) ir::clean_up(s);
    if (ir::lower_bitfield(s)) ir::clean_up(s);
    if (ir::clamp_indices(s)) ir::clean_up(s);  // addresses are made of indices: nothing checks them later
    if (ir::fold_constant_indices(s)) {
        ir::mem2reg(s);
        ir::clean_up(s);
    }
    // Each turn takes the last of several matrices.
    constexpr unsigned kMatrices = 4;
    for (unsigned turn = 0; turn < kMatrices && ir::reassociate_products(s); turn++)
        ir::clean_up(s);
    if (divide_by_reciprocals(s)) ir::clean_up(s);
    if (ir::start_sums(s)) ir::clean_up(s);
    // A branch waits for its condition and parts what the scheduler may mix: longer arms than elsewhere run always.
    constexpr unsigned kMostInArms = 40;
    if (ir::if_conversion(s, {.max_instructions = kMostInArms})) ir::clean_up(s);
    s.renumber();
    return halves;
}

}  // namespace terrazzo::adreno::compiler
