// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Long ladders `if (a) A else if (b) B else if ...`. Each else-if stands inside the one before it: in
// glslang's parser, whose stack holds 1,600 of them, in its tree and in the IR's regions. Here a long ladder
// is cut into steps that stand side by side:
//   {bool TZl1=false;if (a) A else if (b) B else TZl1=true;if(TZl1){TZl1=false;if (c) C ... else TZl1=true;}if(TZl1){...}}
// Conditions are evaluated in the same order, and as few of them. Lines keep their numbers.
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
    static constexpr size_t kMaxRungs = 32;  // of a ladder that stays as it is
    static constexpr size_t kStep = 16;

    explicit Ladders(TextEdits& edits) : edits_(edits) {}
    /// Sees every token outside of directives, once macros are expanded.
    void token(const Token& t);

  private:
    /// Statements around the place.
    enum class Kind : uint8_t { Block, Body, Do, Then, Else };
    struct Open {
        Kind kind;
        const char* first = nullptr;          // of a ladder: its first `if`
        std::vector<std::string_view> elses;  // the words before the other ifs
    };
    /// What the next token belongs to.
    enum class At : uint8_t {
        Statement,  // it begins one
        Head,       // up to the bracket that closes `if (...`
        Simple,     // up to a semicolon
        Label,      // up to a colon
    };

    void begin_statement(const Token& t);
    void end_statement();
    bool go_on(const Token& t);
    void cut(const Open& ladder);

    TextEdits& edits_;
    std::vector<Open> open_;
    At at_ = At::Statement;
    bool pending_ = false;  // a statement is complete, but for an else or while of those around it
    unsigned brackets_ = 0;
    std::string_view last_;
    const char* end_ = nullptr;  // of the token before
    unsigned ladders_ = 0;
};

}  // namespace terrazzo::shaders::glsl
