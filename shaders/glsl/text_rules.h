// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules that need the shader's text, since glslang's tree lacks the information: numbers that a float cannot
// hold, which glslang keeps and folds as doubles; qualifiers of members; gl_WorkGroupSize before the size is
// declared.
#pragma once

#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"
#include "shaders/ir/ir.h"

namespace terrazzo::shaders::glsl {

class TextRules {
  public:
    TextRules(TextEdits& edits, ir::Stage stage) : edits_(edits), stage_(stage) {}

    /// Receives every token outside of directives; `nesting` as in OwnVariables. Returns the error at the
    /// token; null: none.
    [[nodiscard]] const char* token(const Token& t, unsigned nesting, int version);

  private:
    [[nodiscard]] const char* member(const Token& t, unsigned nesting, int version);
    void number(const Token& t);
    void end_number(std::string_view literal);

    TextEdits& edits_;
    const ir::Stage stage_;
    std::string_view number_;  // a number that a sign and digits may follow
    bool sized_ = false;       // a local_size was seen
    bool struct_ = false;      // a structure's opening brace may follow
    unsigned members_ = 0;     // the nesting of a structure's members; 0: not in one
};

}  // namespace terrazzo::shaders::glsl
