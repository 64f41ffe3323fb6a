// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Transform feedback (OpenGL ES 3.0 section 2.15): buffers that capture vertex shaders' outputs. Without
// geometry shaders, the number of vertices that a draw captures is known in advance: no later stage adds or
// drops primitives, and modes are lists. So the context counts, and passes the position of the next write to
// the device.
#pragma once

#include <array>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {

class TransformFeedback final : public Object {
  public:
    explicit TransformFeedback(uint32_t n) : Object(n) {}
    std::array<IndexedBuffer, kMaxFeedbackBuffers> buffers;
    bool active = false, paused = false;
    GLenum mode = GL_POINTS;           // valid while active
    pipe::Ref<Program> program;        // valid while active
    pipe::Ref<Executable> executable;  // valid while active: its outputs are captured
    uint64_t vertices = 0;             // captured since the begin
};

/// Whether draws are captured.
[[nodiscard]] inline bool is_capturing(const Context& ctx) {
    return ctx.transform_feedback->active && !ctx.transform_feedback->paused;
}
/// Checks a draw that would be captured. False: the error is recorded.
[[nodiscard]] bool allows_draw(Context& ctx, GLenum mode, uint32_t count, uint32_t instances,
                               const char* command);
/// Counts a captured draw that was sent to the pipe.
void count_captured(Context& ctx, GLenum mode, uint32_t count, uint32_t instances);
/// Counts a captured draw for which the device reported the number of written primitives.
void count_captured_primitives(Context& ctx, uint64_t primitives);
/// Whether the primitives of a mode share no vertices.
[[nodiscard]] inline bool is_list(GLenum mode) {
    return mode == GL_POINTS || mode == GL_LINES || mode == GL_TRIANGLES;
}
/// Ends the active capture and releases its program.
void end_transform_feedback(Context& ctx, TransformFeedback& t);
/// The ranges that the next captured draw writes, by buffer; empty if nothing is captured. Lock the share
/// group.
[[nodiscard]] std::array<pipe::BufferRange, kMaxFeedbackBuffers> stream_outputs(const Context& ctx);

}  // namespace terrazzo::st
