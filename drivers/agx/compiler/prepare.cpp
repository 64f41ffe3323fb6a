// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/compiler/passes.h"
#include "shaders/passes/check_stores.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/widen_16.h"
#include "shaders/passes/zero_arrays.h"

namespace terrazzo::agx::compiler {

namespace {

/// What widen_16() requires. Arithmetic on halves is done in 32 bits.
bool is_native(const ir::Instr& i) {
    switch (i.op) {
        case ir::Op::Const:
        case ir::Op::Undef:
        case ir::Op::Mov:
        case ir::Op::Bitcast:
        case ir::Op::F2F:
        case ir::Op::I2I:
        case ir::Op::U2U:
            return true;
        default:
            return false;
    }
}

}  // namespace

void prepare(ir::Shader& s) {
    const bool widened = ir::widen_16(s, is_native);
    if (ir::lower_bitfield(s) || widened) ir::clean_up(s);
    ir::simplify_addresses_and_products(s);
    if (ir::check_stores(s)) ir::clean_up(s);
    (void)ir::zero_arrays(s);
    s.renumber();
}

}  // namespace terrazzo::agx::compiler
