// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The text of destinations and sources.
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>

#include "drivers/adreno/isa/operand.h"
#include "drivers/common/isa/line.h"
#include "drivers/common/isa/text.h"
#include "shaders/ir/half.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::Line;
using terrazzo::isa::refuse;

bool is_triple(Shape shape) {
    return shape == Shape::kTriple || shape == Shape::kTripleNumber || shape == Shape::kTripleRegister;
}

/// rN.x, cN.x: the number and the component.
void register_number(Line& line, int most, int32_t& index) {
    int32_t number = index >> 2;
    unsigned component = unsigned(index & 3);
    line.number(number, 0, most);
    line.literal(".");
    line.letter("xyzw", "component (.x)", component);
    index = number * 4 + int32_t(component);
}

/// a0.x or p0.x. False: the register is another one.
bool special_register(Line& line, bool present, int32_t& index) {
    for (const Reg special : {kA0, kP0}) {
        const bool is = present && Reg{uint8_t(index)}.number() == special.number();
        if (!line.is(special == kA0 ? "a0." : "p0.", is)) continue;
        unsigned component = unsigned(index & 3);
        line.letter("xyzw", "component (.x)", component);
        index = reg(special.number(), component).index;
        return true;
    }
    return false;
}

/// What follows the name of a file: rN.x, or r<a0.x + N>. `always_offset`: an offset of 0 is printed.
bool in_file(Line& line, bool relative, bool always_offset, int most, int32_t& value) {
    if (!line.is("<a0.x", relative)) {
        register_number(line, most, value);
        return false;
    }
    if (line.is(" + ", value || always_offset)) line.number(value, -1024, 1023);
    line.literal(">");
    return true;
}

/// As Mesa does, if that is exact; otherwise with as many digits as needed. A NaN is printed as its bits.
/// Independent of the locale.
std::string text_of_float(float value, uint32_t bits) {
    char text[64];
    char* const end = std::end(text);
    if (std::isnan(value)) return "0x" + std::string(text, std::to_chars(text, end, bits, 16).ptr);
    std::to_chars_result shown = std::to_chars(text, end, value, std::chars_format::fixed, 6);
    float again = 0;
    std::from_chars(text, shown.ptr, again);
    if (std::bit_cast<uint32_t>(again) != std::bit_cast<uint32_t>(value))
        shown = std::to_chars(text, end, value, std::chars_format::general, 9);
    return {text, shown.ptr};
}

/// The float of a move: a value, or its bits as 0x...
bool parse_float(std::string_view text, Type type, int32_t* out, Error* error) {
    int64_t bits;
    if (text.starts_with("0x")) {
        if (!terrazzo::isa::parse_number(text, 0, type == Type::kF16 ? 0xffff : 0xffffffff, &bits, error))
            return false;
        *out = int32_t(uint32_t(bits));
        return true;
    }
    float value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || std::isnan(value))
        return refuse(error, "'%.*s' is not a number that a float can have", TERRAZZO_ISA_SHOWN(text));
    *out = int32_t(std::bit_cast<uint32_t>(value));
    if (type == Type::kF16) {
        *out = ir::half_from_double(double(value));
        if (ir::half_to_float(uint16_t(*out)) != value)
            return refuse(error, "'%.*s' is not a number that a half can have", TERRAZZO_ISA_SHOWN(text));
    }
    return true;
}

bool parse_in_parentheses(std::string_view text, bool is_move, Type type, Src* out, Error* error) {
    out->kind = SrcKind::kImmediate;
    if (is_move)
        return type == Type::kF16 || type == Type::kF32
                   ? parse_float(text, type, &out->value, error)
                   : refuse(error, "(%.*s) is a float, but the type is not", TERRAZZO_ISA_SHOWN(text));
    if (const int entry = kFloatEntryNames.find(text); entry >= 0) {
        out->kind = SrcKind::kFloatTable;
        out->value = entry;
        return true;
    }
    int64_t value = 0;
    const bool good = terrazzo::isa::parse_number(text, -1024, 4095, &value, error);
    out->value = int32_t(value);
    return good;
}

/// The contents of parentheses, and their end: a float of a move, an entry of the table of floats, a number.
void in_parentheses(Line& line, bool is_move, Type type, Src& s) {
    std::string text;
    if (s.kind == SrcKind::kFloatTable) {
        const char* const name = kFloatEntryNames.name(uint64_t(s.value));
        text = name ? name : "reserved";
    } else if (is_move) {
        const auto bits = uint32_t(s.value);
        text = text_of_float(
            type == Type::kF16 ? ir::half_to_float(uint16_t(bits)) : std::bit_cast<float>(bits), bits);
    } else {
        text = std::to_string(s.value);
    }
    Error reason;
    if (!line.parses()) {
        line.literal(text);
        line.literal(")");
    } else if (text = line.until(')'); line.ok() && !parse_in_parentheses(text, is_move, type, &s, &reason)) {
        line.fail("%s", reason.reason);
    }
}

