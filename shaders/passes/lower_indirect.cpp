// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/lower_indirect.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// A number that divides the index: arrays of vectors are indexed by element * 4. 1 where that does not help.
uint32_t stride_of(const Value* index, uint32_t var_count) {
    const Instr* i = index->def;
    uint64_t stride = 1;
    if (i && i->op == Op::IMul)
        for (unsigned n = 0; n < 2; n++)
            if (is_const(i->operand(n))) stride = const_bits(i->operand(n));
    if (i && i->op == Op::IShl && is_const(i->operand(1)))
        stride = uint64_t(1) << (const_bits(i->operand(1)) & 31);
    return stride == 0 || stride > var_count ? 1 : uint32_t(stride);
}

struct Access {
    uint32_t first;  // component that index 0 means
    uint32_t stride;
    uint32_t count;  // of candidates
};

/// `left`: how many more candidates are allowed.
bool lower(Shader& s, Instr* i, const LowerIndirectOptions& options, unsigned& left) {
    const bool store = i->op == Op::StoreVar;
    const unsigned at = store ? 1 : 0;
    if (i->operand_count <= at) return false;
    Var* v = i->var;
    Access a{i->u.io.component, stride_of(i->operand(at), v->count), 0};
    a.count = (v->count - a.first + a.stride - 1) / a.stride;
    if (a.count > options.max_elements || a.count > left) return false;
    left -= a.count;
    Builder b(s, i);
    b.line = i->line;
    Value* index = i->operand(at);
    Value* result = store ? nullptr : b.load_var(v, a.first);
    for (uint32_t n = 0; n < a.count; n++) {
        const uint32_t component = a.first + n * a.stride;
        if (store) {
            Value* here = b.alu(Op::IEq, index, b.i32(int32_t(n * a.stride)));
            b.store_var(v, component, b.select(here, i->operand(0), b.load_var(v, component)));
        } else if (n) {
            Value* here = b.alu(Op::IEq, index, b.i32(int32_t(n * a.stride)));
            result = b.select(here, b.load_var(v, component), result);
        }
    }
    if (!store) replace_uses(i->result(), result);
    erase(i);
    return true;
}

}  // namespace

bool lower_indirect(Shader& s, const LowerIndirectOptions& options) {
    bool changed = false;
    unsigned left = options.max_total;
    for_each(s.body, [&](Instr* i) {
        if ((i->op == Op::LoadVar || i->op == Op::StoreVar) && i->var->storage == Storage::Local)
            changed |= lower(s, i, options, left);
    });
    return changed;
}

}  // namespace terrazzo::ir
