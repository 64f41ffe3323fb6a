// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control, evaluation and geometry stages, which the linker makes kernels over buffers (shaders/ir/stage_buffers.h), as hardware runs them: in waves
// that begin with vertices, or with points of patches. Source: Mesa 25.0.7, ir3_nir_lower_tess.c.
//
//   control     an invocation for each vertex of the patch that it makes. kInput is local memory, where the vertex shader of the same wave left its outputs;
//               kOutput, kPatch and kPoint are memory that a subdraw's patches share: records of vertices, rows, and what the tessellator reads.
//   evaluation  an invocation for each point. Reads kInput and kPatch where the control stage left them.
//   geometry    an invocation for each vertex that may come out. Each runs the whole shader, and its outputs are those of the vertex with its number; one
//               without such a vertex is killed: EmitSlot::VertexCount says 0. kInput is local memory.
//
// What is left of the buffers is addressed as before, but for records in local memory, which begin with the wave's first primitive. System values are then
//   LocalInvocationIndex  the header, a register that says who an invocation is
//   WorkGroupId.x         control, evaluation: the patch's number in the subdraw
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
/// Of a primitive or patch in the wave; the same of a control shader's invocation where HS uses shared memory.
inline constexpr HeaderField kHeaderPrimitive{0, 63}, kHeaderSharedPatch{16, 63};
/// The vertex that the invocation makes before; the invocation's number.
inline constexpr HeaderField kHeaderVertex{6, 31}, kHeaderInvocation{11, 31};
/// Of a geometry shader: which of its vertices the invocation keeps.
inline constexpr HeaderField kHeaderEmitted{16, 1023};

/// Dwords of a patch that the tessellator reads: its primitive's number, outer levels, inner ones.
struct TessLevels {
    uint32_t outer, inner;
    [[nodiscard]] constexpr uint32_t size_dw() const { return 1 + outer + inner; }
};
[[nodiscard]] TessLevels tess_levels(ir::Shape domain);

/// Of stages for which ir::is_kernel holds, but Compute: nothing is to be done for others.
void lower_stage(ir::Shader& s, const Options& options);

}  // namespace terrazzo::adreno::compiler
