// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Global variables and structures named as built-in functions are (Babylon has `uniform vec2 textureSize`).
// From ESSL 3.00 on a text must not declare such a function (6.1), but the scope of its own names lies inside
// that of the built-in ones (4.2.2), so a variable hides it. glslang refuses both: the name becomes another.
#pragma once

#include <set>
#include <string_view>

#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class HiddenFunctions {
  public:
    /// Sees every token outside of directives; `nesting`: brackets around it. The one before where that
    /// declares such a name; empty: it does not.
    [[nodiscard]] std::string_view declared(const Token& t, unsigned nesting);
    /// Whether the token, which declared() sees next, is a name that was declared so.
    [[nodiscard]] bool hides(const Token& t) const { return last_ != "." && hidden_.count(t.text) != 0; }

  private:
    std::set<std::string_view> hidden_;
    std::string_view last_, before_last_;
    bool last_is_name_ = false, before_is_name_ = false;
};

}  // namespace terrazzo::shaders::glsl
