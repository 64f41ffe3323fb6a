// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A geometry stage in two passes of compute, whose results a device draws without looking at them on the CPU.
// The linked kernel (stage_buffers.h) leaves room for vertices_out vertices an invocation, which is much more
// than most emit.
//
//   geometry_count()   stores how many vertices each invocation emits to kCount, how many points, lines or
//                      triangles they are to geometry_pass::kPrimitives, and nothing else
//   (prefix sums)      by the driver: geometry_pass::kStarts has the sums of both for the invocations before
//   geometry_write()   stores vertex n of invocation i to record starts[i] + n of kOutput, without gaps, and
//                      primitives' indices, strip by strip, to geometry_pass::kIndices
// So the draw is of independent primitives. stream_output_stores.h has a kernel that captures them.
#pragma once

#include "shaders/ir/ir.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::ir {

namespace geometry_pass {
/// Storage buffers in the places of some that the pass does not use. Of geometry_count(): a dword an
/// invocation.
inline constexpr uint32_t kPrimitives = stage_buffer::kOutput;
/// Of geometry_write(): two dwords an invocation, the numbers of its first vertex and of its first primitive;
/// and a dword an index.
inline constexpr uint32_t kStarts = stage_buffer::kPoint, kIndices = stage_buffer::kCount;
}  // namespace geometry_pass

/// `s` is a linked geometry stage. False, and `s` is unchanged: it stores to buffers or images of the
/// program, which must not happen twice. Call simplifying passes and gather_info afterwards.
[[nodiscard]] bool geometry_count(Shader& s);
/// `s` is a linked geometry stage. It no longer stores to kCount. Call simplifying passes and gather_info
/// afterwards.
void geometry_write(Shader& s);

}  // namespace terrazzo::ir
