// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of a stage, from the compiler or the shader cache (drivers/common/program/stage_code.h). The key
// is a hash of the IR and the options; the cache adds the build.
#pragma once

#include <string>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/common/program/stage_code.h"
#include "drivers/common/program/stages.h"

namespace terrazzo::adreno {

struct CompiledStage : programs::StageHead {
    compiler::Binary binary;
    programs::TextureKinds kinds;

    // --- required by programs::get_stage_code()
    [[nodiscard]] static shaders::CacheKey key(const ir::ContentHash& hash,
                                               const compiler::Options& options = {});
    [[nodiscard]] static CompiledStage compile(const ir::Shader& s, const compiler::Options& options = {});
    void write(ir::BinaryWriter* out) const;
    [[nodiscard]] bool read(ir::BinaryReader* in);
};

/// For TERRAZZO_DEBUG=shaders: a line of statistics, then a line with a number for each instruction.
std::string code_text(const compiler::Binary& binary);

}  // namespace terrazzo::adreno
