// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The two vendors in this process, Mesa and Terrazzo, each with its first device that draws on the CPU.
#pragma once

#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace vendors {

template <class F>
F proc(const char* name) {
    F f = reinterpret_cast<F>(eglGetProcAddress(name));
    REQUIRE_MESSAGE((f != nullptr), name);
    return f;
}

struct Vendor {
    std::string name;  // EGL_VENDOR
    EGLDeviceEXT device = nullptr;
    EGLDisplay dpy = EGL_NO_DISPLAY;  // initialized
};
/// All devices of all vendors.
[[nodiscard]] std::vector<EGLDeviceEXT> devices();
/// An initialized display of the device.
[[nodiscard]] EGLDisplay open_display(EGLDeviceEXT device);
[[nodiscard]] const Vendor& mesa();
[[nodiscard]] const Vendor& terrazzo();
/// The order in __EGL_VENDOR_LIBRARY_FILENAMES.
[[nodiscard]] bool is_mesa_first();

using Pixel = std::array<unsigned char, 4>;

/// A context with a pbuffer.
class Target {
  public:
    explicit Target(const Vendor& vendor, EGLint version = 2);
    ~Target();
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    [[nodiscard]] bool make_current() const { return eglMakeCurrent(dpy_, surface_, surface_, context_); }
    [[nodiscard]] bool release() const {
        return eglMakeCurrent(dpy_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    /// In the current context: draws the left half of the picture with this colour as a uniform, the rest
    /// black.
    void draw(Pixel color);
    /// The pixels to the left and right of the middle.
    [[nodiscard]] std::array<Pixel, 2> read() const;
    [[nodiscard]] EGLContext context() const { return context_; }

    static constexpr int kSize_px = 32;

  private:
    EGLDisplay dpy_;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    GLuint program_ = 0;  // created by the first draw
};

}  // namespace vendors
