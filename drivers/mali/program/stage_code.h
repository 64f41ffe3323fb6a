// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A stage's parts as the compiler makes them or the shader cache has them
// (drivers/common/program/stage_code.h). An entry
// of the cache holds all parts of a stage; its key is the IR's content and the options (the cache adds
// the build).
#pragma once

#include <array>

#include "drivers/common/program/stage_code.h"
#include "drivers/mali/compiler/compile.h"

namespace terrazzo::mali {

/// Of a vertex shader: position, varying (code is empty where there are none), position without the point
/// size (empty where there is none). Of a fragment shader: the first.
struct StageCode {
    std::array<compiler::Binary, 3> parts;
    uint32_t uniform_dw = 0;  // of the default block
    std::string error;        // not empty: refused

    // --- what programs::get_stage_code() asks for
    [[nodiscard]] static shaders::CacheKey key(const ir::ContentHash& hash,
                                               const compiler::Options& options = {});
    [[nodiscard]] static StageCode compile(const ir::Shader& s, const compiler::Options& options = {});
    void write(ir::BinaryWriter* out) const;
    [[nodiscard]] bool read(ir::BinaryReader* in);
};
inline constexpr unsigned kPositionCode = 0, kVaryingCode = 1, kNoPointSizeCode = 2, kFragmentCode = 0;

}  // namespace terrazzo::mali
