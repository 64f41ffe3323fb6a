// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/print_code.h"

#include <cstdio>

#include "drivers/common/program/code.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali {

std::string code_text(const compiler::Binary& binary) {
    const compiler::Statistics& s = binary.info.statistics;
    char line[256];
    std::snprintf(
        line, sizeof line,
        "%u instructions in %u blocks, %u registers, %u words spilled, %zu uniform words, fma %u, cvt %u, "
        "sfu %u, v %u, t %u, ls %u\n",
        s.instructions, s.blocks, binary.info.work_registers, s.spilled_words, binary.info.fau.size(), s.fma,
        s.cvt, s.sfu, s.v, s.t, s.ls);
    const auto print = [](uint64_t word) {
        isa::Instr instr;
        isa::Error error;
        if (!isa::decode(word, &instr, &error)) return std::string("! ") + error.reason;
        std::string text;
        isa::print(instr, &text);
        return text;
    };
    return programs::code_text(line, binary.code, sizeof binary.code[0], print);
}

void print_code(const Device& device, const std::string& name, const compiler::Binary& binary) {
    if (device.debug.has(pipe::DebugWord::Shaders))
        pipe::debug_print(pipe::DebugWord::Shaders, name + code_text(binary));
}

}  // namespace terrazzo::mali
