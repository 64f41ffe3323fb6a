// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the members of a uniform or storage block lie: the rules of std140 and std430 (OpenGL ES 3.1 section
// 7.6.2.2). Blocks that are declared shared or packed are laid out as std140, so that every stage and program
// agrees. Variables in shared memory lie as std430 has them, one behind the other.
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
    uint64_t size_B = 0;            // of one element; an array without a size counts as one of its elements
};

enum class Packing : uint8_t { Std140, Std430 };

/// `type`: the struct that glslang makes of a block, or an array of it. `row_major`: of each member.
[[nodiscard]] BlockLayout layout_block(const Type& type, const std::vector<bool>& row_major, Packing packing);
/// A variable of its own, from `offset_B` rounded up on; size_B is where it ends.
[[nodiscard]] BlockLayout layout_shared(const Type& type, uint64_t offset_B);

/// Memory that a variable of the shader's names: a uniform or storage block, the buffer of an atomic counter, or a part
/// of shared memory.
struct Block {
    ir::Var* var = nullptr;  // null: shared memory
    ir::Storage space = ir::Storage::UniformBlock;
    uint8_t qualifiers = 0;  // ir::mem_flag
    int index = 0;           // in CompiledShader::blocks or storage_blocks
    BlockLayout layout;
};

}  // namespace terrazzo::shaders::glsl
