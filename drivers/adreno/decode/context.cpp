// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/decode/context.h"

#include <cstdarg>
#include <cstdio>

namespace terrazzo::adreno::decode {

void Context::problem(unsigned indent, const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ++statistics.problems;
    line(indent, std::string("! ") + text);
}

void Context::print_joined(unsigned indent, const std::string& label, OneLine& fields) {
    statistics.problems += fields.take_problems();
    line(indent, label + fields.take());
}

namespace {

bool take_end(std::string_view* text, std::string_view end) {
    if (!text->ends_with(end)) return false;
    text->remove_suffix(end.size());
    return true;
}

}  // namespace

void OneLine::line(unsigned, std::string_view text) {
    if (text.ends_with(':') || take_end(&text, ": false")) return;
    if (text_.empty() && value_.empty() && text.starts_with("value: ")) {
        value_ = text.substr(7);
        return;
    }
    const bool flag = take_end(&text, ": true");
    // Findings are sentences; fields have colons.
    const bool finding = !flag && text.find(": ") == std::string_view::npos;
    if (!finding && !value_.empty()) text_ = "value: " + std::exchange(value_, {});  // one of several fields
    if (!text_.empty()) text_ += " | ";
    if (finding) text_ += "! ";
    problems_ += finding;
    text_ += text;
}

std::string OneLine::take() {
    std::string out = std::exchange(value_, {});
    if (!text_.empty()) out += (out.empty() ? "{ " : " { ") + text_ + " }";
    text_.clear();
    return out.empty() ? "{ }" : out;
}

}  // namespace terrazzo::adreno::decode
