// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a shader's text alone tells, and glslang's tree does not: numbers that a float cannot hold, which glslang keeps as
// doubles and folds so; qualifiers of members; gl_WorkGroupSize before the size is declared.
#pragma once

#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"
#include "shaders/ir/ir.h"

namespace terrazzo::shaders::glsl {

class TextRules {
  public:
    TextRules(TextEdits& edits, ir::Stage stage) : edits_(edits), stage_(stage) {}

    /// Sees every token outside of directives; `nesting` as OwnVariables has it. What is wrong with it; null: nothing.
    [[nodiscard]] const char* token(const Token& t, unsigned nesting, int version);

  private:
    [[nodiscard]] const char* member(const Token& t, unsigned nesting, int version);
    void number(const Token& t);
    void end_number(std::string_view literal);

    TextEdits& edits_;
    const ir::Stage stage_;
    std::string_view number_;  // one that a sign, then digits may follow
    bool sized_ = false;       // a local_size was seen
    bool struct_ = false;      // the braces of a structure may open
    unsigned members_ = 0;     // brackets around a structure's members; 0: not in one
};

}  // namespace terrazzo::shaders::glsl
