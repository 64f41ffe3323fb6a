// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Executes directives and writes the remaining text: see preprocessor.h. Only macros.h and condition.h
// recurse; they say how deep.
#include "shaders/glsl/preprocessor.h"

#include <vector>

#include "shaders/glsl/condition.h"
#include "shaders/glsl/macros.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

namespace {

class Preprocessor {
  public:
    Preprocessor(std::string_view source, int version, std::span<const std::string_view> macros)
        : lexer_(source), version_(version) {
        for (const std::string_view m : {"GL_ES", "GL_FRAGMENT_PRECISION_HIGH"})
            macros_.predefine(m, "1");
        for (const std::string_view m : macros)
            macros_.predefine(m, "1");
        macros_.predefine("__VERSION__", std::to_string(version));
        macros_.predefine("__LINE__", "");
        macros_.predefine("__FILE__", "");
        macros_.set_place(0, 0);
    }

    Preprocessed run() {
        Token t;
        bool more = lexer_.next(t);
        while (more && out_.error.empty()) {
            if (t.first && t.text == "#") {
                flush();
                const uint32_t line = t.line;
                line_.clear();
                while ((more = lexer_.next(t)) && !t.first)
                    line_.push_back(t);
                directive(line);
                begun_ = true;
            } else {
                begun_ = true;
                if (active()) text(t);
                more = lexer_.next(t);
            }
        }
        flush();
        if (!groups_.empty()) fail(groups_.back().line, "'' : missing #endif");
        out_.text += '\n';
        return std::move(out_);
    }

  private:
    /// From an #if to its #endif.
    struct Group {
        uint32_t line;
        bool around;         // the enclosing text is active
        bool active, taken;  // now; so far
        bool has_else = false;
    };
    [[nodiscard]] bool active() const { return groups_.empty() || groups_.back().active; }

    /// The line number as the shader's author counts, including #line.
    [[nodiscard]] int64_t own_line(uint32_t line) const { return int64_t(line) + line_offset_; }
    std::string place(uint32_t line) const {
        return std::to_string(file_) + ":" + std::to_string(own_line(line)) + ": ";
    }
    void fail(uint32_t line, const std::string& message) {
        if (out_.error.empty()) out_.error = "ERROR: " + place(line) + message + "\n";
    }
    /// Reports errors and warnings of macros.h.
    bool check_macros() {
        for (; warned_ < macros_.warnings().size(); ++warned_) {
            const Macros::Error& w = macros_.warnings()[warned_];
            out_.warnings += "WARNING: " + place(w.line) + w.message + "\n";
        }
        if (macros_.error().line) fail(macros_.error().line, macros_.error().message);
        return out_.error.empty();
    }

    void check_splice(const Token& t) {
        if (t.spliced && version_ < 300)
            fail(t.line, "'line continuation' : needs #version 300 es or later; this text is GLSL ES 1.00");
    }

    void text(const Token& t) {
        check_splice(t);
        if (t.text == "\\") fail(t.line, "'\\' : unexpected token");
        run_.push_back(macro_token(t));
        if (run_.size() > kMaxTokens) too_long(t.line);
    }
    void too_long(uint32_t line) {
        fail(line, "Terrazzo: the shader is too long once its macros are expanded: more than " +
                       std::to_string(kMaxTokens) + " words");
    }

    /// Writes the text since the last directive.
    void flush() {
        if (run_.empty() || !out_.error.empty()) return;
        expanded_.clear();
        (void)macros_.expand(run_, false, expanded_);
        run_.clear();
        if (check_macros())
            for (const MacroToken& t : expanded_)
                write(t);
    }

    void go_to(uint32_t line) {
        if (line <= written_) return;
        out_.text.append(line - written_, '\n');
        written_ = line;
    }
    void write(const MacroToken& t) {
        if (++tokens_ > kMaxTokens) return too_long(t.line);
        go_to(t.line);
        const bool first = out_.text.empty() || out_.text.back() == '\n';
        if (first && t.text == "#") return fail(t.line, "'#' : a macro does not make a directive");
        if (!first && !t.glued) out_.text += ' ';
        out_.text += t.text;
    }

    /// Passes a directive on to glslang.
    void pass_on(uint32_t line) {
        go_to(line);
        out_.text += "#";
        for (const Token& t : line_) {
            if (!t.glued) out_.text += ' ';
            out_.text += t.text;
        }
        tokens_ += line_.size();
        if (tokens_ > kMaxTokens) too_long(line);
    }

