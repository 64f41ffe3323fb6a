// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control, evaluation and geometry stages. The linker converts them to kernels over buffers
// (shaders/ir/stage_buffers.h). This pass lowers them to the hardware's form, in which waves begin with
// vertices or with points of patches. Source: Mesa 25.0.7, ir3_nir_lower_tess.c.
//
//   control     an invocation for each output vertex of a patch. kInput is local memory with the outputs of
//               the vertex shader of the same wave. kOutput, kPatch and kPoint are memory that the patches
//               of a subdraw share: records of vertices, rows, and the tessellator's input.
//   evaluation  an invocation for each point. It reads kInput and kPatch, which the control stage wrote.
//   geometry    an invocation for each possible output vertex. Each runs the whole shader, and its outputs
//               are those of the vertex with its number. If there is no such vertex, EmitSlot::VertexCount
//               is 0 and the invocation is killed. kInput is local memory.
//
// The other accesses keep their addresses, except that records in local memory are numbered from the wave's
// first primitive on. The system values are then
//   LocalInvocationIndex  the header, a register with the numbers of an invocation
//   PrimitiveId           in the draw
//   TessCoord.xy          of a point
//   PatchVertices         control: a parameter
#pragma once

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno::compiler {

/// Fields of the header: the first bit of each, and its mask.
struct HeaderField {
    uint32_t shift, mask;
};
/// The number of the primitive or patch in the wave. Control shaders with tess_use_shared read
/// kHeaderSharedPatch.
inline constexpr HeaderField kHeaderPrimitive{0, 63}, kHeaderSharedPatch{16, 63};
/// The number of the vertex that the invocation ran in the previous stage; the invocation's own number.
inline constexpr HeaderField kHeaderVertex{6, 31}, kHeaderInvocation{11, 31};
/// For geometry shaders: the number of the vertex that the invocation keeps.
inline constexpr HeaderField kHeaderEmitted{16, 1023};

/// The tessellator's input for a patch, in dwords: the primitive's number, outer levels, inner levels.
struct TessLevels {
    uint32_t outer, inner;
    [[nodiscard]] constexpr uint32_t size_dw() const { return 1 + outer + inner; }
};
[[nodiscard]] TessLevels tess_levels(ir::Shape domain);

/// Only changes stages for which ir::is_kernel holds, except Compute.
void lower_stage(ir::Shader& s, const Options& options);

}  // namespace terrazzo::adreno::compiler
