// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A text's macros and their expansion, by C's rules without # and ## (ESSL has neither). glslang's own
// preprocessor recurses as deep as a text's macros are nested, so it never sees one (preprocessor.h).
//
// Why expansion ends: a token has the set of macros that it came from (hide_sets.h) and never expands to one
// of them again. Each expansion either consumes tokens of the text or enlarges such a set, and a set has at
// most kMaxMacroDepth macros. Why it fits the stack: only arguments recurse, at most kMaxMacroArguments deep,
// whichever macros open and close the calls. Why its time and memory are bounded: each moved token counts, up
// to kMaxMacroWork.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shaders/glsl/hide_sets.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

inline constexpr unsigned kMaxMacroDepth = 200;       // nested macros
inline constexpr unsigned kMaxMacroArguments = 200;   // nested calls of macros in arguments
inline constexpr uint64_t kMaxMacroWork = 4'000'000;  // moved words, 32 bytes each

struct MacroToken {
    std::string_view text;
    uint32_t line = 0;
    HideSets::Id hidden = 0;
    bool name = false;
    bool glued = false;  // no space before it
};
[[nodiscard]] inline MacroToken macro_token(const Token& t) {
    return {t.text, t.line, 0, t.name, t.glued};
}

class Macros {
  public:
    /// An error: its line, and a message in glslang's form; line 0: none.
    struct Error {
        uint32_t line = 0;
        std::string message;
    };

    /// Defines a macro that is not in the text, of one word. __LINE__ and __FILE__ change: set_place().
    void predefine(std::string_view name, std::string value);
    /// The number that is added to a token's line for __LINE__, and the value of __FILE__.
    void set_place(int64_t line_offset, int64_t file);

    /// A #define line after `define`. Texts must outlive this object.
    void define(std::span<const Token> line, int version);
    /// #undef of a name.
    void undefine(const Token& name, int version);
    [[nodiscard]] bool defined(std::string_view name) const { return table_.count(name) != 0; }

    /// Appends the expansion of the tokens. `condition`: they are an #if's, in which `defined X` becomes 1 or
    /// 0. False: see error().
    bool expand(std::span<const MacroToken> in, bool condition, std::vector<MacroToken>& out);

    [[nodiscard]] const Error& error() const { return error_; }
    /// Warnings: (line, text), without "WARNING: " and the line number.
    [[nodiscard]] const std::vector<Error>& warnings() const { return warnings_; }

  private:
    struct BodyToken {
        MacroToken token;
        int parameter = -1;
    };
    struct Macro {
        uint32_t id = 0;  // the name's number
        bool function = false, predefined = false;
        std::vector<std::string_view> parameters;
        std::vector<BodyToken> body;
    };
    struct Source;
    struct Call;

    bool fail(uint32_t line, std::string message);
    bool check_name(const Token& name, const char* directive, int version);
    bool parse(std::span<const Token> line, Macro& m);
    static bool same(const Macro& a, const Macro& b, std::string& how);
    bool count(uint64_t tokens, uint32_t line);
    bool expand_in(Source& source, bool condition, std::vector<MacroToken>& out);
    bool defined_operator(Source& source, const MacroToken& at, std::vector<MacroToken>& out);
    bool read_call(Source& source, const MacroToken& name, const Macro& m, Call& call);
    bool substitute(const MacroToken& name, const Macro& m, HideSets::Id hidden, Call* call, bool condition,
                    std::vector<MacroToken>& out);
    std::string_view kept(std::string s) { return texts_.emplace_back(std::move(s)); }

    std::unordered_map<std::string_view, Macro> table_;
    std::unordered_map<std::string_view, uint32_t> ids_;
    std::deque<std::string> texts_;
    HideSets hide_;
    std::vector<Error> warnings_;
    Error error_;
    uint64_t work_ = 0;
    unsigned depth_ = 0;
    int64_t line_offset_ = 0;
    std::string_view file_ = "0";
};

}  // namespace terrazzo::shaders::glsl
