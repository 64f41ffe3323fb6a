// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Resolves operands: files, precision, the bits of numbers. An instruction that the core does not execute
// becomes a step with a reason.
#include "drivers/adreno/sim/core/program.h"

#include <bit>

#include "drivers/adreno/sim/core/lower.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

// In the order of FloatEntry: 0, 0.5, 1, 2, e, pi, 1/pi, 1/log2(e), log2(e), 1/log2(10), log2(10), 4.
constexpr float kFloats[] = {0,           0.5f,        1,           2,           2.71828175f, 3.14159274f,
                             0.31830987f, 0.69314718f, 1.44269502f, 0.30103001f, 3.32192802f, 4};

Operand source(const isa::Src& s, Numbers numbers) {
    Operand o;
    o.numbers = numbers;
    o.half = s.half;
    o.neg = s.neg;
    o.abs = s.abs;
    o.repeat = s.repeat;
    o.index = int16_t(s.value);
    switch (s.kind) {
        case isa::SrcKind::kNone:
            break;
        case isa::SrcKind::kRegister:
            o.from = file_of(unsigned(s.value), s.half, &o.index);
            break;
        case isa::SrcKind::kConstant:
            o.from = From::Constant;
            break;
        case isa::SrcKind::kImmediate:
            o.from = From::Number;
            o.value = uint32_t(s.value);
            break;
        case isa::SrcKind::kFloatTable: {
            o.from = From::Number;
            const float f = kFloats[unsigned(s.value) % std::size(kFloats)];
            o.value = s.half ? pipe::float_to_half(f) : std::bit_cast<uint32_t>(f);
            break;
        }
        case isa::SrcKind::kRelativeRegister:
            o.from = From::RelativeRegister;
            break;
        case isa::SrcKind::kRelativeConstant:
            o.from = From::RelativeConstant;
            break;
    }
    return o;
}

Operand destination(const isa::Dest& d) {
    Operand o;
    o.half = d.half;
    if (d.relative) {
        o.from = From::RelativeRegister;
        o.index = int16_t(d.reg.index);
    } else {
        o.from = file_of(d.reg.index, d.half, &o.index);
    }
    return o;
}

StepKind kind_of(const isa::Instr& i) {
    switch (i.info().category) {
        case 0:
            return StepKind::Flow;
        case 1:
            return i.op == Op::kMov ? StepKind::Move : StepKind::Moves;
        case 2:
            return i.op == Op::kBaryF || i.op == Op::kFlatB ? StepKind::Message : StepKind::Alu;
        case 3:
            return StepKind::Alu;
        case 4:
            return StepKind::Special;
        case 7:
            return StepKind::Barrier;
        default:
            return StepKind::Message;
    }
}

// Where bary.f and flat.b do not repeat, the bits of (r) are (nopN) as in other ALU instructions, though the
// assembly text shows (r): Mesa 25.0.7 packs them so.
unsigned input_nops(const isa::Instr& i) {
    if ((i.op != Op::kBaryF && i.op != Op::kFlatB) || i.repeat()) return 0;
    return unsigned(i.src[0].repeat) + 2 * unsigned(i.src[1].repeat);
}

// ALU instructions take a cycle and their idle cycles; flow takes one, except plain branches; others have no
// guaranteed cycles (Mesa 25.0.7, ir3_legalize.c).
uint8_t cycles_of(const isa::Instr& i) {
    switch (i.info().category) {
        case 0:
            return i.op == Op::kJump || i.op == Op::kBr || i.op == Op::kBraa || i.op == Op::kBrao
                       ? 0
                       : uint8_t(1 + i.repeat());
        case 1:
            if (i.op == Op::kSwz) return 2;
            if (i.op == Op::kGat || i.op == Op::kSct) return 4;
            return i.op == Op::kMovmsk ? uint8_t(i.mask_words()) : uint8_t(1 + i.repeat());
        case 2:
        case 3:
            return uint8_t(1 + i.repeat() + i.nop() + input_nops(i));
        default:
            return 0;
    }
}

Numbers numbers_of(isa::Type t) {
    return is_float(t) ? Numbers::Float : is_signed(t) ? Numbers::Signed : Numbers::Unsigned;
}

void add_operands(Step* s) {
    const isa::Instr& i = s->instr;
    const isa::OpInfo& info = i.info();
    const bool alu = info.unit == isa::Unit::kAlu;
    s->source_count = info.source_count;
    for (unsigned n = 0; n < info.source_count; ++n) {
        const Numbers numbers = s->alu ? s->alu->numbers
                                : s->kind == StepKind::Move || s->kind == StepKind::Moves
                                    ? numbers_of(i.source_type())
                                    : Numbers::Bits;
        s->src[n] = source(i.src[n], numbers);
        if (alu) s->src[n].late = uint8_t(3 - isa::delay(Op::kMov, i.op, n));
    }
    for (unsigned n = 0; n < info.dest_count; ++n)
        s->dst[n] = destination(i.dst[n]);
    if (s->repeat == 0)
        for (Operand& o : s->src)
            o.repeat = false;
    if (s->kind == StepKind::Move && i.src[0].kind == isa::SrcKind::kImmediate) s->src[0].repeat = false;
}

// Why the core does not execute it; null: it does.
const char* refusal(const Step& s) {
    const isa::Instr& i = s.instr;
    if (i.op == Op::kBaryF || i.op == Op::kFlatB)
        return i.src[0].neg || i.src[0].abs || i.src[1].neg || i.src[1].abs
                   ? "not implemented with (neg) or (abs)"
                   : nullptr;
    if (s.kind != StepKind::Alu && s.kind != StepKind::Special) return nullptr;
    if (!s.alu) return "not implemented";
    if (s.sat && s.alu->numbers != Numbers::Float && !(s.alu->traits & kSaturates))
        return "not implemented with (sat)";
    if (i.ei() && !(s.alu->traits & kHalves)) return "not implemented with (ei)";
    if (s.alu->traits & kHalfOnly && !s.half) return "counts wrongly in full registers";
    return nullptr;
}

