// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Takes pieces off a line of assembly, from left to right. Internal to this folder.
#pragma once
#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::isa {

struct Parser {
    std::string_view rest;
    Error* error;

    void skip_blanks();
    /// Takes `text` if it comes next, after blanks.
    bool take(std::string_view text);
    /// Takes a flag as .a, if what follows is no longer name.
    bool take_flag(std::string_view text);
    [[nodiscard]] bool expect(std::string_view text);
    /// A number, decimal or 0x, with an optional sign.
    [[nodiscard]] bool number(int64_t low, int64_t high, int64_t* out);
    /// The longest name of the enumeration that comes next; its default where none does.
    [[nodiscard]] bool named(const terrazzo::isa::Enumeration& values, const char* what, uint16_t* out);
    /// .x
    [[nodiscard]] bool component(unsigned* out);

    [[nodiscard]] bool dest(Dest* out);
    /// `row` says what may come; `type` is of a move's number.
    [[nodiscard]] bool source(const SourceInfo& row, Type type, Src* out);
    [[nodiscard]] bool write_mask(unsigned* out);

  private:
    [[nodiscard]] bool source_flags(Src* out);
    [[nodiscard]] bool special_register(bool* found, Reg* out);
    [[nodiscard]] bool relative_or_register(bool constants, Src* out);
    [[nodiscard]] bool parenthesis(const SourceInfo& row, Type type, Src* out);
    [[nodiscard]] bool move_float(std::string_view text, Type type, Src* out);
};

/// .s2en and .base of a texture instruction; then its type, mask and operands (parse_texture.cpp).
[[nodiscard]] bool parse_descriptor(Parser* p, Instr* out);
[[nodiscard]] bool parse_texture_operands(Parser* p, Instr* out);

}  // namespace terrazzo::adreno::isa
