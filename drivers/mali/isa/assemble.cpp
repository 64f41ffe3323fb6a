// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Text -> Instr. The reason of an error contains the wrong piece of the text.
#include <cstring>

#include "drivers/common/isa/text.h"
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/isa/names.h"
#include "drivers/mali/isa/swizzle.h"

namespace terrazzo::mali::isa {
namespace {

using terrazzo::isa::next_part;
using terrazzo::isa::parse_number;
using terrazzo::isa::refuse;

constexpr unsigned kMaxOperands = 8;

/// The arguments of "%.*s".
#define SHOWN(text) int((text).size()), (text).data()

/// The longest name that `head` starts with, up to a '.' or its end.
bool find_mnemonic(std::string_view head, Op* out) {
    size_t longest = 0;
    for (unsigned i = 0; i < kOpCount; i++) {
        const std::string_view name = info(Op(i)).name;
        if (name.size() > longest && head.starts_with(name) &&
            (head.size() == name.size() || head[name.size()] == '.')) {
            longest = name.size();
            *out = Op(i);
        }
    }
    return longest != 0;
}

struct ModifierState {
    std::array<bool, kModCount> given{};
    bool flow = false;
};

/// -1: `text` is no value of the modifier.
int value_of_modifier(Mod mod, std::string_view text) {
    if (const terrazzo::isa::Enumeration* values = enumeration(mod)) {
        const int value = values->find(text);
        return value >= 0 && text == "none" ? -1 : value;  // "none" is never written
    }
    return text == flag_name(mod) ? 1 : -1;
}

bool set_modifier(std::string_view text, const OpInfo& row, ModifierState* state, Instr* out, Error* error,
                  bool* found) {
    *found = true;
    bool said = false;
    for (const ModifierInfo& m : row.modifiers()) {
        const int value = value_of_modifier(m.mod, text);
        if (value < 0) {
            continue;
        }
        bool& given = state->given[unsigned(m.mod)];
        if (given) {  // both widths of a dual texture have the same names: set the second one
            said = true;
            continue;
        }
        given = true;
        out->mods[unsigned(m.mod)] = uint8_t(value);
        return true;
    }
    if (said) {
        return refuse(error, "%s: .%.*s, but that was said already", row.name, SHOWN(text));
    }
    const int flow = kFlowNames.find(text);
    if (flow < 0 || text == "none") {
        *found = false;
        return true;
    }
    if (state->flow) {
        return refuse(error, "%s: .%.*s is a second flow control", row.name, SHOWN(text));
    }
    state->flow = true;
    out->flow = Flow(flow);
    return true;
}

bool parse_modifiers(std::string_view text, const OpInfo& row, Instr* out, Error* error) {
    ModifierState state;
    while (!text.empty()) {
        text.remove_prefix(1);  // the '.'
        const size_t end = std::min(text.find('.'), text.size());
        // Some names contain a '.', so try two parts before one.
        size_t taken = end < text.size() ? std::min(text.find('.', end + 1), text.size()) : end;
        bool found = false;
        if (!set_modifier(text.substr(0, taken), row, &state, out, error, &found)) {
            return false;
        }
        if (!found) {
            taken = end;
            if (!set_modifier(text.substr(0, taken), row, &state, out, error, &found)) {
                return false;
            }
        }
        if (!found) {
            return refuse(error, "%s has no modifier .%.*s", row.name, SHOWN(text.substr(0, taken)));
        }
        text.remove_prefix(taken);
    }
    for (const ModifierInfo& m : row.modifiers()) {
        const terrazzo::isa::Enumeration* values = enumeration(m.mod);
        if (values && !values->has_default() && !state.given[unsigned(m.mod)]) {
            return refuse(error, "%s needs one of .%s, ...", row.name,
                          values->name(out->mods[unsigned(m.mod)]));
        }
    }
    return true;
}

bool parse_register(std::string_view text, uint8_t* out, Error* error) {
    int64_t number;
    if (!text.starts_with('r')) {
        return refuse(error, "'%.*s' is not a register", SHOWN(text));
    }
    if (!parse_number(text.substr(1), 0, 63, &number, error)) {
        return false;
    }
    *out = uint8_t(number);
    return true;
}

bool parse_dest(std::string_view text, Dest* out, Error* error) {
    const size_t end = std::min(text.find('.'), text.size());
    const std::string_view mask = text.substr(end);
    if (mask == ".h0") {
        out->halves = 1;
    } else if (mask == ".h1") {
        out->halves = 2;
    } else if (!mask.empty()) {
        return refuse(error, "a destination has .h0, .h1 or nothing, not %.*s", SHOWN(mask));
    }
    return parse_register(text.substr(0, end), &out->reg, error);
}

bool parse_staging(std::string_view text, Staging* out, Error* error) {
    if (!text.starts_with('@')) {
        return refuse(error, "'%.*s' is not a group of staging registers (@r0:r1)", SHOWN(text));
    }
    *out = {};
    std::string_view rest = text.size() > 1 ? text.substr(1) : std::string_view(), part;
    while (next_part(&rest, ':', &part)) {
        uint8_t reg;
        if (!parse_register(part, &reg, error)) {
            return false;
        }
        if (out->count == 0) {
            out->reg = reg;
        } else if (reg != out->reg + out->count) {
            return refuse(error, "staging registers are consecutive, not %.*s", SHOWN(text));
        }
        out->count++;  // at most 64: they are consecutive
    }
    return true;
}

bool parse_operand_base(std::string_view text, Operand* out, Error* error) {
    int64_t number;
    if (text.starts_with('^') || text.starts_with('r')) {
        const bool last = text.starts_with('^');
        if (!last && text.size() > 1 && (text[1] < '0' || text[1] > '9')) {  // resource_table_pointer
            Special special;
            if (!find_special(text, &special)) {
                return refuse(error, "there is no value '%.*s'", SHOWN(text));
            }
            *out = Operand::special(special);
            return true;
        }
        out->kind = OperandKind::kRegister;
        out->last = last;
        return parse_register(text.substr(last), &out->index, error);
    }
    if (text.starts_with("0x")) {
        if (!parse_number(text, 0, UINT32_MAX, &number, error)) {
            return false;
        }
        const int entry = find_constant(uint32_t(number));
        if (entry < 0) {
            return refuse(error, "%.*s is not in the table of constants", SHOWN(text));
        }
        *out = Operand::constant(uint8_t(entry));
        return true;
    }
    if (text.starts_with("imm")) {
        if (!parse_number(text.substr(3), 0, kConstantCount - 1, &number, error)) {
            return false;
        }
        *out = Operand::constant(uint8_t(number));
        return true;
    }
    Special special;
    if (find_special(text, &special)) {
        *out = Operand::special(special);
        return true;
    }
    if (text.starts_with('u')) {
        if (!parse_number(text.substr(1), 0, 255, &number, error)) {
            return false;
        }
        *out = Operand::uniform(uint8_t(number));
        return true;
    }
    return refuse(error, "'%.*s' is not an operand", SHOWN(text));
}

/// One of .neg, .abs, .not and the swizzles.
bool set_operand_modifier(std::string_view text, const SourceInfo& source, Operand* operand, bool* swizzled,
                          Error* error) {
    const auto set_once = [&](auto get, auto set) {
        if (get()) {
            return refuse(error, "a source says .%.*s twice", SHOWN(text));
        }
        set();
        return true;
    };
    if (text == "neg" && source.neg) {
        return set_once([&] { return operand->neg; }, [&] { operand->neg = true; });
    }
    if (text == "abs" && source.abs) {
        return set_once([&] { return operand->abs; }, [&] { operand->abs = true; });
    }
    if (text == "not" && source.invert) {
        return set_once([&] { return operand->invert; }, [&] { operand->invert = true; });
    }
    if (!find_swizzle(source.set, text, &operand->swizzle)) {
        return refuse(error, "the source at bit %u has no .%.*s", source.field.start, SHOWN(text));
    }
    if (*swizzled) {
        return refuse(error, "a source has two swizzles, the second .%.*s", SHOWN(text));
    }
    *swizzled = true;
    return true;
}

bool parse_operand(std::string_view text, const SourceInfo& source, Operand* out, Error* error) {
    std::string_view rest = text, part;
    *out = {};
    if (!next_part(&rest, '.', &part) || !parse_operand_base(part, out, error)) {
        return false;
    }
    bool first = true, swizzled = false;
    while (next_part(&rest, '.', &part)) {
        const bool word = first && out->kind == OperandKind::kSpecial && (part == "w0" || part == "w1");
        first = false;
        if (word) {
            out->high_word = part == "w1";
        } else if (!set_operand_modifier(part, source, out, &swizzled, error)) {
            return false;
        }
    }
    return true;
}

bool parse_immediate(std::string_view text, const ImmediateInfo& info, int32_t* out, Error* error) {
    const std::string_view name = immediate_name(info.name);
    if (info.name == Imm::kConstant) {
        if (!text.starts_with('#')) {
            return refuse(error, "'%.*s' is not a constant (#0x123)", SHOWN(text));
        }
        text.remove_prefix(1);
    } else {
        if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != ':') {
            return refuse(error, "'%.*s' is not %s:number", SHOWN(text), name.data());
        }
        text.remove_prefix(name.size() + 1);
    }
    const int64_t end = int64_t{1} << (info.bits.width - (info.is_signed ? 1 : 0));
    int64_t value;
    if (!parse_number(text, info.is_signed ? -end : 0, end - 1, &value, error)) {
        return false;
    }
    *out = int32_t(value);
    return true;
}

bool parse_operands(std::string_view text, const OpInfo& row, Instr* out, Error* error) {
    std::array<std::string_view, kMaxOperands> parts{};
    unsigned count = 0;
    std::string_view rest = text.empty() ? std::string_view() : text, part;
    while (next_part(&rest, ',', &part)) {
        if (part.empty() || count == kMaxOperands) {
            return refuse(error, part.empty() ? "%s: an operand is empty" : "%s: too many operands",
                          row.name);
        }
        parts[count++] = part;
    }
    const unsigned wanted =
        unsigned(row.has_dest) + row.staging_count + row.source_count + row.immediate_count;
    if (count != wanted) {
        return refuse(error, "%s has %u operands, not %u", row.name, wanted, count);
    }
    unsigned next = 0;
    if (row.has_dest && !parse_dest(parts[next++], &out->dest, error)) {
        return false;
    }
    for (unsigned i = 0; i < row.staging_count; i++) {
        if (!parse_staging(parts[next++], &out->staging[i], error)) {
            return false;
        }
    }
    for (unsigned i = 0; i < row.source_count; i++) {
        if (!parse_operand(parts[next++], row.source_rows[i], &out->src[i], error)) {
            return false;
        }
    }
    for (unsigned i = 0; i < row.immediate_count; i++) {
        if (!parse_immediate(parts[next++], row.immediate_rows[i], &out->imm[i], error)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool assemble_line(std::string_view line, Instr* out, Error* error) {
    line = terrazzo::isa::trimmed(line);
    const std::string_view head = line.substr(0, line.find_first_of(" \t"));
    Op op;
    if (!find_mnemonic(head, &op)) {
        return refuse(error, "no instruction is named %.*s", SHOWN(head));
    }
    const OpInfo& row = info(op);
    Instr instr = make(op);
    if (!parse_modifiers(head.substr(std::strlen(row.name)), row, &instr, error) ||
        !parse_operands(terrazzo::isa::trimmed(line.substr(head.size())), row, &instr, error) ||
        !validate(instr, error)) {
        return false;
    }
    *out = instr;
    return true;
}

#undef SHOWN

}  // namespace terrazzo::mali::isa
