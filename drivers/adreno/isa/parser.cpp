// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Pieces of lines: numbers, names, registers.
#include "drivers/adreno/isa/parser.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>

#include "drivers/common/isa/text.h"
#include "shaders/ir/half.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

/// Of the text, for "%.*s".
#define SHOWN(text) int(std::min<size_t>((text).size(), 60)), (text).data()

bool continues_name(std::string_view rest) {
    return !rest.empty() && (std::isalnum(static_cast<unsigned char>(rest[0])) || rest[0] == '_');
}

}  // namespace

void Parser::skip_blanks() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r')) {
        rest.remove_prefix(1);
    }
}

bool Parser::take(std::string_view text) {
    skip_blanks();
    if (!rest.starts_with(text)) {
        return false;
    }
    rest.remove_prefix(text.size());
    return true;
}

bool Parser::take_flag(std::string_view text) {
    const std::string_view before = rest;
    if (!take(text)) {
        return false;
    }
    if (text.back() != ')' && continues_name(rest)) {
        rest = before;
        return false;
    }
    return true;
}

bool Parser::expect(std::string_view text) {
    return take(text) || refuse(error, "'%.*s' where '%.*s' belongs", SHOWN(rest), SHOWN(text));
}

bool Parser::number(int64_t low, int64_t high, int64_t* out) {
    skip_blanks();
    if (rest.starts_with('+')) {
        rest.remove_prefix(1);
    }
    size_t end = rest.starts_with('-');
    const bool hexadecimal = rest.substr(end).starts_with("0x");
    end += hexadecimal ? 2 : 0;
    const auto is_digit = [&](unsigned char c) { return hexadecimal ? std::isxdigit(c) : std::isdigit(c); };
    while (end < rest.size() && is_digit(static_cast<unsigned char>(rest[end]))) {
        end++;
    }
    if (!terrazzo::isa::parse_number(rest.substr(0, end), low, high, out, error)) {
        return false;
    }
    rest.remove_prefix(end);
    return true;
}

bool Parser::named(const terrazzo::isa::Enumeration& values, const char* what, uint16_t* out) {
    skip_blanks();
    size_t longest = 0;
    for (unsigned v = 0; v < terrazzo::isa::Enumeration::kMaxValues; v++) {
        const std::string_view name = values.has(v) && !values.is_default(v) ? values.name(v) : "";
        if (name.size() > longest && rest.starts_with(name)) {
            longest = name.size();
            *out = uint16_t(v);
        }
    }
    rest.remove_prefix(longest);
    if (longest == 0 && !values.has_default()) {
        return refuse(error, "'%.*s' is no %s", SHOWN(rest), what);
    }
    return true;
}

bool Parser::component(unsigned* out) {
    constexpr std::string_view kNames = "xyzw";
    const size_t at = rest.size() >= 2 && rest[0] == '.' ? kNames.find(rest[1]) : std::string_view::npos;
    if (at == std::string_view::npos) {
        return refuse(error, "'%.*s' is no component (.x)", SHOWN(rest));
    }
    *out = unsigned(at);
    rest.remove_prefix(2);
    return true;
}

bool Parser::write_mask(unsigned* out) {
    constexpr std::string_view kNames = "xyzw";
    *out = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (rest.starts_with(kNames[i])) {
            *out |= 1u << i;
            rest.remove_prefix(1);
        }
    }
    return true;
}

bool Parser::relative_or_register(bool constants, Src* out) {
    int64_t value;
    if (take("<")) {
        out->kind = constants ? SrcKind::kRelativeConstant : SrcKind::kRelativeRegister;
        if (!expect("a0.x")) {
            return false;
        }
        if (take(">")) {
            return true;
        }
        const bool minus = take("-");
        if ((!minus && !expect("+")) || !number(-1024, 1023, &value) || !expect(">")) {
            return false;
        }
        out->value = int32_t(minus ? -value : value);
        return true;
    }
    unsigned part;
    out->kind = constants ? SrcKind::kConstant : SrcKind::kRegister;
    if (!number(0, constants ? 511 : 63, &value) || !component(&part)) {
        return false;
    }
    out->value = int32_t(value * 4 + part);
    return true;
}

bool Parser::dest(Dest* out) {
    skip_blanks();
    *out = {};
    out->half = take("h");
    bool special;
    if (!special_register(&special, &out->reg)) {
        return false;
    }
    if (special) {
        return true;
    }
    Src src;
    if (!expect("r") || !relative_or_register(false, &src)) {
        return false;
    }
    out->relative = src.kind == SrcKind::kRelativeRegister;
    if (src.value < 0 || src.value > 255) {
        return refuse(error, "a destination cannot be at a0.x + %d", src.value);
    }
    out->reg.index = uint8_t(src.value);
    return true;
}

