// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Creates instructions, and answers a scheduler's questions about them.
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {

Instr make(Op op) {
    const OpInfo& row = info(op);
    Instr instr;
    instr.op = op;
    for (const FieldInfo& f : row.fields()) {
        uint16_t value = f.bias;
        if (f.field == Field::kType || f.field == Field::kSourceType || f.field == Field::kDestType ||
            f.field == Field::kAtomicType)
            value = uint16_t(Type::kF32);
        else if (f.field == Field::kShuffle)
            value = uint16_t(Shuffle::kXor);
        instr.fields[unsigned(f.field)] = value;
    }
    const unsigned sources = row.texture.is ? row.texture.sources : row.source_count;
    for (unsigned i = 0; i < sources; i++) {
        const Shape shape = row.source_rows[i].shape;
        instr.src[i] = Src::of(shape == Shape::kPredicate && !row.texture.is ? kP0 : Reg{});
        if (shape == Shape::kIndexed) instr.src[i] = Src::immediate(0);  // index_mode has this default
    }
    for (unsigned i = 0; i < row.dest_count; i++)
        instr.dst[i].half = row.half_operation && row.dest_rows[i].half == Half::kConverted;
    fix_halves(&instr);
    return instr;
}

void fix_halves(Instr* instr) {
    const OpInfo& row = instr->info();
    for (unsigned i = 0; i < row.source_count; i++) {
        const SourceInfo& s = row.source_rows[i];
        Src& src = instr->src[i];
        if (src.kind != SrcKind::kNone)
            src.half = expected_half(*instr, s.half, src.half) &&
                       !(s.shape == Shape::kTripleNumber && src.kind == SrcKind::kImmediate);
    }
    for (unsigned i = 0; i < row.dest_count; i++) {
        Dest& dest = instr->dst[i];
        const Half rule = row.dest_rows[i].half;
        dest.half = expected_half(*instr, rule, dest.half) &&
                    !(rule == Half::kConverted && dest.reg.index >= kFirstPredicate);
    }
}

// For a6xx (Mesa 25.0.7, ir3_delay.c and ir3_compiler.c): 3 cycles between ALU instructions, 6 to other
// units. Multiplications and additions of category 3 read their last source 2 cycles later; gat and swz read
// one source per cycle.
unsigned delay(Op writer, Op reader, unsigned n) {
    constexpr unsigned kAlu = 3, kOther = 6, kLate = 2;
    const OpInfo &from = info(writer), &to = info(reader);
    if (from.unit != Unit::kAlu || reader == Op::kEnd || reader == Op::kChmask) return 0;
    if (to.unit != Unit::kAlu) return kOther;
    if (reader == Op::kGat || reader == Op::kSwz) return n < kAlu ? kAlu - n : 0;
    const bool multiplies = reader >= Op::kMadU16 && reader <= Op::kMadF32;
    return multiplies && n == 2 ? kAlu - kLate : kAlu;
}

}  // namespace terrazzo::adreno::isa
