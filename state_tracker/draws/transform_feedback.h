// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Transform feedback (OpenGL ES 3.0 section 2.15): buffers that vertex shaders' outputs are captured to. How much a draw
// captures is known before it: primitives are neither made nor dropped by a later stage, and modes are lists. So the
// context counts, and the device is told where to go on.
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
    GLenum mode = GL_POINTS;           // while active
    pipe::Ref<Program> program;        // the same
    pipe::Ref<Executable> executable;  // the same: whose outputs are captured
    uint64_t vertices = 0;             // captured since it began
};

/// Draws are captured.
[[nodiscard]] inline bool is_capturing(const Context& ctx) {
    return ctx.transform_feedback->active && !ctx.transform_feedback->paused;
}
/// Whether a draw that is captured may be made. False: the error is recorded.
[[nodiscard]] bool allows_draw(Context& ctx, GLenum mode, uint32_t count, uint32_t instances,
                               const char* command);
/// A draw that is captured was handed to the pipe.
void count_captured(Context& ctx, GLenum mode, uint32_t count, uint32_t instances);
/// The same, where the device told how many primitives were written.
void count_captured_primitives(Context& ctx, uint64_t primitives);
/// A mode whose primitives share no vertices.
[[nodiscard]] inline bool is_list(GLenum mode) {
    return mode == GL_POINTS || mode == GL_LINES || mode == GL_TRIANGLES;
}
/// Ends what is active, and lets go of its program.
void end_transform_feedback(Context& ctx, TransformFeedback& t);
/// The ranges that the next captured draw writes, by buffer; none where nothing is captured. Lock the share group.
[[nodiscard]] std::array<pipe::BufferRange, kMaxFeedbackBuffers> stream_outputs(const Context& ctx);

}  // namespace terrazzo::st
