// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/lower_bitfield.h"

#include <algorithm>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// A field's place: its first bit, its width, and the bits above, all in [0, 32].
struct Field {
    Value *offset, *width, *above;
    bool is_empty = false, may_be_empty = true;  // known to be, known not to be
};

Field field_of(Builder& b, Value* offset, Value* bits) {
    if (is_const(offset) && is_const(bits)) {
        const auto first = uint32_t(const_bits(offset));
        const auto asked = int32_t(const_bits(bits));
        const int32_t width = first < 32 ? std::clamp(asked, 0, 32 - int32_t(first)) : 0;
        return {b.i32(int32_t(first)), b.i32(width), b.i32(32 - width), width == 0, width == 0};
    }
    Value* const first = b.alu(Op::UMin, offset, b.i32(32));
    Value* const left = b.alu(Op::ISub, b.i32(32), first);
    Value* const width = b.alu(Op::IMin, b.alu(Op::IMax, bits, b.i32(0)), left);
    return {offset, width, b.alu(Op::ISub, b.i32(32), width)};
}

/// A mask of the field's width, from bit 0 on. Not for empty fields: shift counts must be below 32.
Value* low_mask(Builder& b, const Field& f) {
    if (is_const(f.above)) return b.i32(int32_t(~0u >> const_bits(f.above)));
    return b.alu(Op::UShr, b.i32(-1), f.above);
}

Value* unless_empty(Builder& b, const Field& f, Value* empty, Value* other) {
    if (!f.may_be_empty) return other;
    return b.select(b.alu(Op::IEq, f.width, b.i32(0)), empty, other);
}

Value* extract(Builder& b, const Instr& i) {
    const Field f = field_of(b, i.operand(1), i.operand(2));
    if (f.is_empty) return b.i32(0);
    Value* const shifted = b.alu(Op::UShr, i.operand(0), f.offset);
    // A statement for each instruction: C++ does not define the order in which a call's arguments are
    // evaluated.
    if (i.op == Op::UBitfieldExtract) {
        Value* const masked = b.iand(shifted, low_mask(b, f));
        return unless_empty(b, f, b.i32(0), masked);
    }
    Value* const at_top = b.alu(Op::IShl, shifted, f.above);
    Value* const extended = b.alu(Op::IShr, at_top, f.above);
    return unless_empty(b, f, b.i32(0), extended);
}

Value* insert(Builder& b, const Instr& i) {
    Value *const base = i.operand(0), *const field = i.operand(1);
    const Field f = field_of(b, i.operand(2), i.operand(3));
    if (f.is_empty) return base;
    Value* const mask = b.alu(Op::IShl, low_mask(b, f), f.offset);
    Value* const placed = b.iand(b.alu(Op::IShl, field, f.offset), mask);
    return unless_empty(b, f, base, b.ior(b.iand(base, b.inot(mask)), placed));
}

}  // namespace

bool lower_bitfield(Shader& s) {
    constexpr unsigned kMost = 16384;  // a field becomes a dozen instructions: fields beyond this number stay
    unsigned lowered = 0;
    for_each(s.body, [&](Instr* i) {
        if (i->op != Op::UBitfieldExtract && i->op != Op::IBitfieldExtract && i->op != Op::BitfieldInsert)
            return;
        if (i->result()->type != Type::I32 || lowered == kMost) return;
        Builder b(s, i);
        b.line = i->line;
        replace_uses(i->result(), i->op == Op::BitfieldInsert ? insert(b, *i) : extract(b, *i));
        erase(i);
        ++lowered;
    });
    return lowered != 0;
}

}  // namespace terrazzo::ir
