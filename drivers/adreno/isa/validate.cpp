// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Refuses instructions that cannot be encoded, before encoding and after decoding. Facts: Mesa 25.0.7,
// ir3-*.xml.
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

bool validate_fields(const Instr& instr, const OpInfo& row, Error* error) {
    unsigned said = 0, all = 0;
    for (const FieldInfo& f : row.fields()) {
        const uint16_t value = instr.get(f.field);
        const FieldText& text = field_text(f.field);
        said += value != 0;
        if (text.values && !text.values->has(value))
            return refuse(error, "%s: value %u of %s is reserved", row.name, value, text.name);
        if (f.bits && (value < f.bias || uint64_t(value - f.bias) > f.bits.max()))
            return refuse(error, "%s: %s cannot be %u", row.name, text.name, value);
    }
    for (uint16_t value : instr.fields)
        all += value != 0;
    for (unsigned i = 0; all != said && i < kFieldCount; i++)
        if (instr.fields[i] && !row.has(Field(i)))
            return refuse(error, "%s has no %s", row.name, field_text(Field(i)).name);
    if (row.has(Field::kBase) && !row.texture.is && instr.base() && !instr.bindless())
        return refuse(error, "%s: only bindless forms have a base", row.name);
    return true;
}

bool validate_offset(const Instr& instr, const OpInfo& row, Error* error) {
    const OffsetInfo& o = row.offset;
    if (instr.has_offset && !o.present)
        return refuse(error, "%s does not say whether it has an offset", row.name);
    if (instr.offset != 0 && (!row.has_offset() || (o.present && !instr.has_offset)))
        return refuse(error, "%s has no offset", row.name);
    if (row.has_offset()) {
        const int64_t end = int64_t{1} << (o.width() - (o.is_signed ? 1 : 0));
        if (instr.offset < (o.is_signed ? -end : 0) || instr.offset >= end)
            return refuse(error, "%s: offset %d does not fit into %u bits", row.name, instr.offset,
                          o.width());
    }
    return true;
}

bool validate_dests(const Instr& instr, const OpInfo& row, Error* error) {
    for (unsigned i = 0; i < OpInfo::kMaxDests; i++) {
        const Dest& dest = instr.dst[i];
        if (i >= row.dest_count) {
            if (dest != Dest{}) return refuse(error, "%s has %u destinations", row.name, row.dest_count);
            continue;
        }
        const DestInfo& d = row.dest_rows[i];
        if (dest.relative && !d.relative) return refuse(error, "%s cannot write relative to a0.x", row.name);
        const bool none = d.half == Half::kConverted && dest.reg.index >= kFirstPredicate;
        if (dest.half != (!none && expected_half(instr, d.half, dest.half)))
            return refuse(error, "%s: destination %u is a %s register", row.name, i,
                          dest.half ? "full" : "half");
    }
    return true;
}

bool validate_sources(const Instr& instr, const OpInfo& row, Error* error) {
    for (unsigned i = 0; i < OpInfo::kMaxSources; i++) {
        const Src& src = instr.src[i];
        if (i >= row.source_count) {
            if (src != Src{}) return refuse(error, "%s has %u sources", row.name, row.source_count);
            continue;
        }
        const SourceInfo& s = row.source_rows[i];
        if (!validate_source(s, src, i, row.name, error)) return false;
        const bool no_precision = s.shape == Shape::kTripleNumber && src.kind == SrcKind::kImmediate;
        if (src.half != (!no_precision && expected_half(instr, s.half, src.half)))
            return refuse(error, "%s: source %u is of %s precision", row.name, i, src.half ? "full" : "half");
        if (s.shape == Shape::kIndexed &&
            (src.kind == SrcKind::kImmediate) != (instr.index_mode() == IndexMode::kImmediate))
            return refuse(error, "%s: source %u is not what the mode says", row.name, i);
    }
    return true;
}

bool validate_repeats(const Instr& instr, const OpInfo& row, Error* error) {
    if (instr.nop() > 3 || (instr.nop() && instr.repeat()))
        return refuse(error, "%s: (nop%u) and (rpt%u)", row.name, instr.nop(), instr.repeat());
    const uint64_t nops = row.nop_low.mask() | row.nop_high.mask();
    for (unsigned i = 0; i < row.source_count; i++) {
        const bool shared = row.source_rows[i].repeat.mask() & nops;
        if (instr.src[i].repeat && nops && (instr.nop() || (shared && instr.repeat() == 0)))
            return refuse(error, "%s: source %u has (r), but nothing repeats", row.name, i);
    }
    return true;
}

bool validate_move(const Instr& instr, Error* error) {
    const Src& src = instr.src[0];
    if (src.kind != SrcKind::kImmediate) return true;
    if (is_half_in_move(instr.source_type()) && (src.value < 0 || src.value > 0xffff))
        return refuse(error, "mov: a number of 16 bits cannot be 0x%x", unsigned(src.value));
    return !src.repeat || moves_to_a0(instr) || moves_to_a1(instr) ||
           refuse(error, "mov: only mova has (r) before a number");
}

}  // namespace

bool is_half_operation(const Instr& instr) {
    const OpInfo& row = instr.info();
    return row.full ? instr.src[row.precision_source].half : row.half_operation;
}

bool expected_half(const Instr& instr, Half rule, bool has) {
    switch (rule) {
        case Half::kNever:
            return false;
        case Half::kOperation:
            return is_half_operation(instr);
        case Half::kConverted:
        case Half::kOwnBit:
            return has;
        case Half::kType:
            return is_half(instr.type());
        case Half::kSourceType:
            return is_half_in_move(instr.source_type());
        case Half::kDestType:
            return is_half_in_move(instr.dest_type());
        case Half::kUnlessBindless:
            return !is_bindless(TextureMode(instr.texture_mode()));
    }
    return false;
}

bool moves_to_a0(const Instr& instr) {
    return instr.op == Op::kMov && instr.dst[0].reg == kA0 && !instr.dst[0].relative &&
           instr.source_type() == Type::kS16 && instr.dest_type() == Type::kS16;
}

bool moves_to_a1(const Instr& instr) {
    return instr.op == Op::kMov && instr.dst[0].reg == kA1 && !instr.dst[0].relative &&
           instr.source_type() == Type::kU16 && instr.dest_type() == Type::kU16;
}

bool validate(const Instr& instr, Error* error) {
    if (instr.op >= Op::kCount) return refuse(error, "there is no operation %u", unsigned(instr.op));
    const OpInfo& row = instr.info();
    if (!validate_fields(instr, row, error) || !validate_offset(instr, row, error)) return false;
    if (row.texture.is ? !validate_texture(instr, error) || instr.src[3] != Src{}
                       : !validate_sources(instr, row, error))
        return false;
    return validate_dests(instr, row, error) && validate_repeats(instr, row, error) &&
           (instr.op != Op::kMov || validate_move(instr, error));
}

}  // namespace terrazzo::adreno::isa
