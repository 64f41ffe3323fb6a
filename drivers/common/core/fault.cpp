// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text of a fault.
#include "drivers/common/core/fault.h"

#include "drivers/common/host/text.h"

namespace terrazzo::core {

std::string to_string(const CoreFault& f, uint64_t shader_va) {
    std::string s = "shader " + host::hex_text(shader_va) + "+" + host::hex_text(f.pc - shader_va) +
                    ", lane " + std::to_string(f.lane) + ": " + f.reason;
    if (!f.instruction.empty()) s += " (" + f.instruction + ")";
    return s;
}

}  // namespace terrazzo::core
