// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tracks statements with its own stack. In a text that is not valid ESSL it may find wrong ladders; glslang
// refuses such a text in any case.
#include "shaders/glsl/ladders.h"

#include <utility>

namespace terrazzo::shaders::glsl {

void Ladders::token(const Token& t) {
    if (!pending_ || !go_on(t)) {
        const char c = t.text[0];
        const bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
        switch (at_) {
            case At::Statement:
                begin_statement(t);
                break;
            case At::Head:
                if (opens) ++brackets_;
                if (closes && brackets_ && --brackets_ == 0) at_ = At::Statement;
                break;
            case At::Simple:
                // A function's body, not that of a structure or a block.
                if (c == '{' && !brackets_ && last_ == ")") {
                    open_.push_back({Kind::Block});
                    at_ = At::Statement;
                } else if (opens) {
                    ++brackets_;
                } else if (closes && brackets_) {
                    --brackets_;
                } else if (c == ';' && !brackets_) {
                    end_statement();
                }
                break;
            case At::Label:
                if (opens || c == '?')
                    ++brackets_;
                else if ((closes || c == ':') && brackets_)
                    --brackets_;
                else if (c == ':')
                    at_ = At::Statement;
                break;
        }
    }
    last_ = t.text;
    end_ = t.text.data() + t.text.size();
}

void Ladders::begin_statement(const Token& t) {
    const std::string_view s = t.text;
    brackets_ = 0;
    if (s == "if") {
        // After `else`, it is the ladder's next rung.
        if (!open_.empty() && open_.back().kind == Kind::Else && last_ == "else") {
            open_.back().kind = Kind::Then;
            open_.back().elses.push_back(last_);
        } else {
            open_.push_back({Kind::Then, s.data(), {}});
        }
        at_ = At::Head;
    } else if (s == "for" || s == "while" || s == "switch") {
        open_.push_back({Kind::Body});
        at_ = At::Head;
    } else if (s == "do") {
        open_.push_back({Kind::Do});
    } else if (s == "{") {
        open_.push_back({Kind::Block});
    } else if (s == "}") {
        while (!open_.empty() && open_.back().kind != Kind::Block)
            open_.pop_back();
        if (!open_.empty()) open_.pop_back();
        end_statement();
    } else if (s == ";") {
        end_statement();
    } else if (s == "case" || s == "default") {
        at_ = At::Label;
    } else {
        at_ = At::Simple;
        brackets_ = s == "(" || s == "[" ? 1 : 0;
    }
}

/// A statement has ended with this token. The next token decides whether the enclosing statements have, too.
void Ladders::end_statement() {
    at_ = At::Statement;
    pending_ = true;
}

/// The first token after a statement: closes the statements that end there. True: the token is consumed.
bool Ladders::go_on(const Token& t) {
    pending_ = false;
    at_ = At::Statement;
    while (!open_.empty()) {
        Open& o = open_.back();
        if (o.kind == Kind::Block) return false;
        if (o.kind == Kind::Then && t.text == "else") {
            o.kind = Kind::Else;
            return true;
        }
        if (o.kind == Kind::Do && t.text == "while") {
            o.kind = Kind::Body;
            at_ = At::Simple;
            brackets_ = 0;
            return true;
        }
        if (o.elses.size() >= kMaxRungs) cut(o);
        open_.pop_back();
    }
    return false;
}

void Ladders::cut(const Open& ladder) {
    const std::string flag = "TZl" + std::to_string(++ladders_), no = flag + "=false;", yes = flag + "=true;";
    edits_.insert(ladder.first, "{bool " + no);
    for (size_t i = kStep - 1; i < ladder.elses.size(); i += kStep)
        edits_.replace(ladder.elses[i], "else " + yes + (i >= kStep ? "}" : "") + "if(" + flag + "){" + no);
    edits_.insert(end_, "}}");
}

}  // namespace terrazzo::shaders::glsl
