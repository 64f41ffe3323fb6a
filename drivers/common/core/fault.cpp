// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text of a fault.
#include "drivers/common/core/fault.h"

#include <cstdio>

namespace terrazzo::core {

std::string hex(uint64_t v) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(v));
    return text;
}

std::string to_string(const CoreFault& f, uint64_t shader_va) {
    std::string s = "shader " + hex(shader_va) + "+" + hex(f.pc - shader_va) + ", lane " +
                    std::to_string(f.lane) + ": " + f.reason;
    if (!f.instruction.empty()) s += " (" + f.instruction + ")";
    return s;
}

}  // namespace terrazzo::core
