// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/text_rules.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace terrazzo::shaders::glsl {
namespace {

bool may_be_float(std::string_view s) {
    if (!is_digit(s[0]) && s[0] != '.') return false;
    const bool hex = s.size() > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    return !hex && s.find_first_of(".eE") != std::string_view::npos;
}

/// For a number beyond a double's range: whether it is too large (otherwise it is too small).
bool is_huge(std::string_view s) {
    const size_t e = s.find_first_of("eE");
    if (e == std::string_view::npos) return s[0] != '0' && s[0] != '.';
    return e + 1 < s.size() && s[e + 1] != '-';
}

}  // namespace

const char* TextRules::token(const Token& t, unsigned nesting, int version) {
    sized_ |= t.text.substr(0, 11) == "local_size_";
    number(t);
    if (stage_ == ir::Stage::Compute && !sized_ && t.text == "gl_WorkGroupSize")
        return "'gl_WorkGroupSize' : the size of a workgroup must be declared before (ESSL 3.10 section "
               "7.1.3)";
    return member(t, nesting, version);
}

/// ESSL 3.20 section 4.1.8: members may only have precision qualifiers. glslang refuses all others except
/// this one.
const char* TextRules::member(const Token& t, unsigned nesting, int version) {
    if (t.text == "struct") struct_ = true;
    if (t.text == "{" && struct_ && !members_) members_ = nesting + 1;
    if (t.text == "{" || t.text == ";" || t.text == "(") struct_ = false;
    if (t.text == "}" && nesting <= members_) members_ = 0;
    return members_ && version >= 310 && t.text == "precise"
               ? "'precise' : not allowed on members of structures"
               : nullptr;
}

void TextRules::number(const Token& t) {
    if (!number_.empty()) {
        const bool goes_on = t.glued && (t.text == "+" || t.text == "-" || is_digit(t.text[0]));
        const std::string_view before = number_;
        number_ = {};
        if (!goes_on) return;  // the parser refuses it
        const std::string_view all(before.data(), before.size() + t.text.size());
        if (!is_digit(t.text[0]))
            number_ = all;
        else
            end_number(all);
        return;
    }
    if (!may_be_float(t.text)) return;
    if (t.text.back() == 'e' || t.text.back() == 'E')
        number_ = t.text;
    else
        end_number(t.text);
}

/// ESSL 3.00 section 4.1.4: a literal that no float can represent or approximate becomes infinity or zero.
void TextRules::end_number(std::string_view literal) {
    double value = 0;
    // std::from_chars accepts a + in exponents and stops before a suffix.
    const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
    if (error == std::errc::invalid_argument) return;
    const bool beyond = error == std::errc::result_out_of_range;
    const bool huge = beyond ? is_huge(literal) : std::isinf(float(value));
    const bool tiny = beyond ? !huge : value != 0 && float(value) == 0;
    // glslang reads numbers beyond a double's range as infinity.
    if (huge) edits_.replace(literal, "1.0e999");
    if (tiny) edits_.replace(literal, "0.0");
}

}  // namespace terrazzo::shaders::glsl
