// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The value of an #if's expression, after macro expansion (ESSL 3.00 section 3.4).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "shaders/glsl/macros.h"

namespace terrazzo::shaders::glsl {

/// The depth of nested brackets: evaluation recurses this deep.
inline constexpr unsigned kMaxConditionNesting = 200;

class Condition {
  public:
    explicit Condition(std::span<const MacroToken> tokens) : tokens_(tokens) {}
    /// The value of the next expression; rest() has the remaining tokens. error() is empty on success.
    int32_t evaluate();
    [[nodiscard]] std::span<const MacroToken> rest() const { return tokens_; }
    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    int32_t expression(int above, bool unused);
    int32_t operand(bool unused);
    int32_t unsigned_operand(bool unused);
    int32_t number(std::string_view s);
    int32_t fail(std::string message);
    [[nodiscard]] bool is_step() const;
    [[nodiscard]] std::string_view operation() const;

    std::span<const MacroToken> tokens_;
    std::string error_;
    unsigned depth_ = 0;
};

}  // namespace terrazzo::shaders::glsl
