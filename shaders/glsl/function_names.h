// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Functions that extensions provide. Without the extension, the name is free for the shader's own functions:
// ESSL 3.00 section 8 reserves only the names of its own built-in functions. glslang declares the functions
// in every text and refuses a shader's function of that name. So the shader's function is renamed if the text
// enables no extension that provides the name.
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
    /// Receives every #extension line that enables one.
    void enable(std::string_view extension) { enabled_.push_back(extension); }
    /// Receives every token outside of directives; `nesting`: the number of open brackets.
    void token(const Token& t, unsigned nesting);
    /// Renames. `version` is the text's.
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
    uint32_t declared_ = 0;  // a bit for each function of the table that the text declares
    int candidate_ = -1;     // the last token may be the name in a function's declaration
    bool after_type_ = false;
};

}  // namespace terrazzo::shaders::glsl
