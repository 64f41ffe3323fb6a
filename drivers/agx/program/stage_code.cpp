// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/program/stage_code.h"

#include "drivers/common/program/code.h"

namespace terrazzo::agx {

std::string code_text(const compiler::Binary& binary) {
    const compiler::Info& info = binary.info;
    return programs::statistics_text(info.statistics, info.registers, info.uniforms.size()) + ", " +
           std::to_string(info.statistics.bytes) + " bytes\n" +
           isa::disassemble(std::span<const isa::Unit>(binary.code));
}

}  // namespace terrazzo::agx
