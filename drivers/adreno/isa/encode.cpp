// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr -> 64 bits.
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {
namespace {

uint64_t encode_dest(const OpInfo& row, const DestInfo& d, const Dest& dest, bool half_operation) {
    Word word = d.bits.put(dest.reg.index) | d.relative.put(dest.relative);
    if (d.half == Half::kConverted && dest.reg.index < kFirstPredicate)
        word |= row.convert.put(dest.half != half_operation);
    if (d.half == Half::kOwnBit) word |= row.dest_full.put(!dest.half);
    return word;
}

uint64_t encode_sources(const Instr& instr, const OpInfo& row) {
    Word word = 0;
    for (unsigned i = 0; i < row.source_count; i++) {
        const SourceInfo& s = row.source_rows[i];
        const Src& src = instr.src[i];
        const uint64_t bits = encode_source(s, src);
        // A move's source has 32 bits; the bits of its kind are separate.
        word |= s.shape == Shape::kMove ? bits : s.bits.put(bits);
        word |=
            s.neg.put(src.neg) | s.repeat.put(src.repeat) | s.immediate.put(src.kind == SrcKind::kImmediate);
    }
    return word;
}

uint64_t encode_fields(const Instr& instr, const OpInfo& row) {
    Word word = 0;
    for (const FieldInfo& f : row.fields())
        word |= f.bits.put(f.inverted ? !instr.get(f.field) : uint64_t(instr.get(f.field) - f.bias));
    return word | row.nop_low.put(instr.nop() & 1) | row.nop_high.put(instr.nop() >> 1);
}

}  // namespace

bool encode(const Instr& instr, Word* out, Error* error) {
    if (!validate(instr, error)) return false;
    const OpInfo& row = instr.info();
    const bool half = is_half_operation(instr);
    Word word = row.opcode.value | encode_fields(instr, row);
    for (unsigned i = 0; i < row.dest_count; i++)
        word |= encode_dest(row, row.dest_rows[i], instr.dst[i], half);
    const uint64_t offset = uint64_t(int64_t(instr.offset));
    word |= row.offset.low.put(offset) | row.offset.present.put(instr.has_offset);
    if (row.offset.high) word |= row.offset.high.put(offset >> row.offset.low.width);
    if (row.texture.is) {
        word |= encode_texture(instr) | row.full.put(row.texture.sources && !half);
    } else {
        word |= encode_sources(instr, row) | row.full.put(!half);
    }
    *out = word;
    return true;
}

}  // namespace terrazzo::adreno::isa
