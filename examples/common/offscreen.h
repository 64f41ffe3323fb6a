// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL without a window: a context and a pbuffer to draw into.
#pragma once

#include <EGL/egl.h>

namespace example {

/// A connection to EGL that needs no window system, GPU or display server. One per program.
class OffscreenDisplay {
  public:
    OffscreenDisplay();   // prints a message and exits the program on failure
    ~OffscreenDisplay();  // destroy every OffscreenContext first
    EGLDisplay handle() const { return display_; }
    /// Whether contexts of OpenGL ES version / 10 are supported.
    bool has_version(int version) const;

  private:
    EGLDisplay display_;
};

/// A new OpenGL ES context, current on this thread, with a framebuffer of 8 bits a colour, 24 of depth, 8 of
/// stencil.
class OffscreenContext {
  public:
    /// `version`: 11, 20, 30, 31 or 32. For 20 and higher EGL may return a higher one. Prints a message and
    /// exits on failure.
    OffscreenContext(const OffscreenDisplay& display, int width, int height, int version = 20);
    ~OffscreenContext();

  private:
    EGLDisplay display_;
    EGLContext context_;
    EGLSurface surface_;
};

}  // namespace example
