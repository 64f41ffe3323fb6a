// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Computes from a text's tokens how deep the tree of its expressions will be: the depth of glslang's
// recursion and ours. Macros are expanded before, so later steps do not make it deeper.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

inline constexpr unsigned kMaxNesting = 200;      // nested brackets of any kind
inline constexpr unsigned kMaxOperatorRun = 200;  // signs without an operand between them
/// Operators in a chain, each of which has everything before it as an operand. The front end processes them
/// in a loop (Scan, Walker); glslang recurses with about 200 bytes per level, and only if a text says
/// `precise`.
inline constexpr unsigned kMaxOperators = 100'000;

class StatementShape {
  public:
    /// Receives every token outside of directives. Returns what is too deep; empty: nothing.
    [[nodiscard]] std::string token(const Token& t);

  private:
    /// The state inside a bracket.
    struct Level {
        bool list = true;        // commas separate operands of one node
        unsigned operators = 0;  // of the current operand
        unsigned deepest = 0;    // the maximum of nested brackets in it
        unsigned widest = 0;     // the maximum of earlier operands
        [[nodiscard]] unsigned depth() const { return std::max(widest, operators + deepest); }
    };
    [[nodiscard]] bool opens_list() const;

    std::vector<Level> levels_{1};
    std::string_view last_;
    unsigned run_ = 0;
};

}  // namespace terrazzo::shaders::glsl
