// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/isa/line.h"

#include <cctype>
#include <cstdarg>
#include <cstdio>

#include "drivers/common/isa/text.h"

namespace terrazzo::isa {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
bool is_name_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text[0]))
        text.remove_prefix(1);
    return text;
}

}  // namespace

std::string_view Line::rest() {
    return rest_ = without_blanks(rest_);
}

bool Line::fail(const char* format, ...) {
    if (!ok_ || !parses()) return false;
    ok_ = false;
    if (!error_) return false;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(error_->reason, sizeof error_->reason, format, arguments);
    va_end(arguments);
    return false;
}

/// Removes `text` from the front of what is left. False: something else is there, and nothing was removed.
bool Line::take(std::string_view text) {
    if (!ok_) return false;
    std::string_view rest = without_blanks(rest_);
    for (const char c : text) {
        if (is_blank(c)) {
            rest = without_blanks(rest);
            continue;
        }
        if (rest.empty() || rest[0] != c) return false;
        rest.remove_prefix(1);
    }
    rest_ = rest;
    return true;
}

bool Line::is(std::string_view text, bool present) {
    if (parses()) return take(text);
    if (present) *out_ += text;
    return present;
}

bool Line::at_name_end(size_t at) const {
    return at >= rest_.size() || !is_name_part(rest_[at]);
}

bool Line::is_name(std::string_view text, bool present) {
    const std::string_view before = rest_;
    if (!is(text, present)) return false;
    if (!parses() || !is_name_part(text.back()) || at_name_end(0)) return true;
    rest_ = before;
    return false;
}

bool Line::is_before_number(std::string_view text, bool present) {
    const std::string_view before = rest_;
    if (!is(text, present)) return false;
    if (!parses() || (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9')) return true;
    rest_ = before;
    return false;
}

void Line::literal(std::string_view text) {
    if (!parses()) {
        *out_ += text;
        return;
    }
    // Names are compared as a whole, other characters one by one.
    for (size_t end = 1; ok_ && !(text = without_blanks(text)).empty(); text.remove_prefix(end), end = 1) {
        while (is_name_part(text[0]) && end < text.size() && (is_name_part(text[end]) || text[end] == '.'))
            end++;
        if (!take(text.substr(0, end)))
            fail("'%.*s' where '%.*s' belongs", TERRAZZO_ISA_SHOWN(rest()), int(end), text.data());
    }
}

void Line::end(const char* name) {
    if (!rest().empty()) fail("%s: '%.*s' is too much", name, TERRAZZO_ISA_SHOWN(rest_));
}

std::string_view Line::until(char end) {
    if (!parses()) {
        *out_ += end;
        return {};
    }
    size_t at = 0;
    for (int depth = 0; at < rest_.size() && (depth || rest_[at] != end); at++)
        depth += rest_[at] == '(' ? 1 : rest_[at] == ')' ? -1 : 0;
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at);
    literal({&end, 1});
    return text;
}

int64_t Line::parse_number(int64_t least, int64_t most) {
    if (!ok_) return 0;
    (void)rest();
    if (rest_.starts_with('+')) rest_.remove_prefix(1);
    size_t end = rest_.starts_with('-');
    const bool hexadecimal = rest_.substr(end).starts_with("0x");
    end += hexadecimal ? 2 : 0;
    const auto is_digit = [&](unsigned char c) { return hexadecimal ? std::isxdigit(c) : std::isdigit(c); };
    while (end < rest_.size() && is_digit(static_cast<unsigned char>(rest_[end])))
        end++;
    int64_t value = 0;
    ok_ = isa::parse_number(rest_.substr(0, end), least, most, &value, error_);
    if (ok_) rest_.remove_prefix(end);
    return value;
}

void Line::print_number(int64_t value, Radix radix) {
    append(out_,
           radix == Radix::Decimal    ? "%lld"
           : radix == Radix::LowerHex ? "0x%llx"
                                      : "0x%llX",
           static_cast<long long>(value));
}

bool Line::signed_number(int32_t& value, bool present) {
    if (!parses()) {
        if (present) append(out_, "%+d", value);
        return present;
    }
    if (!ok_ || !(rest().starts_with('+') || rest_.starts_with('-'))) return false;
    value = int32_t(parse_number(INT32_MIN, INT32_MAX));
    return true;
}

void Line::letter(std::string_view letters, const char* what, unsigned& value) {
    if (!parses()) {
        *out_ += letters[value];
        return;
    }
    const size_t at = rest_.empty() ? std::string_view::npos : letters.find(rest_[0]);
    if (at == std::string_view::npos) {
        fail("'%.*s' is no %s", TERRAZZO_ISA_SHOWN(rest_), what);
        return;
    }
    rest_.remove_prefix(1);
    value = unsigned(at);
}

bool Line::find_named(std::string_view prefix, const Enumeration& values, bool whole, int& value) {
    if (!parses()) {
        if (values.is_default(uint64_t(value))) return false;
        (*out_ += prefix) += values.has(uint64_t(value)) ? values.name(uint64_t(value)) : "reserved";
        return true;
    }
    const std::string_view before = rest();
    if (!take(prefix)) return false;
    size_t longest = 0;
    for (unsigned v = 0; v < Enumeration::kMaxValues; v++) {
        const std::string_view name = values.has(v) ? values.name(v) : "";
        if (values.is_default(v) && (!whole || name == "none")) continue;
        if (name.size() <= longest || !rest_.starts_with(name) || (whole && !at_name_end(name.size())))
            continue;
        longest = name.size();
        value = int(v);
    }
    if (longest)
        rest_.remove_prefix(longest);
    else
        rest_ = before;
    return longest;
}

void Line::refuse_name(const char* what) {
    fail("'%.*s' is no %s", TERRAZZO_ISA_SHOWN(rest_), what);
}

}  // namespace terrazzo::isa
