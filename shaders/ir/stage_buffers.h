// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages as kernels. Linked stages have no LoadInput and StoreOutput: invocations
// in workgroups read and write records of vertices in storage buffers, which the driver binds. Each device
// with compute shaders can run them.
//
//   stage                    invocation                                              workgroup
//   geometry                 i = group * kKernelGroup + index: primitive i / invocations  kKernelGroup
//   tessellation control     vertex `index` of patch `group`                         vertices_out
//   tessellation evaluation  i = group * kKernelGroup + index: point i               kKernelGroup
// `group` is WorkGroupId.x, `index` LocalInvocationIndex. A driver may run fewer than a whole workgroup of
// stages that have no barriers.
//
// A record has four dwords for each slot of StageRecords::slots_in or slots_out, in ascending order.
//   kInput    vertex v of primitive (or patch) p is record p * vertices_in + v
//   kOutput   geometry: vertex n of invocation i is record i * vertices_out + n; control: vertex v of patch
//             p is record p * vertices_out + v; evaluation: point i is record i
//   kCount    geometry: dword i: number of vertices that invocation i emits, at most vertices_out; untrusted
//   kPatch    control and evaluation: patch_rows rows of four dwords per patch: the outer levels, the inner
//             ones, then `patch` variables
//   kPoint    evaluation: four dwords per point: u, v, w, and the number of its patch
//   kParam    dword 0: added to numbers of primitives for gl_PrimitiveID(In); dword 1: vertices of a patch
#pragma once

#include <bit>

#include "shaders/ir/ir.h"
#include "shaders/ir/limits.h"

namespace terrazzo::ir {

inline constexpr uint32_t kKernelGroup = 64;

/// The name of variables for EmitSlots before linking, which is not a valid GLSL name. Their location is the
/// slot.
inline constexpr const char* kEmitVar = "(emit)";

namespace stage_buffer {
inline constexpr uint32_t kInput = kMaxStorageBuffers, kOutput = kInput + 1, kParam = kInput + 2,
                          kCount = kInput + 3, kPatch = kInput + 3, kPoint = kInput + 4;
static_assert(kPoint + 1 == kAllStorageBuffers);
/// Their bits in masks of storage buffers.
inline constexpr uint32_t kAll = ((1u << kStageBuffers) - 1) << kInput;
}  // namespace stage_buffer

[[nodiscard]] inline uint32_t record_dw(uint64_t slots) {
    return 4 * uint32_t(std::popcount(slots));
}
/// The offset of a slot's four dwords in the record.
[[nodiscard]] inline uint32_t slot_dw(uint64_t slots, uint32_t slot) {
    return 4 * uint32_t(std::popcount(slots & ((uint64_t(1) << slot) - 1)));
}
/// Vertices of a primitive that a geometry shader reads.
[[nodiscard]] constexpr uint32_t vertices_of(Shape s) {
    switch (s) {
        case Shape::None:
            return 0;
        case Shape::Points:
            return 1;
        case Shape::Lines:
        case Shape::Isolines:
            return 2;
        case Shape::Triangles:
            return 3;
        case Shape::LinesAdjacency:
        case Shape::Quads:
            return 4;
        case Shape::TrianglesAdjacency:
            return 6;
    }
    return 0;
}

}  // namespace terrazzo::ir
