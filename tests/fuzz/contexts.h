// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two contexts of a share group with a pbuffer each, for programs that make random calls, and the memory that
// those calls read.
#pragma once

#include <EGL/egl.h>

#include "tests/fuzz/random.h"

namespace fuzz {

struct Contexts {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLContext context[2] = {};
    EGLSurface surface[2] = {};

    /// Makes the first current. A context whose bit is set is a debug context with robust access. `version`:
    /// 1, or 2 for that or later. False: eglGetError says why.
    [[nodiscard]] bool create(unsigned robust_bits, int version = 2);
    /// Window-system calls between the drawing: switching contexts, swaps, images, syncs, surfaces that come
    /// and go. A context is current afterwards.
    void call(Random& r);
    /// The display and all of it; `current_first`: what is current stops being so before it is destroyed.
    void destroy(bool current_first);
};

/// Whether glGetError may return it.
[[nodiscard]] bool known_error(unsigned error);

/// `bytes` is null where there is no memory. The caller unmaps it.
[[nodiscard]] Arena map_arena();
void fill(Arena arena, uint64_t seed);

}  // namespace fuzz
