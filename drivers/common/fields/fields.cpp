// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/fields/fields.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace terrazzo::fields {

namespace {

[[gnu::format(printf, 3, 4)]] void print_line(Sink& sink, unsigned indent, const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        sink.line(indent, {text, size_t(length) < sizeof text ? size_t(length) : sizeof text - 1});
}

}  // namespace

void StringSink::line(unsigned indent, std::string_view line_text) {
    text.append(size_t(indent) * 2, ' ');
    text += line_text;
    text += '\n';
}

void Printer::number(const char* name, uint64_t value) {
    print_line(sink, indent, "%s: %" PRIu64, name, value);
}

void Printer::integer(const char* name, int64_t value) {
    print_line(sink, indent, "%s: %" PRId64, name, value);
}

void Printer::hex(const char* name, uint64_t value) {
    print_line(sink, indent, "%s: 0x%" PRIx64, name, value);
}

void Printer::flag(const char* name, bool value) {
    print_line(sink, indent, "%s: %s", name, value ? "true" : "false");
}

void Printer::real(const char* name, float value) {
    print_line(sink, indent, "%s: %g", name, double(value));
}

void Printer::bits(const char* name, uint32_t value) {
    print_line(sink, indent, "%s: 0x%08x (%g)", name, value, double(get_float(value)));
}

void Printer::enumerator(const char* name, const char* text, uint64_t value) {
    if (text)
        print_line(sink, indent, "%s: %s", name, text);
    else
        print_line(sink, indent, "%s: unknown (%" PRIu64 ")", name, value);
}

void Printer::reg(const char* name, char kind, uint64_t value) {
    print_line(sink, indent, "%s: %c%" PRIu64, name, kind, value);
}

void Printer::open(const char* name) {
    print_line(sink, indent, "%s:", name);
}

void append_hex(std::string* out, uint64_t value, bool upper) {
    char text[17];
    std::snprintf(text, sizeof text, upper ? "%" PRIX64 : "%" PRIx64, value);
    *out += text;
}

void append_registers(std::string* out, uint32_t first, uint32_t mask) {
    const char* separator = "r";
    for (uint32_t n = 0; n < 32; ++n)
        if (mask >> n & 1) (*out += std::exchange(separator, ":r")) += std::to_string(first + n);
    if (!mask) *out += '_';
}

std::string ReservedBits::joined() const {
    StringSink lines;
    print(lines, 0);
    std::replace(lines.text.begin(), lines.text.end(), '\n', ';');
    if (!lines.text.empty()) lines.text.pop_back();
    return lines.text;
}

void ReservedBits::print(Sink& sink, unsigned indent) const {
    for (unsigned i = 0; i < count && i < kMax; ++i) {
        const Finding& f = finding[i];
        if (f.field)
            print_line(sink, indent, "%s has no value %" PRIu64, f.field, f.value);
        else
            print_line(sink, indent, "reserved bits 0x%" PRIx64 " of word %u", f.value, f.word);
    }
    if (count > kMax) print_line(sink, indent, "and %u more", count - kMax);
}

void refuse(const char* field, const char* rule) {
    std::fprintf(stderr, "terrazzo: %s cannot be packed: %s\n", field, rule);
    std::abort();
}

}  // namespace terrazzo::fields
