// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex stages as kernels, for devices that run geometry and tessellation stages by compute: a compute
// shader assembles primitives and stores a record for each of their vertices, where the next stage's kernel
// reads it (stage_buffers.h).
//
//   vertex_fetch()     attributes become loads of buffers
//   vertex_kernel()    the vertex stage: invocation i computes vertex i of the assembled list, to record i
//   geometry_count()   how many vertices each invocation emits (geometry_passes.h)
//   (prefix sums)      the driver's
//   geometry_write()   the same again: records without gaps, and indices of independent primitives
//
// A vertex that several primitives share is computed for each of them. Invocation i = group * kKernelGroup +
// index, as in other kernels. Instances follow one another: each has as many vertices in the list. Stores
// beyond the range of kOutput are dropped, so the range says how many invocations count.
#pragma once

#include <cstdint>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// How vertices of a draw become a list of independent primitives. Lists are points, lines, triangles, their
/// forms with adjacency, and patches. A driver writes an index list for strips of triangles with adjacency
/// and for restarted ones.
enum class Assembly : uint8_t { List, LineStrip, LineLoop, LineStripAdjacency, TriangleStrip, TriangleFan };

/// Dwords of stage_buffer::kParam of vertex kernels.
namespace vertex_param {
inline constexpr uint32_t kFirst = 0,  // the first vertex's number, or where in kInput its index stands
    kListed = 1,                       // vertices of an instance in the list, at least 1
    kBaseVertex = 2,                   // added to indices; also gl_BaseVertex
    kBaseInstance = 3, kDrawId = 4;
}

struct VertexKernelOptions {
    Assembly assembly = Assembly::List;
    unsigned index_B = 0;  // 1, 2 or 4: kInput has indices of this size; 0: vertices have consecutive numbers
    uint64_t slots = 0;    // VaryingSlots of a record, StageRecords::slots_in of the next stage
    /// The device fetches attributes in compute shaders, too: LoadInput stays, with the vertex and the
    /// instance as its operands.
    bool keeps_inputs = false;
};

/// `s` is a linked vertex stage, without LoadInput unless `keeps_inputs`; it becomes a compute shader.
/// Outputs that are not in `slots` are not stored; slots that the stage does not write stay as they are in
/// memory. Call simplifying passes and gather_info afterwards. False, and `s` is unchanged: it loads inputs.
[[nodiscard]] bool vertex_kernel(Shader& s, const VertexKernelOptions& options);

}  // namespace terrazzo::ir
