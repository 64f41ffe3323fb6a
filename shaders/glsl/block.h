// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The layout of uniform and storage blocks: the rules of std140 and std430 (OpenGL ES 3.1 section 7.6.2.2).
// Shared and packed blocks are laid out as std140, so that all stages and programs agree. Variables in shared
// memory have the layout std430, one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "shaders/glsl/type.h"

namespace terrazzo::shaders::glsl {

/// The place of a leaf of the block's type in one element of an array of blocks.
struct BlockLeaf {
    uint32_t offset_B = 0;
    /// By array dimension, outermost first; 0 for the array of blocks itself.
    std::vector<uint32_t> strides_B;
    uint32_t matrix_stride_B = 0;  // from column to column or row to row; 0: not a matrix
    bool row_major = false;
};

struct BlockLayout {
    std::vector<BlockLeaf> leaves;  // as in Type::leaves
    uint64_t size_B = 0;            // of one element; an array without a size counts as one element
};

enum class Packing : uint8_t { Std140, Std430 };

/// `type`: the struct that glslang creates for a block, or an array of it. `row_major`: by member.
[[nodiscard]] BlockLayout layout_block(const Type& type, const std::vector<bool>& row_major, Packing packing);
/// A variable in shared memory, from `offset_B` (rounded up) on; size_B is its end.
[[nodiscard]] BlockLayout layout_shared(const Type& type, uint64_t offset_B);

/// Memory that a variable of the shader refers to: a uniform or storage block, the buffer of an atomic
/// counter, or a part of shared memory.
struct Block {
    ir::Var* var = nullptr;  // null: shared memory
    ir::Storage space = ir::Storage::UniformBlock;
    uint8_t qualifiers = 0;  // ir::mem_flag
    int index = 0;           // in CompiledShader::blocks or storage_blocks
    BlockLayout layout;
};

}  // namespace terrazzo::shaders::glsl
