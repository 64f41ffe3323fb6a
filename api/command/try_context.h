// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context on a display, to see whether it works and what it says of itself.
#pragma once

#include <GLES2/gl2.h>

#include <string>

#include "api/command/egl_loader.h"

namespace terrazzo::command {

/// A function that EGL or OpenGL ES has; null: they have none of that name.
template <class F>
[[nodiscard]] F find_function(const Egl& egl, const char* name) {
    return reinterpret_cast<F>(egl.GetProcAddress(name));
}

/// eglQueryDisplayAttribEXT; 0 where it does not know.
[[nodiscard]] EGLAttrib display_attribute(const Egl& egl, EGLDisplay display, EGLint attribute);

/// An OpenGL ES context (2.0 or later) that is current as long as this lives.
class TryContext {
  public:
    /// The display is initialized, and both outlive this.
    TryContext(const Egl& egl, EGLDisplay display) : egl_(egl), display_(display) {}
    ~TryContext();
    TryContext(const TryContext&) = delete;
    TryContext& operator=(const TryContext&) = delete;

    /// With a pbuffer of one pixel where the display has a config for one. False: `why` says what failed.
    [[nodiscard]] bool create(std::string* why);
    /// With that surface of that config instead, which stays the caller's.
    [[nodiscard]] bool create_for(EGLConfig config, EGLSurface surface, std::string* why);
    /// Clears the pixel and reads it. False: `why` says what came. True without a pbuffer.
    [[nodiscard]] bool draws(std::string* why) const;
    /// glGetString.
    [[nodiscard]] std::string text(GLenum name) const;

  private:
    const Egl& egl_;
    const EGLDisplay display_;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface pbuffer_ = EGL_NO_SURFACE;
};

}  // namespace terrazzo::command
