// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context on a display, to test whether it works, and to query it.
#pragma once

#include <GLES2/gl2.h>

#include <string>

#include "api/command/egl_loader.h"

namespace terrazzo::command {

/// A function of EGL or OpenGL ES; null: there is none with this name.
template <class F>
[[nodiscard]] F find_function(const Egl& egl, const char* name) {
    return reinterpret_cast<F>(egl.GetProcAddress(name));
}

/// eglQueryDisplayAttribEXT; 0 if the attribute is unknown.
[[nodiscard]] EGLAttrib display_attribute(const Egl& egl, EGLDisplay display, EGLint attribute);

/// An OpenGL ES context (2.0 or later) that is current while this object exists.
class TryContext {
  public:
    /// The display must be initialized, and both must outlive this object.
    TryContext(const Egl& egl, EGLDisplay display) : egl_(egl), display_(display) {}
    ~TryContext();
    TryContext(const TryContext&) = delete;
    TryContext& operator=(const TryContext&) = delete;

    /// Creates it with a pbuffer of one pixel if the display has a config for it. False: `why` says what
    /// failed.
    [[nodiscard]] bool create(std::string* why);
    /// Creates it with this surface of this config. The caller keeps the surface.
    [[nodiscard]] bool create_for(EGLConfig config, EGLSurface surface, std::string* why);
    /// Clears the pixel and reads it. False: `why` is the wrong result. True without a pbuffer.
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
