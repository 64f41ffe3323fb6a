// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture instructions that follow each other without control flow between and read the same texture, as
// filter kernels do: code generators make one call of them (TexGroup) where the first stands, and each loads
// its results where it stands itself.
#pragma once

#include <functional>
#include <vector>

#include "drivers/soft/shader_abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// Moves what coordinates are computed from before the first instruction of each group. Shaders of fragments.
void gather_tex_coordinates(ir::Shader& s);

struct TexGroupShape {
    std::vector<const ir::Instr*> members;
    std::vector<const ir::Value*> s, t;  // their coordinates, each once
    uint32_t channels = 0;               // of any of them, bit per result that is used
    TexGroup::Coordinates at[TexGroup::kMost] = {};
};
/// `first` and what can be called with it: the instructions behind it whose coordinates are `known` already.
/// Fewer than two: it is no group.
[[nodiscard]] TexGroupShape tex_group_of(const ir::Instr& first,
                                         const std::function<bool(const ir::Value*)>& known);

/// Instructions of a fragment shader that are in no group and read coordinates that are known before any barrier:
/// they can be called for all blocks of a batch at once. `needed`: what computes the coordinates, in order.
struct EarlyTextures {
    std::vector<const ir::Instr*> textures, needed;
};
[[nodiscard]] EarlyTextures early_textures(const ir::Shader& s);

}  // namespace terrazzo::soft
