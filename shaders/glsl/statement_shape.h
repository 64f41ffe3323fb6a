// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How deep the tree of a text's expressions will be, told from its words: glslang's recursion, and ours,
// follows it. A text whose macros are expanded comes here, so nothing makes it deeper later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

inline constexpr unsigned kMaxNesting = 200;      // brackets of any kind inside one another
inline constexpr unsigned kMaxOperatorRun = 200;  // signs without an operand between them
/// Operators in a row, each of which has what is before it as an operand. The front end has a loop for those
/// (Scan, Walker); glslang has levels of recursion of about 200 bytes, and only where a text says `precise`.
inline constexpr unsigned kMaxOperators = 100'000;

class StatementShape {
  public:
    /// Sees every token outside of directives. What is too deep; empty: nothing.
    [[nodiscard]] std::string token(const Token& t);

  private:
    /// Inside of a bracket.
    struct Level {
        bool list = true;        // commas separate operands of one node
        unsigned operators = 0;  // of the operand
        unsigned deepest = 0;    // of what stands in brackets in it
        unsigned widest = 0;     // of the operands before
        [[nodiscard]] unsigned depth() const { return std::max(widest, operators + deepest); }
    };
    [[nodiscard]] bool opens_list() const;

    std::vector<Level> levels_{1};
    std::string_view last_;
    unsigned run_ = 0;
};

}  // namespace terrazzo::shaders::glsl
