// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Splits a shader's text into tokens, for source.cpp, preprocessor.cpp and their helpers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace terrazzo::shaders::glsl {

struct Token {
    std::string_view text;
    uint32_t line;
    bool name;     // an identifier
    bool glued;    // no space before it
    bool first;    // the first one of its line
    bool spliced;  // a backslash joined two lines before it
};

/// Bits of kCharKinds.
enum CharKind : uint8_t {
    kNameStart = 1,
    kDigit = 2,
    kSkipped = 4,  // a token may be followed by it: spaces, ends of lines, the first one of a comment
};
inline constexpr std::array<uint8_t, 256> kCharKinds = [] {
    std::array<uint8_t, 256> kinds{};
    for (unsigned char c = 0; c < 128; ++c) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') kinds[c] = kNameStart;
        if (c >= '0' && c <= '9') kinds[c] = kDigit;
    }
    for (const unsigned char c : {' ', '\t', '\v', '\f', '\n', '\r', '\\', '/'})
        kinds[c] = kSkipped;
    return kinds;
}();
inline bool is_kind(char c, unsigned kinds) {
    return kCharKinds[static_cast<unsigned char>(c)] & kinds;
}
inline bool is_name_start(char c) {
    return is_kind(c, kNameStart);
}
inline bool is_digit(char c) {
    return is_kind(c, kDigit);
}
inline bool is_name(char c) {
    return is_kind(c, kNameStart | kDigit);
}

class Lexer {
  public:
    explicit Lexer(std::string_view s) : s_(s) {}

    bool next(Token& t) {
        const size_t before = at_;
        bool first = at_ == 0 || fresh_;
        t.spliced = false;
        if (at_ < s_.size() && is_kind(s_[at_], kSkipped) && skip_space(t.spliced)) first = true;
        fresh_ = false;
        if (at_ >= s_.size()) return false;
        const size_t begin = at_;
        if (is_name_start(s_[at_])) {
            while (at_ < s_.size() && is_name(s_[at_]))
                ++at_;
            t.name = true;
        } else if (is_digit(s_[at_]) || (s_[at_] == '.' && at_ + 1 < s_.size() && is_digit(s_[at_ + 1]))) {
            while (at_ < s_.size() && (is_name(s_[at_]) || s_[at_] == '.'))
                ++at_;
            t.name = false;
        } else {
            ++at_;
            t.name = false;
        }
        t.text = s_.substr(begin, at_ - begin);
        t.line = line_;
        t.glued = begin == before;
        t.first = first;
        return true;
    }

  private:
    /// True if a line ended.
    bool skip_space(bool& spliced) {
        bool ended = false;
        while (at_ < s_.size()) {
            const char c = s_[at_];
            if (c == ' ') {
                ++at_;
                continue;
            }
            if (!is_kind(c, kSkipped)) break;
            const char d = at_ + 1 < s_.size() ? s_[at_ + 1] : '\0';
            if (c == '\n' || c == '\r') {
                if (!(c == '\r' && d == '\n')) ++line_;
                ended = true;
                ++at_;
            } else if (c == '\t' || c == '\v' || c == '\f') {
                ++at_;
            } else if (c == '\\' && (d == '\n' || d == '\r')) {
                at_ += d == '\r' && at_ + 2 < s_.size() && s_[at_ + 2] == '\n' ? 3 : 2;
                spliced = true;
                ++line_;
            } else if (c == '/' && d == '/') {
                while (at_ < s_.size() && s_[at_] != '\n' && s_[at_] != '\r')
                    ++at_;
            } else if (c == '/' && d == '*') {
                at_ += 2;
                while (at_ < s_.size() && !(s_[at_] == '*' && at_ + 1 < s_.size() && s_[at_ + 1] == '/')) {
                    if (s_[at_] == '\n') ++line_;
                    ++at_;
                }
                at_ = std::min(at_ + 2, s_.size());
            } else {
                break;
            }
        }
        return ended;
    }

    std::string_view s_;
    size_t at_ = 0;
    uint32_t line_ = 1;
    bool fresh_ = true;
};

}  // namespace terrazzo::shaders::glsl
