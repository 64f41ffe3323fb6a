// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr <-> text. Modifiers are parsed in any order, and printed in that of the instruction's row.
#include "drivers/mali/isa/text.h"

#include <cstring>

#include "drivers/common/isa/instr_text.h"
#include "drivers/mali/isa/fau.h"

namespace terrazzo::mali::isa {
namespace {

using terrazzo::isa::Enumeration;
using terrazzo::isa::Line;

constexpr unsigned kLastRegister = 63;

/// The operand or modifier that follows, up to a separator, for errors.
std::string_view next_piece(Line& line) {
    const std::string_view rest = line.rest();
    return rest.substr(0, rest.find_first_of(" .,", rest.starts_with('.')));
}

// ---- Modifiers ----

bool modifier(Line& line, Mod mod, uint8_t& value) {
    if (const Enumeration* const values = enumeration(mod)) return line.is_named(".", *values, value);
    const bool there = line.is_name(std::string(".") + flag_name(mod), value);
    if (there) value = 1;
    return there;
}

void modifiers(Line& line, Instr& instr) {
    const OpInfo& row = instr.info();
    std::array<bool, kModCount> given{};
    bool flow = false, found;
    do {
        found = false;
        // Both widths of a dual texture have the same names: the second one follows the first.
        for (const ModifierInfo& m : row.modifiers())
            if (!given[unsigned(m.mod)] && modifier(line, m.mod, instr.mods[unsigned(m.mod)]))
                found = given[unsigned(m.mod)] = true;
        if (!flow && line.is_named(".", kFlowNames, instr.flow)) found = flow = true;
    } while (found && line.parses());
    if (!line.parses()) return;
    if (line.rest().starts_with('.')) {
        const std::string_view name = next_piece(line);
        line.fail("%s cannot have %.*s here", row.name, TERRAZZO_ISA_SHOWN(name));
    }
    for (const ModifierInfo& m : row.modifiers()) {
        const Enumeration* const values = enumeration(m.mod);
        if (values && !values->has_default() && !given[unsigned(m.mod)])
            line.fail("%s needs one of .%s, ...", row.name, values->name(instr.mods[unsigned(m.mod)]));
    }
}

// ---- Operands ----

void dest(Line& line, RegisterNames& names, Dest& d) {
    names.dest(line, d);
    if (line.is(".h0", d.halves == 1))
        d.halves = 1;
    else if (line.is(".h1", d.halves == 2))
        d.halves = 2;
    if (!line.parses() || !line.rest().starts_with('.')) return;
    const std::string_view mask = next_piece(line);
    line.fail("a destination has .h0, .h1 or nothing, not %.*s", TERRAZZO_ISA_SHOWN(mask));
}

/// An entry of the table of constants: its value, or its number if an earlier entry has the same value.
bool constant(Line& line, bool present, Operand& o) {
    uint32_t value = constant_table(o.index);
    if (line.is("imm", present && find_constant(value) != int(o.index))) {
        line.number(o.index, 0, kConstantCount - 1);
    } else if (line.parses() ? line.rest().starts_with("0x") : present) {
        line.number(value, 0, UINT32_MAX, Line::Radix::UpperHex);
        const int entry = find_constant(value);
        if (entry < 0) line.fail("0x%x is not in the table of constants", value);
        o.index = uint8_t(entry);
    } else {
        return false;
    }
    if (line.parses()) o = Operand::constant(o.index);
    return true;
}

bool special(Line& line, bool present, Operand& o) {
    Special value = Special(o.index);
    if (line.parses()) {
        const std::string_view name = next_piece(line);
        if (!find_special(name, &value)) return false;
        line.literal(name);
        o = Operand::special(value);
    } else if (present) {
        const char* const name = special_name(value);
        line.literal(name ? name : "reserved");
    } else {
        return false;
    }
    o.high_word = line.is(".w1", o.high_word);
    if (!o.high_word) (void)line.is(".w0", true);
    return true;
}

bool swizzle(Line& line, const SourceInfo& row, Swizzle& s) {
    if (!line.parses()) return line.is(std::string(".") + swizzle_name(s), s != Swizzle::kNone);
    const std::string_view name = next_piece(line);
    return name.starts_with('.') && find_swizzle(row.set, name.substr(1), &s) && line.is(name, true);
}

void source(Line& line, RegisterNames& names, const SourceInfo& row, unsigned n, Operand& o) {
    if (line.parses()) o = {};
    if (!special(line, o.kind == OperandKind::kSpecial, o) &&
        !constant(line, o.kind == OperandKind::kConstant, o)) {
        const bool is_register = o.kind == OperandKind::kRegister;
        o.last = line.is("^", o.last);
        if (!names.source(line, n, is_register, o)) {
            if (line.is("u", o.kind == OperandKind::kUniform)) {
                o.kind = OperandKind::kUniform;
                line.number(o.index, 0, 255);
            } else {
                const std::string_view piece = next_piece(line);
                line.fail("'%.*s' is not an operand", TERRAZZO_ISA_SHOWN(piece));
            }
        }
    }
    bool swizzled = false, found;
    const auto once = [&](std::string_view text, bool is, bool given) {
        if (!(line.parses() ? is && !given : given) || !line.is_name(text, true)) return given;
        return found = true;
    };
    do {
        found = false;
        o.neg = once(".neg", bool(row.neg), o.neg);
        o.abs = once(".abs", bool(row.abs), o.abs);
        if (!swizzled && swizzle(line, row, o.swizzle)) swizzled = found = true;
        o.invert = once(".not", bool(row.invert), o.invert);
    } while (found && line.parses());
    if (!line.parses() || !line.rest().starts_with('.')) return;
    const std::string_view piece = next_piece(line);
    line.fail("the source at bit %u cannot have %.*s here", row.field.start, TERRAZZO_ISA_SHOWN(piece));
}

const char* immediate_name(Imm name) {
    switch (name) {
        case Imm::kConstant:
            return "#";
        case Imm::kIndex:
            return "index:";
        case Imm::kOffset:
            return "offset:";
        case Imm::kShift:
            return "shift:";
        case Imm::kTable:
            return "table:";
        case Imm::kTarget:
            return "target:";
    }
    return "";
}

void immediate(Line& line, const ImmediateInfo& row, int32_t& value) {
    const int64_t end = int64_t{1} << (row.bits.width - (row.is_signed ? 1 : 0));
    int64_t number = row.is_signed ? int64_t(value) : int64_t(uint32_t(value));
    line.literal(immediate_name(row.name));
    line.number(number, row.is_signed ? -end : 0, end - 1,
                row.is_signed ? Line::Radix::Decimal : Line::Radix::UpperHex);
    value = int32_t(number);
}

}  // namespace

bool RegisterNames::source(Line& line, unsigned, bool present, Operand& o) {
    if (!line.is("r", present)) return false;
    line.number(o.index, 0, kLastRegister);
    return true;
}

void RegisterNames::dest(Line& line, Dest& d) {
    line.literal("r");
    line.number(d.reg, 0, kLastRegister);
}

void RegisterNames::staging(Line& line, const StagingInfo&, Staging& s) {
    const unsigned count = s.count;
    unsigned n = 0;
    if (line.parses()) s = {};
    // `@` alone: no registers.
    for (bool more = line.parses() ? line.rest().starts_with('r') : count > 0; more && line.ok();
         more = line.is(":", n < count)) {
        uint8_t reg = uint8_t(s.reg + n);
        line.literal("r");
        line.number(reg, 0, kLastRegister);
        if (!n) s.reg = reg;
        if (reg != s.reg + n) line.fail("staging registers are consecutive: no r%u is here", reg);
        n++;
    }
    s.count = uint8_t(n);
}

void text_of(Line& line, RegisterNames& names, Instr& instr) {
    Instr i = instr;
    if (!terrazzo::isa::begin_instr(line, &i)) return;
    const OpInfo& row = i.info();
    line.literal(row.name);
    modifiers(line, i);
    const char* separator = " ";
    const auto separate = [&] { line.literal(std::exchange(separator, ", ")); };
    if (row.has_dest) separate(), dest(line, names, i.dest);
    for (unsigned n = 0; n < row.staging_count; n++) {
        separate();
        line.literal("@");
        names.staging(line, row.staging_rows[n], i.staging[n]);
    }
    for (unsigned n = 0; n < row.source_count; n++)
        separate(), source(line, names, row.source_rows[n], n, i.src[n]);
    for (unsigned n = 0; n < row.immediate_count; n++)
        separate(), immediate(line, row.immediate_rows[n], i.imm[n]);
    if (line.parses() && line.ok()) instr = i;
}

namespace {
void text_of_machine_code(Line& line, Instr& instr) {
    RegisterNames names;
    text_of(line, names, instr);
}
}  // namespace

TERRAZZO_ISA_TEXT(text_of_machine_code)

}  // namespace terrazzo::mali::isa
