// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/debug/enum_name.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace terrazzo::st {
namespace {

constexpr std::string_view kConversion = "0x%04x";
// Mark the digits of an enum in the printed text. If a name that a program chose has these characters,
// messages lose them.
constexpr std::string_view kBegin = "\1", kEnd = "\2";
constexpr size_t kFormat_B = 512, kPrinted_B = 1024;

/// Text in a buffer, always terminated by a zero.
class Text {
  public:
    explicit Text(std::span<char> buffer) : buffer_(buffer) { buffer_[0] = 0; }
    Text& add(std::string_view more) {
        const size_t n = std::min(more.size(), buffer_.size() - 1 - size_);
        complete_ &= n == more.size();
        std::memcpy(buffer_.data() + size_, more.data(), n);
        buffer_[size_ += n] = 0;
        return *this;
    }
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] std::string_view view() const { return {buffer_.data(), size_}; }

  private:
    std::span<char> buffer_;
    size_t size_ = 0;
    bool complete_ = true;
};

void add_enum(std::string_view digits, Text& out) {
    uint32_t value = 0;
    if (digits.starts_with("0x"))
        (void)std::from_chars(digits.data() + 2, digits.data() + digits.size(), value, 16);
    const std::string_view name = enum_name(value);
    out.add(name.empty() ? digits : name);
}

}  // namespace

std::string_view name_at(const uint16_t* values, unsigned count, const char* names, uint32_t value) {
    const uint16_t* const end = values + count;
    const uint16_t* const found = std::lower_bound(values, end, value);
    if (found == end || *found != value) return {};
    for (const uint16_t* v = values; v != found; ++v)
        names += std::strlen(names) + 1;
    return names;
}

std::string_view enum_name(uint32_t value) {
    return name_at(kEnumValues, kEnumCount, kEnumNames, value);
}

std::string_view print_with_names(std::span<char> out, const char* format, va_list args) {
    char marked_text[kFormat_B], printed_text[kPrinted_B];
    Text marked(marked_text);
    std::string_view rest = format;
    for (size_t at; (at = rest.find(kConversion)) != rest.npos;) {
        marked.add(rest.substr(0, at)).add(kBegin).add(kConversion).add(kEnd);
        rest.remove_prefix(at + kConversion.size());
    }
    marked.add(rest);
    // A marked format that did not fit may have lost a part of a conversion. Then the unmarked format is
    // printed.
    const char* const whole = marked.complete() ? marked_text : format;
    const int n = std::vsnprintf(printed_text, sizeof printed_text, whole, args);
    std::string_view printed(printed_text, n < 0 ? 0 : std::min(size_t(n), sizeof printed_text - 1));
    Text text(out);
    for (size_t begin; (begin = printed.find(kBegin)) != printed.npos;) {
        text.add(printed.substr(0, begin));
        printed.remove_prefix(begin + 1);
        const size_t end = std::min(printed.find(kEnd), printed.size());
        add_enum(printed.substr(0, end), text);
        printed.remove_prefix(std::min(end + 1, printed.size()));
    }
    return text.add(printed).view();
}

}  // namespace terrazzo::st
