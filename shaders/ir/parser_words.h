// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to parse*.cpp: numbers and enumerators.
#pragma once

#include <charconv>

#include "shaders/ir/names.h"
#include "shaders/ir/parser.h"

namespace terrazzo::ir {

template <typename T>
T Parser::number(std::string_view s, T max) {
    if (failed()) return 0;
    int base = 10;
    if (s.starts_with("0x")) {
        base = 16;
        s.remove_prefix(2);
    }
    T v = 0;
    const auto r = std::from_chars(s.data(), s.data() + s.size(), v, base);
    if (s.empty() || r.ec != std::errc() || r.ptr != s.data() + s.size() || v > max) {
        fail("'" + std::string(s.substr(0, 40)) + "' is no number that fits here");
        return 0;
    }
    return v;
}

template <typename E>
bool Parser::accept_name(E& e) {
    if (failed() || lex_.kind != Lexer::Kind::Word) return false;
    const auto found = from_name<E>(lex_.text);
    if (!found) return false;
    e = *found;
    lex_.next();
    return true;
}

template <typename E>
E Parser::name() {
    E e{};
    if (!accept_name(e)) fail("unknown word");
    return e;
}

}  // namespace terrazzo::ir