bool has_rows(const Operand& o, unsigned executions) {
    switch (o.from) {
        case From::Full:
        case From::Half:
            return unsigned(o.index) + (o.repeat ? executions : 1) <= kFullRegisters;
        case From::Address:
        case From::Predicate:
        case From::Constant:
        case From::Number:
            return true;
        case From::None:
        case From::Shared:
        case From::RelativeRegister:
        case From::RelativeConstant:
        case From::Nowhere:
        case From::Wrong:
            break;
    }
    return false;
}

// bary.f whose planes can be in rows, or that only ends the inputs: the sources of that one do not matter.
bool is_straight_input(const Step& s) {
    if (s.dst[0].from == From::Nowhere) return s.src[0].from == From::Number;
    return s.repeat < kMostInputs && s.src[0].from == From::Number &&
           s.src[0].value < kPlaneLocations - s.repeat && s.src[1].from == From::Full &&
           unsigned(s.src[1].index) + 1 < kFullRegisters &&
           (s.dst[0].from == From::Full || s.dst[0].from == From::Half) &&
           unsigned(s.dst[0].index) + s.repeat < kFullRegisters;
}

bool is_straight(const Step& s) {
    if (s.instr.op == Op::kNop) return true;
    if (is_input(s)) return is_straight_input(s);
    if (s.kind == StepKind::Flow || s.kind == StepKind::Message || s.kind == StepKind::Barrier ||
        s.instr.op == Op::kMovmsk)
        return false;
    const unsigned most = s.kind == StepKind::Moves ? 4 : s.repeat + 1u;
    const bool sct = s.instr.op == Op::kSct;
    for (unsigned n = 0; n < source_count(s); ++n) {
        Operand o = s.src[sct ? 0 : n];
        o.repeat = o.repeat || sct;
        if (!has_rows(o, most)) return false;
    }
    for (unsigned n = 0; n < result_count(s); ++n) {
        Operand d = *result_of(s, n, 0).operand;
        d.repeat = true;
        if (d.from != From::Nowhere && (d.from == From::Constant || !has_rows(d, most))) return false;
    }
    return true;
}

Step make_step(uint64_t word, std::string* reason) {
    Step s;
    s.word = word;
    isa::Error error;
    if (!isa::decode(word, &s.instr, &error)) {
        *reason = error.reason;
        return s;
    }
    s.good = true;
    s.kind = kind_of(s.instr);
    s.sy = s.instr.sy();
    s.ss = s.instr.ss();
    s.jp = s.instr.jp();
    s.sat = s.instr.sat();
    s.repeat = uint8_t(s.instr.repeat());
    s.cycles = cycles_of(s.instr);
    const isa::OpInfo& info = s.instr.info();
    s.category = info.category;
    s.half = info.full ? s.instr.src[info.precision_source].half : info.half_operation;
    if (s.kind == StepKind::Alu || s.kind == StepKind::Special) s.alu = alu_row(s.instr.op);
    add_operands(&s);
    // All that write shared registers, except moves from other files. Source: Mesa 25.0.7, ir3.c,
    // is_scalar_alu.
    s.scalar = info.category >= 1 && info.category <= 3 && s.dst[0].from == From::Shared &&
               (s.kind == StepKind::Alu || s.kind == StepKind::Move) &&
               (s.kind == StepKind::Alu || s.src[0].from == From::Shared || s.src[0].from == From::Constant ||
                s.src[0].from == From::Number);
    if (const char* why = refusal(s)) {
        s.good = false;
        *reason = std::string(why) + ": " + info.name;
    }
    s.straight = s.good && is_straight(s);
    return s;
}

}  // namespace

From file_of(unsigned index, bool half, int16_t* in_file) {
    const isa::Reg reg{uint8_t(index)};
    *in_file = int16_t(index);
    if (reg == isa::kA0 || reg == isa::kA1) {
        *in_file = int16_t(reg.component());
        return From::Address;
    }
    if (reg.number() == isa::kP0.number()) {
        *in_file = int16_t(reg.component());
        return From::Predicate;
    }
    if (reg.number() >= isa::kFirstShared && reg.number() < isa::kFirstNotShared) {
        *in_file = int16_t(index - isa::kFirstShared * 4);
        return From::Shared;
    }
    if (index >= kFullRegisters) return reg.number() == 63 ? From::Nowhere : From::Wrong;
    return half ? From::Half : From::Full;
}

namespace {

struct Rules {
    static Step make_step(uint64_t word, std::string* reason) { return sim::make_step(word, reason); }
    static bool is_known(const Step& s) { return s.good || s.instr.op != Op::kNop; }
    static int64_t target_of(const Step& s, int64_t at) {
        return s.kind == StepKind::Flow && s.instr.info().has_offset() ? at + s.instr.offset : -1;
    }
    static bool ends(const Step& s) { return s.instr.info().is(isa::kEndsProgram); }
    static bool is_padding(uint64_t) { return false; }
};

}  // namespace

std::shared_ptr<const Program> decode_program(window::Window& memory, uint64_t va, uint32_t limit) {
    auto p = std::make_shared<Program>();
    p->va = va;
    core::decode_words<Rules>(memory, limit, p.get());
    return p;
}

}  // namespace terrazzo::adreno::sim
