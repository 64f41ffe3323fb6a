// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A stage's parts as the compiler makes them or the shader cache has them. An entry of the cache holds all
// parts of a stage; its key is the IR's content and the options (the cache adds the build).
#pragma once

#include <array>

#include "drivers/mali/compiler/compile.h"
#include "pipe/state.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"

namespace terrazzo::mali {

/// Of a vertex shader: position, varying (code is empty where there are none), position without the point
/// size (empty where there is none). Of a fragment shader: the first.
struct StageCode {
    std::array<compiler::Binary, 3> parts;
    uint32_t uniform_dw = 0;  // of the default block
    std::string error;        // not empty: refused
};
inline constexpr unsigned kPositionCode = 0, kVaryingCode = 1, kNoPointSizeCode = 2, kFragmentCode = 0;

/// `desc` has the stage, which is Vertex or Fragment. With `cache`, code that is there is not compiled, nor
/// is a stored shader's IR looked at; what was compiled is put there.
[[nodiscard]] StageCode get_stage_code(const pipe::ProgramDesc& desc, pipe::Stage stage,
                                       shaders::ShaderCache* cache, const compiler::Options& options = {});
/// Where the cache has it.
[[nodiscard]] shaders::CacheKey stage_key(const ir::ContentHash& hash, const compiler::Options& options = {});
/// Compiles without a cache.
[[nodiscard]] StageCode compile_stage(const ir::Shader& s, const compiler::Options& options = {});

}  // namespace terrazzo::mali
