// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The upper bound of an index follows from the operations that compute it, a few levels up: the front end's
// clamps, sums and products of them. All numbers are unsigned. An operation that may wrap has no bound.
#include "shaders/passes/clamp_indices.h"

#include <algorithm>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

constexpr unsigned kLevels = 8;  // of front-end code five are in use; each may double the work
constexpr uint64_t kAny = UINT32_MAX;

/// An upper bound of the value, as unsigned.
uint64_t largest(const Value* v, unsigned level = 0) {
    const Instr* const i = v->def;
    if (!i || level > kLevels) return kAny;
    const auto of = [&](unsigned n) { return largest(i->operand(n), level + 1); };
    const auto unless_wrapped = [](uint64_t n) { return std::min(n, kAny); };
    constexpr uint64_t kLastSigned = INT32_MAX;
    switch (i->op) {
        case Op::Const:
            return const_bits(v);
        case Op::Mov:
            return of(0);
        case Op::UMin:
        case Op::IAnd:
            return v->type == Type::I32 ? std::min(of(0), of(1)) : kAny;
        case Op::UMax:
            return std::max(of(0), of(1));
        case Op::IMin: {
            // As unsigned, negative numbers are the largest: neither operand may be negative.
            const uint64_t a = of(0), b = of(1);
            return std::max(a, b) <= kLastSigned ? std::min(a, b) : kAny;
        }
        case Op::IMax: {
            // One operand that is never negative is enough: as signed it is the larger one where the other is
            // negative.
            const uint64_t a = of(0), b = of(1);
            if (std::max(a, b) <= kLastSigned) return std::max(a, b);
            return std::min(a, b) <= kLastSigned ? kLastSigned : kAny;
        }
        case Op::Select:
            return std::max(of(1), of(2));
        case Op::IAdd:
            return unless_wrapped(of(0) + of(1));
        case Op::IMul: {
            const uint64_t a = of(0), b = of(1);
            return unless_wrapped(a * b);
        }
        case Op::IShl:
            return is_const(i->operand(1)) ? unless_wrapped(of(0) << (const_bits(i->operand(1)) & 31)) : kAny;
        case Op::UShr:
            return is_const(i->operand(1)) ? of(0) >> (const_bits(i->operand(1)) & 31) : of(0);
        case Op::B2I:
            return 1;
        default:
            return kAny;
    }
}

/// Which operand is the index, and the largest index in range. False: there is no index.
bool index_of(const Instr& i, unsigned* operand, uint32_t* last) {
    switch (i.op) {
        case Op::LoadUniform:
            *operand = 0;
            *last = i.u.io.count - 1;
            return i.operand_count > 0;
        case Op::LoadVar:
        case Op::StoreVar:
            *operand = i.op == Op::StoreVar ? 1 : 0;
            *last = i.var->count - 1 - i.u.io.component;
            return i.operand_count > *operand;
        case Op::Tex:
            *operand = unsigned(std::max(0, tex_operands(*i.u.tex).index));
            *last = i.u.tex->count - 1;
            return i.u.tex->indexed;
        default:
            return false;
    }
}

}  // namespace

uint64_t largest_value(const Value* v) {
    return largest(v);
}

bool clamp_indices(Shader& s) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        unsigned n;
        uint32_t last;
        if (!index_of(*i, &n, &last) || largest(i->operand(n)) <= last) return;
        Builder b(s, i);
        b.line = i->line;
        set_operand(i, n, b.alu(Op::UMin, i->operand(n), b.i32(int32_t(last))));
        changed = true;
    });
    return changed;
}

}  // namespace terrazzo::ir
