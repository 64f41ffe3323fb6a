// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Appends instructions and legalizes them: source modifiers that the instruction lacks, constants that are
// not in the constant table, and more uniforms than one instruction can read.
#include "drivers/mali/compiler/selector.h"
#include "drivers/mali/isa/fau.h"

namespace terrazzo::mali::compiler {

using isa::Op;

void Selector::drop_modifiers(Inst& i) {
    const isa::OpInfo& row = i.proto.info();
    for (unsigned n = 0; n < row.source_count; n++) {
        Ref& r = i.src[n];
        const isa::SourceInfo& source = row.source_rows[n];
        const bool swizzled =
            r.swizzle != isa::Swizzle::kNone && isa::code_of_swizzle(source.set, r.swizzle) < 0;
        if ((r.neg && !source.neg) || (r.abs && !source.abs) || swizzled) r = in_register(r);
        if (r.swizzle == isa::Swizzle::kNone) r.swizzle = i.proto.src[n].swizzle;
    }
}

void Selector::drop_immediates(Inst& i) {
    const isa::OpInfo& row = i.proto.info();
    // An instruction reads at most two words of the FAU, from one page: constants of the table, which are in
    // page 0, can be combined only with uniforms of page 0. Messages may read two uniforms of any pairs.
    constexpr uint32_t kPageWords = 64;
    const bool two = isa::reads_two_slots(i.proto.op) && f_.fau.size() < kPageWords;
    unsigned others = 0;
    const Ref* constant = nullptr;
    for (unsigned n = 0; n < row.source_count; n++) {
        const Ref& r = i.src[n];
        const bool another = r.kind == Ref::Kind::Constant && constant && constant->index != r.index;
        others += r.kind == Ref::Kind::Uniform || r.kind == Ref::Kind::Special || another;
        if (r.kind == Ref::Kind::Constant) constant = &r;
    }
    if (constant && f_.fau.size() >= kPageWords) others++;
    for (unsigned n = 0; n < row.source_count; n++) {
        Ref& r = i.src[n];
        if (r.kind != Ref::Kind::Immediate) continue;
        const uint32_t bits = r.index;
        uint32_t fau = kNoUniform;
        if (!others || (two && others < 2)) fau = f_.find_fau({UniformWord::Kind::Constant, bits});
        Ref legal = r;
        if (fau != kNoUniform) {
            legal.kind = Ref::Kind::Uniform;
            legal.index = fau;
        } else {
            legal.kind = Ref::Kind::Word;
            legal.set_word(in_word(Ref{.kind = Ref::Kind::Immediate, .index = bits}));
        }
        others++;
        for (unsigned m = n; m < row.source_count; m++) {
            Ref& same = i.src[m];
            if (same.kind != Ref::Kind::Immediate || same.index != bits) continue;
            same.kind = legal.kind;
            same.index = legal.index;
        }
    }
}

void Selector::drop_conflicts(Inst& i) {
    const isa::OpInfo& row = i.proto.info();
    isa::Instr trial = i.proto;
    for (isa::Operand& o : trial.src)
        o = isa::Operand{};
    for (unsigned n = 0; n < row.source_count; n++) {
        Ref& r = i.src[n];
        if (r.kind == Ref::Kind::Word || r.kind == Ref::Kind::None) continue;
        trial.src[n] = r.operand(0);
        if (isa::validate_fau(trial, nullptr)) continue;
        trial.src[n] = isa::Operand{};
        Ref plain = r;
        plain.neg = plain.abs = plain.invert = false;
        plain.swizzle = isa::Swizzle::kNone;
        r.kind = Ref::Kind::Word;
        if (row.source_rows[n].size == 64) {
            f_.fail("mali: a 64-bit source with others that one instruction cannot read");
            return;
        }
        r.set_word(in_word(plain));
        r.high = false;
    }
}

/// A sum of a constant: uses the instruction with an immediate, which needs no word of the FAU.
void Selector::use_immediate_form(Inst& i) {
    const bool floats = i.proto.op == Op::kFaddF32 && i.proto.clamp() == isa::Clamp::kNone;
    if (!floats && i.proto.op != Op::kIaddU32) return;
    for (unsigned n = 0; n < 2; n++) {
        const Ref constant = i.src[n], other = i.src[1 - n];
        if (constant.kind != Ref::Kind::Immediate || !is_plain(constant) ||
            other.kind == Ref::Kind::Constant || other.kind == Ref::Kind::Immediate || !is_plain(other))
            continue;
        i.proto = isa::make(floats ? Op::kFaddImmF32 : Op::kIaddImmI32);
        i.proto.set_immediate(isa::Imm::kConstant, int32_t(constant.index));
        i.src = {other};
        return;
    }
}

void Selector::legalize(Inst& i) {
    use_immediate_form(i);
    drop_modifiers(i);
    drop_immediates(i);
    drop_conflicts(i);
}

void Selector::move_to(Word word, Ref r) {
    if (r.kind == Ref::Kind::None) r = zero();
    if (r.neg || r.abs || r.swizzle == isa::Swizzle::kH0 || r.swizzle == isa::Swizzle::kH1)
        return alu_to(word, isa::make(Op::kFaddF32), {r, minus_zero()});
    if (r.kind != Ref::Kind::Immediate) return alu_to(word, isa::make(Op::kMovI32), {r});
    isa::Instr p = isa::make(Op::kIaddImmI32);
    alu_to(word, p.set_immediate(isa::Imm::kConstant, int32_t(r.index)), {zero()});
}

Inst Selector::with(const isa::Instr& proto, std::initializer_list<Ref> src) {
    Inst i;
    i.proto = proto;
    std::copy(src.begin(), src.end(), i.src.begin());
    return i;
}

Word Selector::message(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count, Word read,
                       unsigned read_count) {
    Inst m = with(proto, src);
    m.read = read;
    m.read_count = uint8_t(read_count);
    if (count) m.written = new_words(count);
    m.written_count = uint8_t(count);
    return push(m).written;
}

Ref Selector::pair(uint32_t low, uint32_t high) {
    const uint32_t fau = f_.find_fau_pair(low, high);
    return fau != kNoUniform ? Ref::uniform(fau)
                             : Ref::word(collect({Ref::immediate(low), Ref::immediate(high)}));
}

Ref Selector::csel(Op op, isa::Condition c, Ref a, Ref b, Ref yes, Ref no) {
    return alu(isa::make(op).set_condition(c), {a, b, yes, no});
}

}  // namespace terrazzo::mali::compiler
