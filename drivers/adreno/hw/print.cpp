// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/hw/print.h"

#include <cstdio>
#include <string>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::hw {

namespace {

constexpr uint64_t kNoRegister = 63 << 2;

}  // namespace

void print_regid(fields::Printer& p, const char* name, uint64_t regid) {
    const std::string text =
        regid == kNoRegister ? "none" : 'r' + std::to_string(regid >> 2) + '.' + "xyzw"[regid & 3];
    p.sink.line(p.indent, std::string(name) + ": " + text);
}

void print_register(fields::Printer& p, const char* name, uint64_t number) {
    const std::string known = number <= 0xffff ? register_name(uint16_t(number)) : std::string();
    if (known.empty() || known[0] == '0') return p.hex(name, number);
    char hex[24];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(number));
    p.sink.line(p.indent, std::string(name) + ": " + hex + " (" + known + ')');
}

}  // namespace terrazzo::adreno::hw
