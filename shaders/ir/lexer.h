// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to parse*.cpp: splits the text form into tokens. A token is a word (letters, digits, '_', '.', and
// the signs of a number), a quoted string, or one punctuation character.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::ir {

class Lexer {
  public:
    enum class Kind { End, Word, String, Punct };
    explicit Lexer(std::string_view text) : text_(text) { next(); }

    Kind kind = Kind::End;
    std::string_view text;  // Word, Punct
    std::string string;     // String, unescaped
    unsigned line = 1;      // of the token
    bool first_on_line = true;
    bool bad = false;  // an unfinished string or escape

    void next() {
        first_on_line = pos_ == 0;
        skip_blanks();
        line = line_;
        if (pos_ == text_.size()) {
            kind = Kind::End;
            text = "end of text";
            first_on_line = true;
            return;
        }
        const size_t begin = pos_;
        if (text_[pos_] == '"') return quoted();
        if (is_word(text_[pos_]) || is_sign(text_[pos_])) {
            kind = Kind::Word;
            const bool hex = text_.substr(pos_).starts_with("0x");
            const bool number = !is_letter(text_[pos_]);
            pos_++;
            while (pos_ < text_.size() && (is_word(text_[pos_]) || (number && !hex && exponent_sign())))
                pos_++;
            // A sign without digits separates the parts of an index.
            if (pos_ == begin + 1 && is_sign(text_[begin])) kind = Kind::Punct;
        } else {
            kind = Kind::Punct;
            pos_++;
        }
        text = text_.substr(begin, pos_ - begin);
    }

  private:
    static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    static bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.'; }
    static bool is_sign(char c) { return c == '+' || c == '-'; }
    bool exponent_sign() const { return is_sign(text_[pos_]) && text_[pos_ - 1] == 'e'; }
    void skip_blanks() {
        for (; pos_ < text_.size(); pos_++) {
            const char c = text_[pos_];
            if (c == '#') {
                while (pos_ + 1 < text_.size() && text_[pos_ + 1] != '\n')
                    pos_++;
            } else if (c == '\n') {
                line_++;
                first_on_line = true;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return;
            }
        }
    }
    static int hex_digit(char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
    void quoted() {
        kind = Kind::String;
        text = "string";
        string.clear();
        for (pos_++; pos_ < text_.size() && text_[pos_] != '"' && text_[pos_] != '\n'; pos_++) {
            if (text_[pos_] != '\\') {
                string += text_[pos_];
                continue;
            }
            const std::string_view e = text_.substr(pos_, 4);
            if (e.size() < 4 || e[1] != 'x' || hex_digit(e[2]) < 0 || hex_digit(e[3]) < 0) {
                bad = true;
                return;
            }
            string += char(hex_digit(e[2]) * 16 + hex_digit(e[3]));
            pos_ += 3;
        }
        if (pos_ == text_.size() || text_[pos_] != '"')
            bad = true;
        else
            pos_++;
    }

    std::string_view text_;
    size_t pos_ = 0;
    unsigned line_ = 1;
};

}  // namespace terrazzo::ir
