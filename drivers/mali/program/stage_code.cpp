// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/stage_code.h"

#include "drivers/mali/compiler/stored.h"

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

shaders::CacheKey StageCode::key(const ir::ContentHash& hash, const compiler::Options& options) {
    const uint8_t chosen[] = {uint8_t(options.halves), uint8_t(options.per_sample),
                              uint8_t(options.at_samples)};
    return programs::key_of("mali v10", {chosen}, hash);
}

StageCode StageCode::compile(const ir::Shader& s, const compiler::Options& options) {
    StageCode code;
    const auto add = [&](unsigned part, compiler::Binary&& b) {
        if (code.error.empty()) code.error = b.error;
        code.parts[part] = std::move(b);
    };
    if (s.stage != ir::Stage::Vertex) {
        add(kOnlyCode,
            compiler::compile(s, s.stage == ir::Stage::Fragment ? Part::Fragment : Part::Compute, options));
        return code;
    }
    compiler::VertexBinaries all = compiler::compile_vertex(s);
    add(kPositionCode, std::move(all.position));
    add(kVaryingCode, std::move(all.varying));
    add(kNoPointSizeCode, std::move(all.no_point_size));
    return code;
}

}  // namespace terrazzo::mali
