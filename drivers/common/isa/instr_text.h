// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A whole line of assembly, by a vendor's description of the text of an instruction, which serves both
// directions: text_of(Line&, Instr&) prints the instruction, or changes it to the one that the line says.
#pragma once
#include <string>
#include <string_view>

#include "drivers/common/isa/line.h"

namespace terrazzo::isa {

/// Begins an instruction. If the line is parsed, `*instr` becomes make(op), for the longest name of an
/// operation that the line has up to a '.' or the name's end. False: there is none, and the line failed.
template <typename Instr>
[[nodiscard]] bool begin_instr(Line& line, Instr* instr) {
    using Op = decltype(Instr::op);
    if (!line.parses()) return true;
    const std::string_view head = line.rest().substr(0, line.rest().find_first_of(" \t,"));
    size_t longest = 0;
    Op op = Op::kCount;
    for (unsigned i = 0; i < unsigned(Op::kCount); i++) {
        const std::string_view name = info(Op(i)).name;
        const bool fits = head.starts_with(name) && (head.size() == name.size() || head[name.size()] == '.');
        if (!fits || name.size() <= longest) continue;
        longest = name.size();
        op = Op(i);
    }
    if (op == Op::kCount) return line.fail("no instruction is named %.*s", TERRAZZO_ISA_SHOWN(head));
    *instr = make(op);
    return true;
}

/// Appends the text, without a newline.
template <typename Instr, typename TextOf>
void print_line(const Instr& instr, std::string* out, const TextOf& text_of) {
    Line line(out);
    Instr copy = instr;
    text_of(line, copy);
}

/// Assembles one line. `*out` changes only on success.
template <typename Instr, typename TextOf>
[[nodiscard]] bool parse_line(std::string_view text, Instr* out, Error* error, const TextOf& text_of) {
    Line line(trimmed(text), error);
    Instr instr;
    text_of(line, instr);
    line.end(instr.info().name);
    if (!line.ok() || !validate(instr, error)) return false;
    *out = instr;
    return true;
}

}  // namespace terrazzo::isa

/// Defines a vendor's functions print() and assemble_line() (program.h).
#define TERRAZZO_ISA_TEXT(text_of)                                        \
    void print(const Instr& instr, std::string* out) {                    \
        terrazzo::isa::print_line(instr, out, text_of);                   \
    }                                                                     \
    bool assemble_line(std::string_view text, Instr* out, Error* error) { \
        return terrazzo::isa::parse_line(text, out, error, text_of);      \
    }
