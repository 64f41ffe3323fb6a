// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Long ladders `if (a) A else if (b) B else if ...`. Each else-if is nested in the one before it: in
// glslang's parser, whose stack holds 1,600 of them, in its tree and in the IR's regions. Here a long ladder
// is split into consecutive steps:
//   {bool TZl1=false;if (a) A else if (b) B else TZl1=true;
//    if(TZl1){TZl1=false;if (c) C ... else TZl1=true;}if(TZl1){...}}
// Conditions are evaluated in the same order, and no more of them. Line numbers are unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class Ladders {
  public:
    static constexpr size_t kMaxRungs = 32;  // ladders up to this length are unchanged
    static constexpr size_t kStep = 16;

    explicit Ladders(TextEdits& edits) : edits_(edits) {}
    /// Receives every token outside of directives, after macro expansion.
    void token(const Token& t);

  private:
    /// The kinds of enclosing statements.
    enum class Kind : uint8_t { Block, Body, Do, Then, Else };
    struct Open {
        Kind kind;
        const char* first = nullptr;          // of a ladder: its first `if`
        std::vector<std::string_view> elses;  // the `else` tokens before the other ifs
    };
    /// The position in the current statement.
    enum class At : uint8_t {
        Statement,  // at its beginning
        Head,       // before the bracket that closes `if (...`
        Simple,     // before a semicolon
        Label,      // before a colon
    };

    void begin_statement(const Token& t);
    void end_statement();
    bool go_on(const Token& t);
    void cut(const Open& ladder);

    TextEdits& edits_;
    std::vector<Open> open_;
    At at_ = At::Statement;
    bool pending_ = false;  // a statement is complete, unless an else or while continues an enclosing one
    unsigned brackets_ = 0;
    std::string_view last_;
    const char* end_ = nullptr;  // the end of the token before
    unsigned ladders_ = 0;
};

}  // namespace terrazzo::shaders::glsl
