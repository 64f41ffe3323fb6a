// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Global variables and structures with the name of a built-in function (Babylon has `uniform vec2
// textureSize`). Since ESSL 3.00 a text must not declare such a function (6.1). But the scope of its own
// names is inside that of built-in ones (4.2.2), so a variable hides the function. glslang refuses both: the
// name is replaced.
#pragma once

#include <set>
#include <string_view>

#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class HiddenFunctions {
  public:
    /// Receives every token outside of directives; `nesting`: the number of open brackets. Returns the token
    /// before it if that declares such a name; else empty.
    [[nodiscard]] std::string_view declared(const Token& t, unsigned nesting);
    /// Whether the token, which declared() receives next, is a name that was declared so.
    [[nodiscard]] bool hides(const Token& t) const { return last_ != "." && hidden_.count(t.text) != 0; }

  private:
    std::set<std::string_view> hidden_;
    std::string_view last_, before_last_;
    bool last_is_name_ = false, before_is_name_ = false;
};

}  // namespace terrazzo::shaders::glsl
