// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the commands that set state share: capabilities of glEnable (also for glIsEnabled and glGet), and how a field
// is set.
#pragma once

#include <algorithm>

#include "state_tracker/context.h"

namespace terrazzo::st {

/// False where `cap` is no capability of this context.
[[nodiscard]] bool capability(const Context& ctx, GLenum cap, bool* on);

/// GL_BLEND of all draw buffers (blend.cpp).
void set_blend(Context& ctx, bool on);
/// The same of one, which there is.
void set_blend(Context& ctx, GLuint buf, bool on);
/// False: the error is recorded.
[[nodiscard]] bool is_draw_buffer(Context& ctx, const char* command, GLuint index);
/// GL_SCISSOR_TEST of all viewports (viewport.cpp).
void set_scissor_tests(Context& ctx, bool on);

/// Clamps to [0,1]; NaN becomes 0.
[[nodiscard]] inline float clamp01(float f) {
    return f > 0 ? std::min(f, 1.0f) : 0.0f;
}

/// A command that changes nothing sets no dirty bit.
template <class T>
void assign(Context& ctx, T& field, const T& value, uint64_t bits) {
    if (field == value) return;
    field = value;
    ctx.dirty |= bits;
}

}  // namespace terrazzo::st
