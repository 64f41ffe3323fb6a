// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A stage's code as the compiler makes it or the shader cache has it. The key is the IR's content and the options (the cache adds the build).
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "pipe/state.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"

namespace terrazzo::adreno {

struct CompiledStage {
    compiler::Binary binary;                          // with an error: refused
    uint32_t uniform_dw = 0;                          // of the default block
    uint32_t cube_textures = 0, volume_textures = 0;  // bit a slot
};

/// `desc` has the stage. With `cache`, code that is there is not compiled, nor is a stored shader's IR looked at; what was compiled is put
/// there.
[[nodiscard]] CompiledStage get_stage_code(const pipe::ProgramDesc& desc, pipe::Stage stage,
                                           shaders::ShaderCache* cache,
                                           const compiler::Options& options = {});
/// Where the cache has it.
[[nodiscard]] shaders::CacheKey stage_key(const ir::ContentHash& hash, const compiler::Options& options = {});

}  // namespace terrazzo::adreno
