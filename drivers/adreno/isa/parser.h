// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Parses a line of assembly from left to right. Internal to this folder.
#pragma once
#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::isa {

struct Parser {
    std::string_view rest;
    Error* error;

    void skip_blanks();
    /// Skips blanks, and `text` if it follows.
    bool take(std::string_view text);
    /// Skips a flag such as .a if it follows and is not the beginning of a longer name.
    bool take_flag(std::string_view text);
    [[nodiscard]] bool expect(std::string_view text);
    /// Parses a number, decimal or 0x, with an optional sign.
    [[nodiscard]] bool number(int64_t low, int64_t high, int64_t* out);
    /// Parses the longest name of the enumeration that follows; if there is none, the result is its default.
    [[nodiscard]] bool named(const terrazzo::isa::Enumeration& values, const char* what, uint16_t* out);
    /// Parses .x
    [[nodiscard]] bool component(unsigned* out);

    [[nodiscard]] bool dest(Dest* out);
    /// `row` has the permitted operands; `type` is the type of a move's number.
    [[nodiscard]] bool source(const SourceInfo& row, Type type, Src* out);
    [[nodiscard]] bool write_mask(unsigned* out);

  private:
    [[nodiscard]] bool source_flags(Src* out);
    [[nodiscard]] bool special_register(bool* found, Reg* out);
    [[nodiscard]] bool relative_or_register(bool constants, Src* out);
    [[nodiscard]] bool parenthesis(const SourceInfo& row, Type type, Src* out);
    [[nodiscard]] bool move_float(std::string_view text, Type type, Src* out);
};

/// Parses .s2en and .base of a texture instruction; then its type, mask and operands (parse_texture.cpp).
[[nodiscard]] bool parse_descriptor(Parser* p, Instr* out);
[[nodiscard]] bool parse_texture_operands(Parser* p, Instr* out);

}  // namespace terrazzo::adreno::isa