    void directive(uint32_t line) {
        if (line_.empty()) return;
        const std::string_view what = line_[0].text;
        const std::span<const Token> rest = std::span<const Token>(line_).subspan(1);
        if (what == "if" || what == "ifdef" || what == "ifndef") return open(what, rest, line);
        if (what == "elif" || what == "else" || what == "endif") return turn(what, rest, line);
        if (!active()) return;
        for (const Token& t : line_)
            check_splice(t);
        if (what == "define") {
            if (rest.empty()) return fail(line, "'#define' : must be followed by macro name");
            macros_.define(rest, version_);
            check_macros();
        } else if (what == "undef") {
            if (rest.empty()) return fail(line, "'#undef' : must be followed by macro name");
            if (rest.size() > 1) return fail(line, "'#undef' : can only be followed by a single macro name");
            macros_.undefine(rest[0], version_);
            check_macros();
        } else if (what == "error") {
            error(rest, line);
        } else if (what == "line") {
            number_lines(rest, line);
        } else if (what == "version") {
            if (begun_) return fail(line, "'#version' : must occur first in shader");
            pass_on(line);
        } else if (what == "extension" || what == "pragma") {
            pass_on(line);
        } else {
            fail(line, "'#' : invalid directive: " + std::string(what));
        }
    }

    void open(std::string_view what, std::span<const Token> rest, uint32_t line) {
        Group g{line, active(), false, true};
        if (g.around) {
            g.taken = g.active = what == "if" ? condition(what, rest, line) : defined(what, rest, line);
        }
        groups_.push_back(g);
    }
    bool defined(std::string_view what, std::span<const Token> rest, uint32_t line) {
        const std::string name = "'#" + std::string(what) + "' : ";
        if (rest.empty() || !rest[0].name) {
            fail(line, name + "must be followed by macro name");
        } else if (rest.size() > 1) {
            fail(line, name + "unexpected tokens following #ifdef directive - expected a newline");
        }
        return !rest.empty() && macros_.defined(rest[0].text) == (what == "ifdef");
    }
    void turn(std::string_view what, std::span<const Token> rest, uint32_t line) {
        const std::string name = "'#" + std::string(what) + "' : ";
        if (groups_.empty()) return fail(line, name + "mismatched statements");
        Group& g = groups_.back();
        if (what != "elif" && g.around && !rest.empty())
            fail(line, name + "unexpected tokens following directive");
        if (what == "endif") return groups_.pop_back();
        if (g.has_else) return fail(line, name + "#" + std::string(what) + " after #else");
        g.has_else = what == "else";
        g.active = g.around && !g.taken && (g.has_else || condition(what, rest, line));
        g.taken |= g.active;
    }

    /// The tokens with their macros expanded; empty on an error.
    std::vector<MacroToken> expanded(std::span<const Token> tokens) {
        std::vector<MacroToken> in, out;
        for (const Token& t : tokens) {
            check_splice(t);
            in.push_back(macro_token(t));
        }
        (void)macros_.expand(in, true, out);
        if (!check_macros()) out.clear();
        return out;
    }
    bool condition(std::string_view what, std::span<const Token> tokens, uint32_t line) {
        const std::vector<MacroToken> words = expanded(tokens);
        Condition c(words);
        const int32_t value = c.evaluate();
        if (!c.error().empty()) fail(line, c.error());
        if (!c.rest().empty())
            fail(line, "'#" + std::string(what) + "' : unexpected tokens following directive");
        return value != 0;
    }

    void error(std::span<const Token> rest, uint32_t line) {
        std::string message;
        for (const Token& t : rest)
            message += (t.glued && !message.empty() ? "" : " ") + std::string(t.text);
        fail(line, "'#error' :" + message);
    }

    /// The next line has the first number; the file is the second one.
    void number_lines(std::span<const Token> rest, uint32_t line) {
        const std::vector<MacroToken> words = expanded(rest);
        if (!out_.error.empty()) return;
        if (words.empty()) return fail(line, "'#line' : must by followed by an integral literal");
        Condition c(words);
        const int32_t number = c.evaluate();
        const bool has_file = c.error().empty() && !c.rest().empty();
        const int32_t file = has_file ? c.evaluate() : file_;
        if (!c.error().empty()) return fail(line, c.error());
        if (!c.rest().empty()) return fail(line, "'#line' : unexpected tokens following directive");
        if (number < 0) return fail(line, "'#line' : a line's number is negative");
        go_to(line);
        file_ = file;
        out_.text += "#line " + std::to_string(number) + (has_file ? " " + std::to_string(file_) : "");
        line_offset_ = int64_t(number) - int64_t(line) - 1;
        macros_.set_place(line_offset_, file_);
    }

    Lexer lexer_;
    const int version_;
    Macros macros_;
    Preprocessed out_;
    std::vector<Group> groups_;
    std::vector<Token> line_;  // the current directive, after its #
    std::vector<MacroToken> run_, expanded_;
    size_t warned_ = 0, tokens_ = 0;
    uint32_t written_ = 1;  // the current line of the output
    int64_t line_offset_ = 0;
    int32_t file_ = 0;
    bool begun_ = false;  // a token or directive has been seen
};

}  // namespace

Preprocessed preprocess(std::string_view source, int version, std::span<const std::string_view> macros) {
    return Preprocessor(source, version, macros).run();
}

}  // namespace terrazzo::shaders::glsl
