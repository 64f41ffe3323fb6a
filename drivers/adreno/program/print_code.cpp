// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/print_code.h"

#include <cstdio>

#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno {

std::string code_text(const compiler::Binary& binary) {
    const compiler::Statistics& s = binary.info.statistics;
    char line[256];
    std::snprintf(line, sizeof line,
                  "%u instructions (%u nops), %u in the preamble, %u blocks, %u registers of four words, %u "
                  "words spilled, %u (ss), %u (sy)\n",
                  s.instructions, s.nops, s.preamble, s.blocks, unsigned(binary.info.full_registers),
                  s.spilled_words, s.ss, s.sy);
    std::string out = line;
    // Zeros behind the end are nops that the chip may fetch.
    size_t count = binary.code.size();
    while (count && !binary.code[count - 1])
        --count;
    for (size_t i = 0; i < count; ++i) {
        std::snprintf(line, sizeof line, "  %04zx  ", i);
        out += line + isa::disassemble({&binary.code[i], 1});
        if (out.back() != '\n') out += '\n';
    }
    return out;
}

}  // namespace terrazzo::adreno
