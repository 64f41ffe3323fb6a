// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Words <-> Instr.
#include <cinttypes>

#include "drivers/agx/isa/isa.h"

namespace terrazzo::agx::isa {
namespace {

using terrazzo::isa::cut_word;
using terrazzo::isa::refuse;

bool is_file(OperandKind kind) {
    return kind == OperandKind::kRegister || kind == OperandKind::kUniform;
}
unsigned halves_of(OperandKind kind) {
    return kind == OperandKind::kRegister ? kRegisterHalves : kUniformHalves;
}

uint64_t key_of(const OperandInfo& row, const Word& word) {
    return row.key.get(word) | row.shared.get(word) << row.key.width();
}

bool fits(Low low, uint64_t value) {
    switch (low) {
        case Low::kAny:
            return true;
        case Low::kEven:
            return value % 2 == 0;
        case Low::kOdd:
            return value % 2 == 1;
        case Low::kZero:
            return value == 0;
    }
    return false;
}

/// The number that an operand of this case has for the value's bits.
int64_t number_of(const OperandInfo& row, const Case& c, const Word& word) {
    if (is_file(c.kind))
        return int64_t(((row.value.get(word) & ~uint64_t(c.low == Low::kOdd)) << c.scale) + c.add);
    const Number number = row.shape->number;
    const bool is_signed =
        c.kind == OperandKind::kImmediate && number != Number::kUnsigned && number != Number::kFloat;
    return is_signed ? row.value.get_signed(word) : int64_t(row.value.get(word));
}

/// The value's bits for the number; false: it has none.
bool value_of(const OperandInfo& row, const Case& c, int64_t number, uint64_t* out) {
    uint64_t value = uint64_t(number);
    if (is_file(c.kind)) {
        value -= c.add;
        if (number < c.add || value & ((uint64_t{1} << c.scale) - 1)) return false;
        value = (value >> c.scale) | (c.low == Low::kOdd);
        if (c.low == Low::kOdd && number % 2) return false;
    }
    Word word = row.value.put<Word>(value);
    if (!fits(c.low, row.value.get(word)) || number_of(row, c, word) != number) return false;
    *out = value;
    return true;
}

constexpr unsigned kHints = kCache | kDiscard | kBindless;

bool decode_signs(const OperandInfo& row, const Word& word, Operand* out) {
    const uint64_t bits = row.signs.get(word);
    if (row.shape->signs == kSignExtend) {
        out->flags = uint8_t(out->flags | (bits ? kSignExtend : 0));
        return !bits || is_file(out->kind);
    }
    out->flags = uint8_t(out->flags | (bits & 1 ? kAbs : 0) | (bits & 2 ? kNeg : 0));
    return true;
}

bool decode_operand(const OperandInfo& row, const Word& word, const Instr& instr, Operand* out) {
    const uint64_t key = key_of(row, word);
    for (const Case& c : row.shape->cases) {
        const unsigned count = (key & c.key_mask) == c.key ? registers_of(c.count, instr) : 0;
        if (!count || !fits(c.low, row.value.get(word))) continue;
        Operand o{c.kind, c.size, uint8_t(is_file(c.kind) ? count : 0), c.flags,
                  int32_t(number_of(row, c, word))};
        if (c.kind == OperandKind::kNone) o.value = 0;
        if (is_file(c.kind) && unsigned(o.value) + o.halves() > halves_of(c.kind)) return false;
        *out = o;
        return decode_signs(row, word, out);
    }
    return false;
}

/// False: no case of the shape is this operand.
bool encode_operand(const OperandInfo& row, const Operand& o, const Instr& instr, Word* word) {
    const bool sx = row.shape->signs == kSignExtend;
    if (o.flags & ~(kHints | row.shape->signs) || (sx && o.flags & kSignExtend && !is_file(o.kind)))
        return false;
    for (const Case& c : row.shape->cases) {
        const unsigned count = registers_of(c.count, instr);
        uint64_t value = 0;
        if (!count || c.kind != o.kind || c.size != o.size || c.flags != (o.flags & kHints) ||
            o.count != (is_file(c.kind) ? count : 0) || !value_of(row, c, o.value, &value))
            continue;
        if (is_file(c.kind) && unsigned(o.value) + o.halves() > halves_of(c.kind)) return false;
        const uint64_t signs =
            sx ? bool(o.flags & kSignExtend) : (o.flags & kAbs ? 1 : 0) | (o.flags & kNeg ? 2 : 0);
        *word |= row.value.put<Word>(value) | row.key.put<Word>(c.key) | row.signs.put<Word>(signs);
        return true;
    }
    return false;
}

/// The lowest reserved bit that is set; -1: none.
int reserved_bit(const OpInfo& row, const Word& word) {
    for (unsigned bit = 0; bit < row.length; bit++)
        if (uint64_t(word >> bit) & ~uint64_t(row.used >> bit) & 1) return int(bit);
    return -1;
}

bool decode_any(const Word& bits, Instr* out, Error* error) {
    Op op;
    if (!find_op(bits, &op))
        return refuse(error, "no instruction starts with %04x", unsigned(uint16_t(uint64_t(bits))));
    Instr instr;
    instr.op = op;
    const OpInfo& row = info(op);
    const unsigned length = row.length_of(bits);
    const Word word = cut_word(bits, length);
    if (const int bit = reserved_bit(row, word); bit >= 0)
        return refuse(error, "%s: bit %d is reserved", row.name, bit);
    instr.padded = length > row.short_length && row.long_bit && cut_word(word, row.short_length) == word;
    for (const FieldInfo& f : row.fields())
        instr.fields[unsigned(f.field)] = uint16_t(f.bits.get(word));
    if (row.dest_count && !decode_operand(row.dest_row, word, instr, &instr.dest))
        return refuse(error, "%s: the bits of the destination have no meaning", row.name);
    for (unsigned i = 0; i < row.source_count; i++)
        if (!decode_operand(row.source_rows[i], word, instr, &instr.src[i]))
            return refuse(error, "%s: the bits of source %u have no meaning", row.name, i);
    *out = instr;
    return true;
}

/// Everything but the bit that chooses the longer form.
bool encode_parts(const Instr& instr, Word* out, Error* error) {
    const OpInfo& row = instr.info();
    Word word = row.opcode.value;
    for (unsigned i = 0; i < kFieldCount; i++)
        if (instr.fields[i] && !row.has(Field(i)))
            return refuse(error, "%s has no %s", row.name, field_text(Field(i)).name);
    for (const FieldInfo& f : row.fields()) {
        const uint16_t value = instr.get(f.field);
        if (value > f.bits.max())
            return refuse(error, "%s: %s cannot be %u", row.name, field_text(f.field).name, value);
        word |= f.bits.put<Word>(value);
    }
    if (row.dest_count ? !encode_operand(row.dest_row, instr.dest, instr, &word) : instr.dest != Operand{})
        return refuse(error, "%s cannot have this destination", row.name);
    for (unsigned i = 0; i < OpInfo::kMaxSources; i++)
        if (i < row.source_count ? !encode_operand(row.source_rows[i], instr.src[i], instr, &word)
                                 : instr.src[i] != Operand{})
            return refuse(error, "%s cannot have this source %u", row.name, i);
    *out = word;
    return true;
}

bool needs_long(const OpInfo& row, const Word& word) {
    return row.long_bit && cut_word(word, row.short_length) != word;
}

}  // namespace

bool decode(const Word& word, Instr* out, Error* error) {
    return decode_any(word, out, error);
}

bool encode(const Instr& instr, Word* out, Error* error) {
    if (instr.op >= Op::kCount) return refuse(error, "there is no operation %u", unsigned(instr.op));
    const OpInfo& row = instr.info();
    Word word;
    if (!encode_parts(instr, &word, error)) return false;
    const bool needed = needs_long(row, word);
    if (instr.padded && (needed || !row.long_bit))
        return refuse(error, "%s has no other form that is longer", row.name);
    if (needed || instr.padded) word |= row.long_bit.put<Word>(1);
    // Operands that share bits must agree on them.
    Instr again;
    if (!decode_any(word, &again, error)) return false;
    if (again != instr) {
        if (again.op != instr.op)
            return refuse(error, "%s: this is an encoding of %s", row.name, again.info().name);
        for (unsigned i = 0; i < row.source_count; i++)
            if (again.src[i] != instr.src[i])
                return refuse(error, "%s: source %u does not go together with the other operands", row.name,
                              i);
        return refuse(error, "%s: the destination does not go together with the sources", row.name);
    }
    *out = word;
    return true;
}

unsigned Instr::length() const {
    const OpInfo& row = info();
    Word word;
    if (!row.long_bit || padded) return row.length;
    return encode_parts(*this, &word, nullptr) && !needs_long(row, word) ? row.short_length : row.length;
}

bool validate(const Instr& instr, Error* error) {
    Word word;
    return encode(instr, &word, error);
}

}  // namespace terrazzo::agx::isa
