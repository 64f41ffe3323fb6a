// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/print_code.h"

#include <cstdio>

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
    std::string out = line;
    size_t count = binary.code.size();
    while (count && !binary.code[count - 1])
        --count;
    for (size_t i = 0; i < count; ++i) {
        isa::Instr instr;
        isa::Error error;
        std::string text;
        if (isa::decode(binary.code[i], &instr, &error))
            isa::print(instr, &text);
        else
            text = std::string("! ") + error.reason;
        std::snprintf(line, sizeof line, "  %04zx  ", 8 * i);
        out += line + text + "\n";
    }
    return out;
}

void print_code(const Device& device, const std::string& name, const compiler::Binary& binary) {
    if (device.debug.has(pipe::DebugWord::Shaders))
        pipe::debug_print(pipe::DebugWord::Shaders, name + ": " + code_text(binary));
}

}  // namespace terrazzo::mali