/// The number of a move: a value, or its bits as 0x...
bool Parser::move_float(std::string_view text, Type type, Src* out) {
    out->kind = SrcKind::kImmediate;
    int64_t bits;
    if (text.starts_with("0x")) {
        if (!terrazzo::isa::parse_number(text, 0, type == Type::kF16 ? 0xffff : 0xffffffff, &bits, error)) {
            return false;
        }
        out->value = int32_t(uint32_t(bits));
        return true;
    }
    float value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || std::isnan(value)) {
        return refuse(error, "'%.*s' is not a number that a float can have", SHOWN(text));
    }
    out->value = int32_t(std::bit_cast<uint32_t>(value));
    if (type == Type::kF16) {
        const uint16_t half = ir::half_from_double(double(value));
        if (ir::half_to_float(half) != value) {
            return refuse(error, "'%.*s' is not a number that a half can have", SHOWN(text));
        }
        out->value = half;
    }
    return true;
}

/// The contents of parentheses: an entry of the table of floats, or a number.
bool Parser::parenthesis(const SourceInfo& row, Type type, Src* out) {
    size_t end = 0;
    for (int depth = 1; end < rest.size(); end++) {
        depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
        if (depth == 0) {
            break;
        }
    }
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end);
    if (!expect(")")) {
        return false;
    }
    if (row.shape == Shape::kMove) {
        if (type != Type::kF16 && type != Type::kF32) {
            return refuse(error, "(%.*s) is a float, but the type is not", SHOWN(text));
        }
        return move_float(text, type, out);
    }
    const int entry = kFloatEntryNames.find(text);
    if (entry >= 0) {
        out->kind = SrcKind::kFloatTable;
        out->value = entry;
        return true;
    }
    int64_t value;
    out->kind = SrcKind::kImmediate;
    if (!terrazzo::isa::parse_number(text, -1024, 4095, &value, error)) {
        return false;
    }
    out->value = int32_t(value);
    return true;
}

/// Parses (neg), (abs), (absneg), (r), (last), in any order.
bool Parser::source_flags(Src* out) {
    const auto flag = [&](std::string_view text, bool* first, bool* second, bool* more) {
        if (!take(text)) {
            return true;
        }
        *more = true;
        const bool again = *first || (second && *second);
        *first = true;
        if (second) {
            *second = true;
        }
        return !again || refuse(error, "a source says %.*s twice", SHOWN(text));
    };
    for (bool more = true; more;) {
        more = false;
        if (!flag("(neg)", &out->neg, nullptr, &more) || !flag("(abs)", &out->abs, nullptr, &more) ||
            !flag("(absneg)", &out->neg, &out->abs, &more) || !flag("(r)", &out->repeat, nullptr, &more) ||
            !flag("(last)", &out->last, nullptr, &more)) {
            return false;
        }
    }
    return true;
}

/// Parses a0.x or p0.x; sets `*found` if one follows.
bool Parser::special_register(bool* found, Reg* out) {
    skip_blanks();
    *found = rest.starts_with("a0.") || rest.starts_with("p0.");
    if (!*found) {
        return true;
    }
    const unsigned number = rest[0] == 'a' ? kA0.number() : kP0.number();
    unsigned part = 0;
    rest.remove_prefix(2);
    if (!component(&part)) {
        return false;
    }
    *out = reg(number, part);
    return true;
}

bool Parser::source(const SourceInfo& row, Type type, Src* out) {
    *out = {};
    if (!source_flags(out)) {
        return false;
    }
    if (row.shape == Shape::kPredicate) {
        out->neg = take("!");
    }
    out->half = take("h");
    if (take("(")) {
        return parenthesis(row, type, out);
    }
    bool special;
    Reg register_name;
    if (!special_register(&special, &register_name)) {
        return false;
    }
    if (special) {
        out->kind = SrcKind::kRegister;
        out->value = register_name.index;
        return true;
    }
    if (take("r")) {
        return relative_or_register(false, out);
    }
    if (take("c")) {
        return relative_or_register(true, out);
    }
    int64_t value;
    out->kind = SrcKind::kImmediate;
    const bool whole = row.shape == Shape::kMove;
    if (!number(whole ? INT32_MIN : -1024, whole ? UINT32_MAX : 4095, &value)) {
        return false;
    }
    out->value = int32_t(uint32_t(value));
    if (whole && is_half_in_move(type) && value < 0 && value >= INT16_MIN) {
        out->value = int32_t(uint16_t(value));
    }
    return true;
}

#undef SHOWN

}  // namespace terrazzo::adreno::isa
