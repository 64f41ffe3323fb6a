// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/prepare.h"

#include "shaders/passes/clamp_indices.h"
#include "shaders/passes/fold_indices.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/reassociate_products.h"
#include "shaders/passes/widen_16.h"

namespace terrazzo::mali::compiler {

namespace {

using ir::Instr;
using ir::Op;
using ir::Type;

/// Instructions on halves are selected for these (select_half.cpp, halves.h).
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
        case Op::B2F:
            return i.result()->type == Type::F16;
        default:
            return i.info().sig == ir::Sig::FloatCmp;
    }
}

}  // namespace

void prepare(ir::Shader& s) {
    if (ir::widen_16(s, is_native)) ir::clean_up(s);
    if (ir::clamp_indices(s)) ir::clean_up(s);  // addresses are made of indices: nothing checks them later
    if (ir::fold_constant_indices(s)) {
        ir::mem2reg(s);
        ir::clean_up(s);
    }
    // Each turn takes the last of several matrices.
    constexpr unsigned kMatrices = 4;
    for (unsigned turn = 0; turn < kMatrices && ir::reassociate_products(s); turn++)
        ir::clean_up(s);
    s.renumber();
}

}  // namespace terrazzo::mali::compiler
