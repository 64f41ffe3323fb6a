// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the members of a uniform block lie: the rules of std140 (OpenGL ES 3.0 section 2.12.6.4). Blocks that
// are declared shared or packed are laid out likewise, so that every stage and program agrees.
#pragma once

#include <cstdint>
#include <vector>

#include "shaders/glsl/type.h"

namespace terrazzo::shaders::glsl {

/// Where a leaf of the block's type lies in one element of an array of blocks.
struct BlockLeaf {
    uint32_t offset_B = 0;
    /// Of each array dimension, outermost first; 0 of the array that the block itself is.
    std::vector<uint32_t> strides_B;
    uint32_t matrix_stride_B = 0;  // from column to column, or row to row; 0: no matrix
    bool row_major = false;
};

struct BlockLayout {
    std::vector<BlockLeaf> leaves;  // as Type::leaves
    uint64_t size_B = 0;            // of one element
};

/// `type`: the struct that glslang makes of a block, or an array of it. `row_major`: of each member.
[[nodiscard]] BlockLayout std140(const Type& type, const std::vector<bool>& row_major);

/// A uniform block that the shader declares.
struct Block {
    ir::Var* var = nullptr;
    int index = 0;  // in CompiledShader::blocks
    BlockLayout layout;
};

}  // namespace terrazzo::shaders::glsl
