// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Pieces of assembly text.
#include "drivers/common/isa/text.h"

#include <charconv>
#include <cstdarg>
#include <cstdio>

namespace terrazzo::isa {

bool refuse(Error* error, const char* format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(error->reason, sizeof(error->reason), format, arguments);
        va_end(arguments);
    }
    return false;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool next_part(std::string_view* rest, char separator, std::string_view* part) {
    if (!rest->data()) return false;
    const size_t end = rest->find(separator);
    *part = trimmed(rest->substr(0, end));
    *rest = end == std::string_view::npos ? std::string_view() : rest->substr(end + 1);
    return true;
}

bool parse_number(std::string_view text, int64_t minimum, int64_t maximum, int64_t* out, Error* error) {
    std::string_view digits = text;
    const bool negative = digits.starts_with('-');
    digits.remove_prefix(negative);
    int base = 10;
    if (digits.starts_with("0x") || digits.starts_with("0X")) {
        base = 16;
        digits.remove_prefix(2);
    }
    uint64_t magnitude = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
    if (digits.empty() || problem == std::errc::invalid_argument || end != digits.data() + digits.size())
        return refuse(error, "'%.*s' is not a number", int(text.size()), text.data());
    const bool huge = problem == std::errc::result_out_of_range || magnitude > uint64_t(INT64_MAX);
    const int64_t value = negative ? -int64_t(magnitude) : int64_t(magnitude);
    if (huge || value < minimum || value > maximum)
        return refuse(error, "%.*s is outside %lld..%lld", int(text.size()), text.data(), (long long)minimum,
                      (long long)maximum);
    *out = value;
    return true;
}

void append(std::string* out, const char* format, ...) {
    char text[96];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    *out += text;
}

}  // namespace terrazzo::isa
