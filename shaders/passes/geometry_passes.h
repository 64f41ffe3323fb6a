// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A geometry stage in two passes of compute, whose results a device draws without looking at them on the CPU.
// The linked kernel (stage_buffers.h) leaves room for vertices_out vertices an invocation, which is much more
// than most emit.
//
//   geometry_count()   stores to kCount how many vertices each invocation emits, and nothing else
//   (prefix sums)      by the driver, of min(count, vertices_out), to geometry_pass::kStarts; their total
//   geometry_write()   stores vertex n of invocation i to record starts[i] + n of kOutput, so that there are no
//                      gaps, and its primitive's indices to geometry_pass::kIndices
// A vertex that completes a point, a line or a triangle of its strip has that primitive's indices at index
// (starts[i] + n) * 1, 2 or 3; other vertices have kNoIndex there, which primitive restart skips. So the draw
// is of independent primitives with as many indices as vertices were emitted, times 1, 2 or 3.
#pragma once

#include "shaders/ir/ir.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::ir {

namespace geometry_pass {
/// Storage buffers of geometry_write(), in the places of some that it does not use.
inline constexpr uint32_t kStarts = stage_buffer::kPoint,  // a dword an invocation
    kIndices = stage_buffer::kCount;                       // a dword an index
inline constexpr uint32_t kNoIndex = ~0u;
}  // namespace geometry_pass

/// `s` is a linked geometry stage. False, and `s` is unchanged: it stores to buffers or images of the
/// program, which must not happen twice. Call gather_info afterwards.
[[nodiscard]] bool geometry_count(Shader& s);
/// `s` is a linked geometry stage. It no longer stores to kCount. Call simplifying passes and gather_info
/// afterwards.
void geometry_write(Shader& s);

}  // namespace terrazzo::ir
