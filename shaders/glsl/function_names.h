// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Functions that extensions bring. Without its extension such a name is the shader's, as any other is: ESSL 3.00 section 8 keeps
// only the names of its own built-in functions. glslang declares them in every text and refuses a shader's function of that name,
// so the shader's gets another name, where the text has no extension that brings the function.
#pragma once

#include <string_view>
#include <vector>

#include "shaders/glsl/source.h"
#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class FunctionNames {
  public:
    FunctionNames(TextEdits& edits, Source& out) : edits_(edits), out_(out) {}
    /// Sees every #extension line that turns one on.
    void enable(std::string_view extension) { enabled_.push_back(extension); }
    /// Sees every token outside of directives; `nesting`: brackets around it.
    void token(const Token& t, unsigned nesting);
    /// Changes the names. `version` is the text's.
    void finish(int version);

  private:
    struct Use {
        std::string_view text;
        unsigned function;  // of the table
    };
    TextEdits& edits_;
    Source& out_;
    std::vector<std::string_view> enabled_;
    std::vector<Use> uses_;
    uint32_t declared_ = 0;  // bit a function of the table that the text declares
    int candidate_ = -1;     // the last token may be the name of a declaration's function
    bool after_type_ = false;
};

}  // namespace terrazzo::shaders::glsl
