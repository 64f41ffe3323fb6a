// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/print_code.h"

#include <cstdio>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/program/code.h"

namespace terrazzo::adreno {

std::string code_text(const compiler::Binary& binary) {
    const compiler::Statistics& s = binary.info.statistics;
    char line[256];
    std::snprintf(line, sizeof line,
                  "%u instructions (%u nops), %u in the preamble, %u blocks, %u registers of four words, %u "
                  "words spilled, %u (ss), %u (sy)\n",
                  s.instructions, s.nops, s.preamble, s.blocks, unsigned(binary.info.full_registers),
                  s.spilled_words, s.ss, s.sy);
    return programs::code_text(line, binary.code, 1, [](uint64_t word) {
        return isa::disassemble({&word, 1});
    });
}

}  // namespace terrazzo::adreno
