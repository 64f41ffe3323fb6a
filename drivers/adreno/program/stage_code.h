// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of a stage, from the compiler or the shader cache (drivers/common/program/stage_code.h). The key
// is a hash of the IR and the options; the cache adds the build.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "drivers/common/program/stage_code.h"

namespace terrazzo::adreno {

struct CompiledStage {
    compiler::Binary binary;
    uint32_t uniform_dw = 0;                          // of the default block
    uint32_t cube_textures = 0, volume_textures = 0;  // a bit for each slot
    std::string error;                                // not empty: the compiler refused the stage

    // --- required by programs::get_stage_code()
    [[nodiscard]] static shaders::CacheKey key(const ir::ContentHash& hash,
                                               const compiler::Options& options = {});
    [[nodiscard]] static CompiledStage compile(const ir::Shader& s, const compiler::Options& options = {});
    void write(ir::BinaryWriter* out) const;
    [[nodiscard]] bool read(ir::BinaryReader* in);
};

}  // namespace terrazzo::adreno
