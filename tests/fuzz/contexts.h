// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// For programs that call random commands: two contexts of a share group, each with a pbuffer, and the memory
// that the calls read.
#pragma once

#include <EGL/egl.h>

#include "tests/fuzz/random.h"

namespace fuzz {

struct Contexts {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLContext context[2] = {};
    EGLSurface surface[2] = {};

    /// Makes the first context current. A context whose bit is set is a debug context with robust access.
    /// `version`: 1, or 2 for 2.0 and later. On false eglGetError has the reason.
    [[nodiscard]] bool create(unsigned robust_bits, int version = 2);
    /// Window-system calls between the draws: it switches contexts, swaps, and creates and destroys images,
    /// syncs and surfaces. Afterwards a context is current.
    void call(Random& r);
    /// Destroys the display and all its objects. `current_first`: the current context is released before it
    /// is destroyed.
    void destroy(bool current_first);
};

/// Whether this is a valid result of glGetError.
[[nodiscard]] bool known_error(unsigned error);

/// `bytes` is null if there is no memory. The caller unmaps it.
[[nodiscard]] Arena map_arena();
void fill(Arena arena, uint64_t seed);

}  // namespace fuzz
