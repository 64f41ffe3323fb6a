// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups of texture instructions that read the same texture and have no control flow between them, as in
// filter kernels. Code generators emit one call for a group (TexGroup) at its first instruction; each
// instruction loads its results at its own place.
#pragma once

#include <functional>
#include <vector>

#include "drivers/soft/shader_abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// Moves the computation of coordinates before the first instruction of each group. For fragment shaders.
void gather_tex_coordinates(ir::Shader& s);

struct TexGroupShape {
    std::vector<const ir::Instr*> members;
    std::vector<const ir::Value*> s, t;  // the different coordinates
    uint32_t channels = 0;               // the union of the members' used results, a bit each
    TexGroup::Coordinates at[TexGroup::kMost] = {};
};
/// `first` and the later instructions that can join it: their coordinates are `known` before `first`. Fewer
/// than two members: there is no group.
[[nodiscard]] TexGroupShape tex_group_of(const ir::Instr& first,
                                         const std::function<bool(const ir::Value*)>& known);

/// Instructions of a fragment shader that are in no group and whose coordinates are known before any barrier:
/// they can be called for all blocks of a batch at once. `needed`: the instructions that compute the
/// coordinates, in order.
struct EarlyTextures {
    std::vector<const ir::Instr*> textures, needed;
};
[[nodiscard]] EarlyTextures early_textures(const ir::Shader& s);

}  // namespace terrazzo::soft
