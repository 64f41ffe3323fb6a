// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stream output (transform feedback) of a vertex stage for devices without hardware that captures: a compute
// shader runs the stage for each vertex that is captured, and stores its outputs. The CPU lists these
// vertices (context/captured_vertices.h).
#pragma once

#include <memory>

#include "shaders/ir/ir.h"
#include "shaders/ir/stream_output.h"

namespace terrazzo::programs {

/// Storage buffers of a capture shader, above those of the stage. From kOutputs on: output buffers of the
/// StreamOutputLayout; each range begins where the first captured vertex is stored.
namespace capture_slot {
inline constexpr uint32_t kOutputs = 24,        // kMaxStreamBuffers of them
    kState = kOutputs + ir::kMaxStreamBuffers,  // CaptureState
    kVertices = kState + 1;                     // gl_VertexID of each vertex, a dword each
}
struct CaptureState {
    uint32_t before = 0;  // vertices that earlier draws have captured
    uint32_t unused = 0;
    uint32_t of_instance = 0;  // vertices in the list, which are captured for each instance
};
inline constexpr uint32_t kCaptureGroup = 64;  // invocations of a workgroup, along x

/// `vertex` is a linked vertex stage; `layout` names outputs of it. In the result, invocation x captures
/// vertex x of the list. y is the instance, which InstanceId loads. LoadInput has one operand: the vertex
/// whose attribute it loads. The driver ends each output range after the last vertex to write. The shader
/// stores nothing beyond it.
[[nodiscard]] std::unique_ptr<ir::Shader> capture_shader(const ir::Shader& vertex,
                                                         const ir::StreamOutputLayout& layout);

}  // namespace terrazzo::programs
