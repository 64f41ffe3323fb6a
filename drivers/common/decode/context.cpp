// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/context.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace terrazzo::decode {

namespace {

constexpr size_t kMaxStores = 1 << 16;

}  // namespace

bool Context::read(uint64_t va, void* dst, size_t size_B) const {
    if (!memory_.read(va, dst, size_B)) return false;
    if (stores_.empty() || size_B == 0) return true;
    // Stores are whole dwords; a read may begin or end inside one.
    for (auto i = stores_.lower_bound(va / 4); i != stores_.end() && i->first * 4 < va + size_B; ++i) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            const uint64_t at = i->first * 4 + byte;
            if (at >= va && at - va < size_B)
                static_cast<uint8_t*>(dst)[at - va] = uint8_t(i->second >> 8 * byte);
        }
    }
    return true;
}

bool Context::store(uint64_t va, uint32_t value) {
    uint32_t old;
    if (!memory_.read(va, &old, sizeof old) || va % 4) return false;
    if (stores_.size() >= kMaxStores && !stores_.count(va / 4)) return false;
    stores_[va / 4] = value;
    return true;
}

bool Context::stop(unsigned indent, const char* reason) {
    print(indent, "! %s", reason);
    return false;
}

bool Context::printed_above(unsigned indent, const char* label, char kind, uint64_t va) {
    if (first_time(kind, va)) return false;
    print(indent, "%s @0x%" PRIx64 ": printed above", label, va);
    return true;
}

void Context::line(unsigned indent, std::string_view text) {
    ++lines_;
    if (lines_ <= max_lines_)
        sink_.line(indent, text);
    else if (lines_ == max_lines_ + 1)
        sink_.line(0, "! more lines than are printed");
}

void Context::print(unsigned indent, const char* format, ...) {
    if (full()) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= 0) line(indent, {text, std::strlen(text)});
}

void Context::print_findings(unsigned indent, const fields::ReservedBits& found) {
    if (!found.any()) return;
    fields::StringSink text;
    found.print(text, 0);
    std::string_view rest = text.text;
    while (!rest.empty()) {
        const size_t end = rest.find('\n');
        line(indent, "! " + std::string(rest.substr(0, end)));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
}

}  // namespace terrazzo::decode
