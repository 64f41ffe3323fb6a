// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/stage_code.h"

#include <cstdio>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/program/code.h"

namespace terrazzo::adreno {

void CompiledStage::make(const ir::Shader& s, const Options& options) {
    BinaryCode::make(s, options);
    kinds = programs::texture_kinds(s);
}

void CompiledStage::write(ir::BinaryWriter* out) const {
    out->field(kinds.cubes), out->field(kinds.volumes);
    BinaryCode::write(out);
}

bool CompiledStage::read(ir::BinaryReader* in) {
    in->field(kinds.cubes), in->field(kinds.volumes);
    return BinaryCode::read(in);
}

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
