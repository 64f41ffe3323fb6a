// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/stage_code.h"

#include <cstdio>

#include "drivers/common/program/code.h"
#include "drivers/mali/compiler/stored.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali {

using compiler::Part;

void StageCode::write(ir::BinaryWriter* out) const {
    for (const compiler::Binary& b : parts) {
        out->field(!b.code.empty());
        if (!b.code.empty()) compiler::write_binary(b, out);
    }
}

bool StageCode::read(ir::BinaryReader* in) {
    for (compiler::Binary& b : parts) {
        bool present = false;
        in->field(present);
        if (present && !compiler::read_binary(in, &b)) return false;
    }
    return !parts[0].code.empty();
}

void StageCode::make(const ir::Shader& s, const compiler::Options& options) {
    const auto add = [&](unsigned part, compiler::Binary&& b) {
        if (error.empty()) error = b.error;
        parts[part] = std::move(b);
    };
    if (s.stage != ir::Stage::Vertex) {
        add(kOnlyCode,
            compiler::compile(s, s.stage == ir::Stage::Fragment ? Part::Fragment : Part::Compute, options));
        return;
    }
    compiler::VertexBinaries all = compiler::compile_vertex(s);
    add(kPositionCode, std::move(all.position));
    add(kVaryingCode, std::move(all.varying));
    add(kNoPointSizeCode, std::move(all.no_point_size));
}

std::string code_text(const compiler::Binary& binary) {
    const compiler::Statistics& s = binary.info.statistics;
    char units[128];
    std::snprintf(units, sizeof units, ", fma %u, cvt %u, sfu %u, v %u, t %u, ls %u\n", s.fma, s.cvt, s.sfu,
                  s.v, s.t, s.ls);
    const auto print = [](uint64_t word) {
        isa::Instr instr;
        isa::Error error;
        if (!isa::decode(word, &instr, &error)) return std::string("! ") + error.reason;
        std::string text;
        isa::print(instr, &text);
        return text;
    };
    return programs::code_text(
        programs::statistics_text(s, binary.info.work_registers, binary.info.fau.size()) + units, binary.code,
        sizeof binary.code[0], print);
}

void print_code(const Device& device, const std::string& name, const compiler::Binary& binary) {
    if (device.debug.has(pipe::DebugWord::Shaders))
        pipe::debug_print(pipe::DebugWord::Shaders, name + code_text(binary));
}

}  // namespace terrazzo::mali