/// A number without parentheses. That of a move has the type's sign, and as many bits.
void plain_number(Line& line, bool is_move, Type type, Src& s) {
    constexpr int64_t kMostDecimal = 0x1000;
    int64_t value = s.value;
    if (!is_move) {
        line.number(value, -1024, 4095);
        s.value = int32_t(value);
        return;
    }
    value = type == Type::kS16   ? int64_t(int16_t(value))
            : type == Type::kS32 ? int64_t(int32_t(value))
                                 : int64_t(uint32_t(value));
    line.number(value, INT32_MIN, UINT32_MAX,
                type == Type::kU32 && value > kMostDecimal ? Line::Radix::LowerHex : Line::Radix::Decimal);
    s.value =
        is_half_in_move(type) && value < 0 && value >= INT16_MIN ? uint16_t(value) : int32_t(uint32_t(value));
}

/// (neg), (abs), (absneg), (r), (last): in the order of Mesa's text; parsed in any order.
void source_modifiers(Line& line, bool triple, Src& s) {
    bool found = false;
    const auto once = [&](const char* text, bool present, bool* first, bool* second = nullptr) {
        if (!line.is(text, present) || !line.parses()) return;
        if (*first || (second && *second)) line.fail("a source says %s twice", text);
        found = *first = true;
        if (second) *second = true;
    };
    do {
        found = false;
        if (!triple) once("(last)", s.last, &s.last);
        once("(absneg)", s.neg && s.abs, &s.neg, &s.abs);
        once("(neg)", s.neg && !s.abs, &s.neg);
        once("(abs)", s.abs && !s.neg, &s.abs);
        once("(r)", s.repeat, &s.repeat);
        if (triple) once("(last)", s.last, &s.last);
    } while (found && line.ok());
}

}  // namespace

void text_of_dest(Line& line, Dest& d) {
    constexpr int kMost = 63;
    int32_t index = d.reg.index;
    d.half = line.is("h", d.half);
    if (!special_register(line, !d.relative, index)) {
        line.literal("r");
        d.relative = in_file(line, d.relative, false, kMost, index);
        if (index < 0 || index > 255) line.fail("a destination cannot be at a0.x + %d", index);
    }
    d.reg.index = uint8_t(index);
}

void text_of_source(Line& line, const SourceInfo& row, Type type, Src& s) {
    if (line.parses()) s = {};
    const bool is_move = row.shape == Shape::kMove, number = s.kind == SrcKind::kImmediate;
    const bool is_float = type == Type::kF16 || type == Type::kF32;
    const bool raw =
        row.shape == Shape::kRawRegister || row.shape == Shape::kOrImmediate || row.shape == Shape::kIndexed;
    if (row.shape == Shape::kPredicate) {
        s.neg = line.is("!", s.neg);
    } else {
        source_modifiers(line, is_triple(row.shape), s);
    }
    // A move's number has the type that the instruction names, and only a half in parentheses repeats it.
    s.half = line.is("h", s.half && !(number && is_move && type != Type::kF16));
    if (line.is("(", s.kind == SrcKind::kFloatTable || (number && (is_move ? is_float : s.half)))) {
        in_parentheses(line, is_move, type, s);
    } else if (special_register(line, s.kind == SrcKind::kRegister && !raw, s.value)) {
        s.kind = SrcKind::kRegister;
    } else if (line.is("r", s.kind == SrcKind::kRegister || s.kind == SrcKind::kRelativeRegister)) {
        constexpr int kMost = 63;
        s.kind = in_file(line, s.kind == SrcKind::kRelativeRegister, is_triple(row.shape), kMost, s.value)
                     ? SrcKind::kRelativeRegister
                     : SrcKind::kRegister;
    } else if (line.is("c", s.kind == SrcKind::kConstant || s.kind == SrcKind::kRelativeConstant)) {
        constexpr int kMost = 511;
        s.kind = in_file(line, s.kind == SrcKind::kRelativeConstant, is_triple(row.shape), kMost, s.value)
                     ? SrcKind::kRelativeConstant
                     : SrcKind::kConstant;
    } else if (line.parses() || number) {
        s.kind = SrcKind::kImmediate;
        plain_number(line, is_move, type, s);
    }
}

}  // namespace terrazzo::adreno::isa
