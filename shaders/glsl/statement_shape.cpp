// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/statement_shape.h"

#include <algorithm>

namespace terrazzo::shaders::glsl {

namespace {
bool one_of(char c, std::string_view set) {
    return set.find(c) != set.npos;
}
}  // namespace

/// Whether the bracket after the last token contains the arguments of a call. After a keyword or nothing, its
/// commas are operators.
bool StatementShape::opens_list() const {
    if (last_.empty() || !(is_name(last_[0]) || last_ == "]")) return false;
    for (const std::string_view keyword : {"if", "for", "while", "switch", "return"})
        if (last_ == keyword) return false;
    return true;
}

std::string StatementShape::token(const Token& t) {
    if (t.name) {
        run_ = 0;
        last_ = t.text;
        return {};
    }
    const char c = t.text[0];
    if (one_of(c, "([{")) {
        levels_.emplace_back();
        levels_.back().list = c == '{' || opens_list();
        if (levels_.size() > kMaxNesting + 1)
            return "brackets nested more than " + std::to_string(kMaxNesting) + " deep";
    } else if (one_of(c, ")]}")) {
        const unsigned inside = levels_.back().depth();
        if (levels_.size() > 1) levels_.pop_back();
        Level& l = levels_.back();
        if (c == '}')
            l = {l.list};
        else
            l.deepest = std::max(l.deepest, inside + 1);
    } else if (c == ';') {
        levels_.back() = {levels_.back().list};
    } else if (c == ',' && levels_.back().list) {
        Level& l = levels_.back();
        l = {l.list, 0, 0, l.depth()};
    } else if (one_of(c, "+-*/%<>=!&|^~?:.,") && t.text.size() == 1) {
        ++levels_.back().operators;
    }
    run_ = one_of(c, "+-!~") ? run_ + 1 : 0;
    last_ = t.text;
    if (run_ > kMaxOperatorRun) return "more than " + std::to_string(kMaxOperatorRun) + " signs in a row";
    if (levels_.back().depth() > kMaxOperators)
        return "an expression of more than " + std::to_string(kMaxOperators) + " operators in a row";
    return {};
}

}  // namespace terrazzo::shaders::glsl
