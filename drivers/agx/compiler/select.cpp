// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Appends instructions and legalizes their sources: modifiers, immediates and uniforms that an operand cannot
// have go through registers.
#include <algorithm>

#include "drivers/agx/compiler/selector.h"
#include "drivers/agx/isa/minifloat.h"
#include "shaders/ir/half.h"
#include "shaders/passes/walk.h"

namespace terrazzo::agx::compiler {

using isa::Op;

namespace {

bool can_be(const isa::Shape& shape, isa::OperandKind kind) {
    return std::any_of(shape.cases.begin(), shape.cases.end(),
                       [&](const isa::Case& c) { return c.kind == kind; });
}

}  // namespace

void Selector::legalize(Inst& i) {
    const isa::OpInfo& row = i.proto.info();
    const auto given = i.src;
    for (unsigned n = 0; n < row.source_count; n++) {
        Ref& r = i.src[n];
        if (r.kind == Ref::Kind::None || r.kind == Ref::Kind::Number) continue;
        const isa::Shape& shape = *row.source_rows[n].shape;
        const bool floats = shape.number == isa::Number::kFloat;
        if ((r.neg || r.abs) && !(shape.signs & isa::kNeg)) r = in_register(r);
        if (r.kind == Ref::Kind::Uniform && !can_be(shape, isa::OperandKind::kUniform)) r = in_register(r);
        if (r.kind != Ref::Kind::Immediate) continue;
        if (r.neg) r = r.with_bits(r.index ^ r.sign_bit()), r.neg = false;
        const bool is_half = r.size == 16;
        const int small = !floats ? (r.index < 256 ? int(r.index) : -1)
                                  : isa::encode_minifloat(is_half ? ir::half_to_float(uint16_t(r.index))
                                                                  : std::bit_cast<float>(r.index));
        if (small >= 0 && can_be(shape, isa::OperandKind::kImmediate)) {
            r = Ref::number(uint32_t(small));
        } else {
            // Equal immediates share a register.
            const auto same = std::find(given.begin(), given.begin() + n, given[n]) - given.begin();
            r = same < n && is_word(i.src[size_t(same)])
                    ? i.src[size_t(same)]
                    : Ref::word(in_word(Ref::immediate(r.index)), is_half);
        }
    }
}

void Selector::move_to(Word word, Ref r) {
    if (r.kind == Ref::Kind::None) r = Ref::immediate(0);
    if (r.kind == Ref::Kind::Immediate) {
        const uint32_t bits = (r.abs ? r.index & ~r.sign_bit() : r.index) ^ (r.neg ? r.sign_bit() : 0);
        Inst i;
        i.proto = isa::make(Op::kMovImm32);
        i.dest = word;
        i.src[0] = Ref::number(bits);
        push(i);
        return;
    }
    if (r.neg || r.abs) return alu_to(word, isa::make(Op::kFadd32), {r, minus_zero()});
    if (r.sign) return alu_to(word, isa::make(Op::kIadd), {r, Ref::immediate(0)});
    alu_to(word, isa::make(Op::kBitop).set_truth_table(isa::TruthTable::kMov), {r, Ref::immediate(0)});
}

Word Selector::emit(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count) {
    Inst i;
    i.proto = proto;
    std::copy(src.begin(), src.end(), i.src.begin());
    if (count) i.dest = new_words(count);
    i.dest_count = uint8_t(count ? count : 1);
    return push(i).dest;
}

/// A float of 32 bits, rounded to 16.
Ref Selector::to_half(const Ref& r) {
    Inst i;
    i.proto = isa::make(Op::kFadd32);
    i.src[0] = r;
    i.src[1] = minus_zero();
    i.half_dest = true;
    i.dest = new_words(1);
    return Ref::word(push(i).dest).half();
}

Ref Selector::special(isa::SpecialRegister r) {
    if (const Loaded* known = find_loaded(ir::Op::LoadSysval, 0x10000u | unsigned(r)))
        return Ref::word(known->first);
    isa::Instr p = isa::make(Op::kGetSr);
    p.src[0] = isa::Operand::of(isa::OperandKind::kSpecial, int32_t(r));
    return Ref::word(add_loaded(ir::Op::LoadSysval, 0x10000u | unsigned(r), emit(p, {}, 1))->first);
}

void Selector::run() {
    region_ = s_.body;
    begin_block();
    bool flows = false;
    for_each([&](const ir::Instr& i) { flows |= i.op == ir::Op::If || i.op == ir::Op::Loop; });
    if (flows) {
        isa::Instr zero = isa::make(Op::kMovImm16);
        zero.dest = isa::Operand::reg(2 * kMaskRegister, 16);
        fence(zero, {Ref::number(0)});
    }
    scan_inputs();
    if (!blend_) reserve_addresses();
    plan_outputs();
    region(s_.body);
    if (!f_.error.empty()) return;
    region_ = s_.body;
    if (blend_) return finish_blend();
    if (s_.stage == ir::Stage::Vertex) return finish_vertex();
    if (s_.stage == ir::Stage::Fragment) finish_fragment();
}

}  // namespace terrazzo::agx::compiler
