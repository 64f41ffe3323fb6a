// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/stage_code.h"

#include <cstdio>
#include <cstring>

#include "drivers/adreno/compiler/stored.h"
#include "drivers/adreno/isa/isa.h"
#include "drivers/common/program/code.h"

namespace terrazzo::adreno {

void CompiledStage::write(ir::BinaryWriter* out) const {
    out->field(kinds.cubes), out->field(kinds.volumes);
    compiler::write_binary(binary, out);
}

bool CompiledStage::read(ir::BinaryReader* in) {
    in->field(kinds.cubes), in->field(kinds.volumes);
    return compiler::read_binary(in, &binary);
}

shaders::CacheKey CompiledStage::key(const ir::ContentHash& hash, const compiler::Options& options) {
    const blend::AdvancedDesc& blending = options.advanced_blend;
    const uint8_t chosen[] = {uint8_t(options.variant),
                              uint8_t(options.halves),
                              uint8_t(options.max_registers),
                              uint8_t(options.register_file_vec4),
                              uint8_t(options.sample_shading),
                              uint8_t(blending.equation),
                              uint8_t(blending.range),
                              blending.coverage_samples,
                              uint8_t(options.next.stage),
                              uint8_t(options.next.vertices),
                              uint8_t(options.domain),
                              uint8_t(options.tess_use_shared),
                              uint8_t(options.max_constants_dw >> 8),
                              uint8_t(options.max_constants_dw)};
    uint8_t slots[sizeof options.next.slots];
    std::memcpy(slots, &options.next.slots, sizeof slots);
    return programs::key_of("adreno a6xx", {chosen, slots}, hash);
}

CompiledStage CompiledStage::compile(const ir::Shader& s, const compiler::Options& options) {
    CompiledStage code;
    code.binary = compiler::compile(s, options);
    code.error = code.binary.error;
    code.kinds = programs::texture_kinds(s);
    return code;
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
