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

}  // namespace terrazzo::adreno::decode
