// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr <-> text, described once for both directions (line.h).
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "drivers/agx/isa/isa.h"
#include "drivers/agx/isa/minifloat.h"
#include "drivers/common/isa/instr_text.h"

namespace terrazzo::agx::isa {
namespace {

using terrazzo::isa::Line;

bool has_case(const OperandInfo& row, OperandKind kind, unsigned size = 0) {
    for (const Case& c : row.shape->cases)
        if (c.kind == kind && (!size || c.size == size)) return true;
    return false;
}

// ---- Fields ----

/// Flags and named values. A value without a name is ".ACCESSOR#NUMBER".
void modifier(Line& line, const FieldInfo& f, uint16_t& value) {
    const FieldText& text = field_text(f.field);
    if (text.kind == FieldKind::kFlag) {
        value = line.is_name(std::string(".") + text.flag, value);
        return;
    }
    const bool unnamed = !line.parses() && !text.values->has(value);
    if (!unnamed && line.is_named(".", *text.values, value)) return;
    if (line.is(std::string(".") + text.name + "#", unnamed)) {
        line.number(value, 0, int64_t(f.bits.max()));
        if (line.parses() && text.values->has(value)) line.fail("%s %u has a name", text.name, value);
    } else if (line.parses() && !text.values->has_default()) {
        line.fail("'%.*s' where the %s belongs", TERRAZZO_ISA_SHOWN(line.rest()), text.name);
    }
}

bool is_number(const FieldInfo& f) {
    return field_text(f.field).kind == FieldKind::kNumber;
}

/// ", NAME=VALUE". Bits without a known meaning are named by their lowest bit.
void numbers(Line& line, Instr& instr) {
    for (const FieldInfo& f : instr.info().fields()) {
        if (!is_number(f)) continue;
        uint16_t& value = instr.fields[unsigned(f.field)];
        std::string name = field_text(f.field).name;
        if (f.field >= Field::kUnknown0) name = "b" + std::to_string(f.bits.pieces[0].start);
        if (line.is(", " + name + "=", value != f.usual)) line.number(value, 0, int64_t(f.bits.max()));
    }
}

// ---- Operands ----

/// Consecutive registers: r0l_r0h, r0_r1.
void names(Line& line, const OperandInfo& row, char letter, Operand& o) {
    const std::string letter_text(1, letter);
    if (!line.parses()) {
        const unsigned step = o.size == 16 ? 1 : 2, end = unsigned(o.value) + o.halves();
        for (unsigned half = unsigned(o.value); half < end; half += step) {
            if (half != unsigned(o.value)) line.literal("_" + letter_text);
            unsigned number = half / 2;
            line.number(number, 0, 255);
            if (step == 1) line.literal(half % 2 ? "h" : "l");
        }
        return;
    }
    unsigned count = 0, number = 0;
    do {
        if (count) line.literal(letter_text);
        line.number(number, 0, letter == 'r' ? kRegisterHalves / 2 - 1 : kUniformHalves / 2 - 1);
        const bool low = line.is("l", false), high = !low && line.is("h", false);
        const uint8_t size = low || high ? 16 : 32;
        const int32_t half = int32_t(number * 2 + high);
        if (!count) o.value = half, o.size = size;
        if (size != o.size || half != o.value + int32_t(count * size / 16))
            line.fail("the registers of an operand are consecutive");
        count++;
    } while (line.is("_", false) && line.ok() && count < 16);
    const bool pair = count == 2 && o.size == 32 && has_case(row, o.kind, 64);
    if (pair) o.size = 64;
    o.count = uint8_t(pair ? 1 : count);
}

void minifloat(Line& line, int32_t& value) {
    if (!line.parses()) {
        // Not printf, which follows the locale.
        char text[32];
        const auto printed = std::to_chars(text, text + sizeof text, decode_minifloat(uint8_t(value)));
        *printed.ptr = 0;
        line.literal(text);
        if (!std::strchr(text, '.')) line.literal(".0");
        return;
    }
    const std::string_view rest = line.rest();
    size_t end = rest.starts_with('-');
    while (end < rest.size() &&
           ((rest[end] >= '0' && rest[end] <= '9') ||
            (rest[end] == '.' && end + 1 < rest.size() && rest[end + 1] >= '0' && rest[end + 1] <= '9')))
        end++;
    float number = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + end, number, std::chars_format::fixed);
    const bool is_number = end && read.ec == std::errc() && read.ptr == rest.data() + end;
    const int bits = is_number ? encode_minifloat(number) : -1;
    if (bits < 0) line.fail("'%.*s' is no float of 8 bits", TERRAZZO_ISA_SHOWN(rest));
    line.skip(end);
    value = bits;
}

void immediate(Line& line, const OperandInfo& row, int32_t& value) {
    int64_t number = value;
    switch (row.shape->number) {
        case Number::kUnsigned:
            line.number(number, 0, int64_t(row.value.max()));
            break;
        case Number::kSigned:
            line.number(number, INT16_MIN, INT16_MAX);
            break;
        case Number::kWord:
            number = uint32_t(value);
            line.number(number, 0, UINT32_MAX, Line::Radix::LowerHex);
            break;
        case Number::kFloat:
            minifloat(line, value);
            return;
        case Number::kJump:
            line.literal("pc");
            if (!line.signed_number(value, true)) line.fail("pc is followed by + or - and a number of bytes");
            return;
    }
    value = int32_t(number);
}

void special(Line& line, int32_t& value) {
    const char* const name = special_name(unsigned(value));
    if (!line.parses() && name) {
        line.literal(name);
    } else if (line.is_before_number("sr", true)) {
        line.number(value, 0, 255);
    } else {
        for (int number = 0; number < 256; number++) {
            if (!special_name(unsigned(number)) || !line.is_name(special_name(unsigned(number)), false))
                continue;
            value = number;
            return;
        }
        line.fail("'%.*s' is no special register", TERRAZZO_ISA_SHOWN(line.rest()));
    }
}

constexpr std::pair<OperandFlag, const char*> kFlagNames[] = {
    {kCache, ".cache"},   {kDiscard, ".discard"}, {kBindless, ".bindless"},
    {kSignExtend, ".sx"}, {kAbs, ".abs"},         {kNeg, ".neg"}};

void operand(Line& line, const OperandInfo& row, Operand& o) {
    constexpr std::pair<OperandKind, const char*> kPrefixes[] = {{OperandKind::kTextureState, "ts"},
                                                                 {OperandKind::kSamplerState, "ss"},
                                                                 {OperandKind::kCoefficient, "cf"},
                                                                 {OperandKind::kRegister, "r"},
                                                                 {OperandKind::kUniform, "u"}};
    const Operand old = o;
    if (line.parses()) o = {};
    if (line.is("_", old.kind == OperandKind::kNone)) return;
    bool found = false;
    for (const auto& [kind, prefix] : kPrefixes) {
        if (found || !line.is(prefix, old.kind == kind)) continue;
        found = true;
        o.kind = kind;
        if (kind == OperandKind::kRegister || kind == OperandKind::kUniform) {
            names(line, row, prefix[0], o);
        } else {
            line.number(o.value, 0, 255);
        }
    }
    if (!found) {
        o.kind = !line.parses()                         ? old.kind
                 : has_case(row, OperandKind::kSpecial) ? OperandKind::kSpecial
                                                        : OperandKind::kImmediate;
        o.kind == OperandKind::kSpecial ? special(line, o.value) : immediate(line, row, o.value);
    }
    for (const auto& [flag, name] : kFlagNames)
        if (line.is_name(name, o.flags & flag)) o.flags = uint8_t(o.flags | flag);
}

void text_of(Line& line, Instr& instr) {
    if (!terrazzo::isa::begin_instr(line, &instr)) return;
    const OpInfo& row = instr.info();
    line.literal(row.name);
    for (const FieldInfo& f : row.fields())
        if (!is_number(f)) modifier(line, f, instr.fields[unsigned(f.field)]);
    instr.padded = line.is_name(".long", instr.padded);
    const char* separator = " ";
    if (row.dest_count) {
        line.literal(std::exchange(separator, ", "));
        operand(line, row.dest_row, instr.dest);
    }
    for (unsigned i = 0; i < row.source_count; i++) {
        line.literal(std::exchange(separator, ", "));
        operand(line, row.source_rows[i], instr.src[i]);
    }
    numbers(line, instr);
}

}  // namespace

TERRAZZO_ISA_TEXT(text_of)

}  // namespace terrazzo::agx::isa
