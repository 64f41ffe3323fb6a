// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/condition.h"

#include <charconv>
#include <limits>

#include "shaders/glsl/type.h"

namespace terrazzo::shaders::glsl {

namespace {

struct Operator {
    std::string_view text;
    int precedence;
    int64_t (*apply)(int64_t, int64_t);  // of 32-bit numbers
};
constexpr Operator kOperators[] = {
    {"||", 1, [](int64_t a, int64_t b) { return int64_t(a || b); }},
    {"&&", 2, [](int64_t a, int64_t b) { return int64_t(a && b); }},
    {"|", 3, [](int64_t a, int64_t b) { return a | b; }},
    {"^", 4, [](int64_t a, int64_t b) { return a ^ b; }},
    {"&", 5, [](int64_t a, int64_t b) { return a & b; }},
    {"==", 6, [](int64_t a, int64_t b) { return int64_t(a == b); }},
    {"!=", 6, [](int64_t a, int64_t b) { return int64_t(a != b); }},
    {"<", 7, [](int64_t a, int64_t b) { return int64_t(a < b); }},
    {">", 7, [](int64_t a, int64_t b) { return int64_t(a > b); }},
    {"<=", 7, [](int64_t a, int64_t b) { return int64_t(a <= b); }},
    {">=", 7, [](int64_t a, int64_t b) { return int64_t(a >= b); }},
    {"<<", 8, [](int64_t a, int64_t b) { return int64_t(uint64_t(a) << (b & 31)); }},
    {">>", 8, [](int64_t a, int64_t b) { return a >> (b & 31); }},
    {"+", 9, [](int64_t a, int64_t b) { return a + b; }},
    {"-", 9, [](int64_t a, int64_t b) { return a - b; }},
    {"*", 10, [](int64_t a, int64_t b) { return a * b; }},
    {"/", 10, [](int64_t a, int64_t b) { return a / b; }},
    {"%", 10, [](int64_t a, int64_t b) { return a % b; }},
};

const Operator* find(std::string_view text) {
    for (const Operator& o : kOperators)
        if (o.text == text) return &o;
    return nullptr;
}

}  // namespace

int32_t Condition::fail(std::string message) {
    if (error_.empty()) error_ = "'preprocessor evaluation' : " + std::move(message);
    return 0;
}

/// Whether ++ or -- is next, which conditions do not have.
bool Condition::is_step() const {
    return tokens_.size() > 1 && (tokens_[0].text == "+" || tokens_[0].text == "-") && tokens_[1].glued &&
           tokens_[1].text == tokens_[0].text;
}

/// The next operator, of one or two tokens; empty: there is none.
std::string_view Condition::operation() const {
    if (tokens_.empty() || is_step()) return {};
    const std::string_view one = tokens_[0].text;
    if (tokens_.size() > 1 && tokens_[1].glued && tokens_[1].text.size() == 1 && one.size() == 1) {
        const char two[] = {one[0], tokens_[1].text[0]};
        if (const Operator* const o = find({two, 2})) return o->text;
    }
    const Operator* const o = find(one);
    return o ? o->text : std::string_view();
}

int32_t Condition::number(std::string_view s) {
    const bool hex = s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    const std::string_view digits = hex ? s.substr(2) : s;
    uint64_t value = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                              hex           ? 16
                                              : s[0] == '0' ? 8
                                                            : 10);
    if (end != digits.data() + digits.size()) return fail("bad expression");
    if (wrong != std::errc() || value > std::numeric_limits<uint32_t>::max())
        return fail("integer literal too big: " + std::string(s));
    return int32_t(uint32_t(value));
}

int32_t Condition::operand(bool unused) {
    std::string signs;
    for (; !tokens_.empty() && std::string_view("+-~!").find(tokens_[0].text[0]) != std::string_view::npos;
         tokens_ = tokens_.subspan(1)) {
        if (is_step()) return fail("bad expression");
        signs += tokens_[0].text[0];
    }
    int32_t value = unsigned_operand(unused);
    for (; !signs.empty(); signs.pop_back())
        value = signs.back() == '-'   ? int32_t(0u - uint32_t(value))
                : signs.back() == '~' ? ~value
                : signs.back() == '!' ? !value
                                      : value;
    return value;
}

int32_t Condition::unsigned_operand(bool unused) {
    if (tokens_.empty() || !error_.empty()) return fail("bad expression");
    const MacroToken t = tokens_[0];
    tokens_ = tokens_.subspan(1);
    if (t.name) {
        // ESSL 3.00: an error, unless the operand is irrelevant because of a && or || before it.
        if (!unused)
            return fail("undefined macro in expression not allowed in es profile: " + std::string(t.text));
        return 0;
    }
    if (is_digit(t.text[0])) return number(t.text);
    if (t.text != "(") return fail("bad expression");
    const DepthScope depth(depth_);
    if (depth_ > kMaxConditionNesting)
        return fail("Terrazzo: brackets nested more than " + std::to_string(kMaxConditionNesting) + " deep");
    const int32_t value = expression(0, unused);
    if (!error_.empty()) return 0;
    if (tokens_.empty() || tokens_[0].text != ")") return fail("expected ')'");
    tokens_ = tokens_.subspan(1);
    return value;
}

/// An expression of operators with higher precedence than `above`.
int32_t Condition::expression(int above, bool unused) {
    int32_t left = operand(unused);
    while (error_.empty()) {
        const std::string_view text = operation();
        const Operator* const o = find(text);
        if (!o || o->precedence <= above) break;
        // As in glslang, the rest of this expression is then unused, too.
        unused |= (text == "||" && left) || (text == "&&" && !left);
        tokens_ = tokens_.subspan(text.size());
        const int32_t right = expression(o->precedence, unused);
        if (!error_.empty()) return 0;
        const bool divides = text == "/" || text == "%";
        if (divides && right == 0 && !unused) return fail("division by 0");
        left = divides && right == 0 ? 0 : int32_t(uint32_t(uint64_t(o->apply(left, right))));
    }
    return left;
}

int32_t Condition::evaluate() {
    return expression(0, false);
}

}  // namespace terrazzo::shaders::glsl
