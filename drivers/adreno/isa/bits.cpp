// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// 64 bits <-> Instr.
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

void decode_fields(Word word, const OpInfo& row, Instr* out) {
    for (const FieldInfo& f : row.fields())
        if (f.bits)
            out->fields[unsigned(f.field)] =
                uint16_t(f.inverted ? !f.bits.get(word) : f.bits.get(word) + f.bias);
}

bool decode_offset(Word word, const OpInfo& row, Instr* out, Error* error) {
    const OffsetInfo& o = row.offset;
    if (!row.has_offset()) return true;
    const Bits whole{0, uint8_t(o.width())};
    const uint64_t bits = o.low.get(word) | (o.high ? o.high.get(word) << o.low.width : 0);
    out->has_offset = o.present.get(word);
    if (o.present && !out->has_offset)
        return row.texture.is || bits == 0 ||
               refuse(error, "%s: an offset, but not the bit that says so", row.name);
    out->offset = int32_t(o.is_signed ? whole.get_signed(bits) : int64_t(bits));
    return true;
}

/// (nopN) and (r) share bits. They are (nopN) if there is no (rptN).
bool decode_repeats(Word word, const OpInfo& row, Instr* out, Error* error) {
    const uint64_t nops = row.nop_low.mask() | row.nop_high.mask();
    const bool idles = nops && out->repeat() == 0;
    if (idles) out->set_nop(unsigned(row.nop_low.get(word) | row.nop_high.get(word) << 1));
    uint64_t said = 0;
    for (unsigned i = 0; i < row.source_count; i++) {
        const Bits bit = row.source_rows[i].repeat;
        out->src[i].repeat = bit.get(word) && !(idles && (bit.mask() & nops));
        said |= bit.mask();
    }
    return idles || (word & nops & ~said) == 0 ||
           refuse(error, "%s: (r) of a source that it does not have", row.name);
}

bool half_by(const Instr& instr, Half rule, bool half_operation) {
    return rule == Half::kOperation ? half_operation : expected_half(instr, rule, false);
}

bool decode_sources(Word word, const OpInfo& row, bool half, Instr* out, Error* error) {
    for (unsigned i = 0; i < row.source_count; i++) {
        const SourceInfo& s = row.source_rows[i];
        Src& src = out->src[i];
        const bool number = s.shape == Shape::kIndexed ? out->index_mode() == IndexMode::kImmediate
                                                       : s.immediate.get(word) != 0;
        if (!decode_source(s, word, number, &src, error)) return false;
        src.neg |= s.neg.get(word) != 0;
        const bool wanted = half_by(*out, s.half, half);
        if (src.kind == SrcKind::kFloatTable && src.half != wanted)
            return refuse(error, "%s: source %u has not the precision of the operation", row.name, i);
        src.half = wanted && !(s.shape == Shape::kTripleNumber && src.kind == SrcKind::kImmediate);
    }
    return true;
}

bool decode_dests(Word word, const OpInfo& row, bool half, Instr* out, Error* error) {
    for (unsigned i = 0; i < row.dest_count; i++) {
        const DestInfo& d = row.dest_rows[i];
        Dest& dest = out->dst[i];
        dest.reg.index = uint8_t(d.bits.get(word));
        dest.relative = d.relative.get(word);
        if (d.half == Half::kConverted) {
            const bool converts = row.convert.get(word);
            if (dest.reg.index >= kFirstPredicate && converts)
                return refuse(error, "%s: a predicate has no precision to convert to", row.name);
            dest.half = dest.reg.index < kFirstPredicate && half != converts;
        } else if (d.half == Half::kOwnBit) {
            dest.half = !row.dest_full.get(word);
        } else {
            dest.half = half_by(*out, d.half, half);
        }
    }
    return true;
}

}  // namespace

bool decode(Word word, Instr* out, Error* error) {
    Op op;
    if (!find_op(word, &op))
        return refuse(error, "reserved: no instruction of category %u has these bits",
                      unsigned(kCategoryBits.get(word)));
    const OpInfo& row = info(op);
    if (word & ~row.used)
        return refuse(error, "%s: reserved bits %016llx are set", row.name,
                      (unsigned long long)(word & ~row.used));
    Instr instr;
    instr.op = op;
    const bool half = row.full ? !row.full.get(word) : row.half_operation;
    decode_fields(word, row, &instr);
    const bool operands =
        row.texture.is ? decode_texture(word, &instr, error) : decode_sources(word, row, half, &instr, error);
    if (!operands || !decode_offset(word, row, &instr, error) ||
        !decode_dests(word, row, half, &instr, error) || !decode_repeats(word, row, &instr, error) ||
        !validate(instr, error))
        return false;
    *out = instr;
    return true;
}

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
