// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared by the commands that set state: capabilities of glEnable (also for glIsEnabled and glGet), and the
// setter of a field.
#pragma once

#include <algorithm>

#include "state_tracker/context.h"

namespace terrazzo::st {

/// The value of a capability. False: `cap` is not a capability of this context.
[[nodiscard]] bool capability(const Context& ctx, GLenum cap, bool* on);

/// Sets GL_BLEND for all draw buffers (blend.cpp).
void set_blend(Context& ctx, bool on);
/// Sets GL_BLEND for the draw buffer `buf`, which must exist.
void set_blend(Context& ctx, GLuint buf, bool on);
/// Whether the draw buffer exists. False: the error is recorded.
[[nodiscard]] bool is_draw_buffer(Context& ctx, const char* command, GLuint index);
/// Sets GL_SCISSOR_TEST for all viewports (viewport.cpp).
void set_scissor_tests(Context& ctx, bool on);

/// Clamps to [0,1]; NaN becomes 0.
[[nodiscard]] inline float clamp01(float f) {
    return f > 0 ? std::min(f, 1.0f) : 0.0f;
}

/// Sets a field. If the value is the same, sets no dirty bit.
template <class T>
void assign(Context& ctx, T& field, const T& value, uint64_t bits) {
    if (field == value) return;
    field = value;
    ctx.dirty |= bits;
}

}  // namespace terrazzo::st
