// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stream output (transform feedback) as stores: captured outputs are stored to storage buffers, for devices
// without hardware that captures. A vertex stage stores them itself; it runs once for each vertex of
// independent points, lines or triangles, and a driver decomposes strips and fans first. What kernels of
// other stages leave in records is captured by a kernel of its own.
//
// Primitive p of a draw is the n-th of all that were written, n = p + the number written by earlier draws.
// Vertex v of it is record n * primitive_vertices + v of each buffer. It is written whole to all buffers or
// to none (OpenGL ES 3.2 section 12.1): to none where one buffer has too little room. All later primitives
// are then dropped, too, so that records stay without gaps in any order of execution.
#pragma once

#include <cstdint>
#include <memory>

#include "shaders/ir/ir.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/stream_output.h"

namespace terrazzo::ir {

struct StreamStoreOptions {
    /// Storage buffer of the layout's buffer 0; the others follow. Ranges begin where capturing began.
    int first_binding = 0;
    /// Storage buffer of two dwords. 0: primitives that earlier draws wrote. 1: primitives written;
    /// atomically incremented, so that after the draw it is the next draw's dword 0.
    int state_binding = int(kMaxStreamBuffers);
    /// In the default block. Dword 0: the first vertex's gl_VertexID. Dword 1: vertices of an instance that
    /// are captured, a multiple of primitive_vertices; those of an incomplete primitive are not.
    uint32_t params_dw = 0;
    unsigned primitive_vertices = 1;  // 1, 2 or 3
};

/// `s` is a linked vertex stage; `layout` names outputs of it. Its StoreOutputs stay. Outputs that were not
/// stored are captured as zeros. Call simplifying passes and gather_info afterwards. Whether it changed
/// anything: it does not where the layout is empty.
[[nodiscard]] bool stream_output_stores(Shader& s, const StreamOutputLayout& layout,
                                        const StreamStoreOptions& options);

/// The buffers of capture_kernel(), in the places of a geometry or evaluation stage's.
namespace capture_buffer {
inline constexpr uint32_t kRecords = stage_buffer::kInput,  // of vertices: StageRecords::slots_out
    kIndices = stage_buffer::kCount,  // of independent primitives' vertices, each the number of a record
    kParam = stage_buffer::kParam;    // dword 0: how many indices there are
}

/// The same for stages that run as kernels: a compute shader whose invocation i captures the vertex of index
/// i from the records of `stage`, in workgroups of kKernelGroup. The layout's slots are among its slots_out.
/// Options: params_dw is not used.
[[nodiscard]] std::unique_ptr<Shader> capture_kernel(const StageRecords& stage,
                                                     const StreamOutputLayout& layout,
                                                     const StreamStoreOptions& options);

}  // namespace terrazzo::ir
