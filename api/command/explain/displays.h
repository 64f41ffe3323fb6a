// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's displays, tried: initialized, with a context that draws a pixel.
#pragma once

#include <string>
#include <vector>

#include "api/command/egl_loader.h"

namespace terrazzo::command {

struct Tried {
    bool works = false;
    std::string why;       // it does not
    std::string device;    // TERRAZZO_DEVICE's word for what draws; empty: EGL does not say
    std::string renderer;  // GL_RENDERER
    std::string version;   // "OpenGL ES 3.2"
    unsigned threads = 0;  // that draw; 0: a device does
};
/// Initializes the display. `terminate`: afterwards it is as before.
[[nodiscard]] Tried try_display(const Egl& egl, EGLDisplay display, bool terminate = true);

struct Window {
    bool works = false;
    std::string why;      // it does not
    bool shared = false;  // frames are shown without a copy
    std::string how;      // in words; empty: the platform does not say
};
/// Shows a frame in a native window of 64 x 64 pixels; the display is initialized. `visual`: of the window; 0: any config will do.
[[nodiscard]] Window try_window(const Egl& egl, EGLDisplay display, EGLNativeWindowType native,
                                EGLint visual);

struct EglDevice {
    EGLDeviceEXT handle = EGL_NO_DEVICE_EXT;
    std::string name;  // TERRAZZO_DEVICE's word
    std::string render_node, primary_node;
    bool software = false;
};
/// Those of EGL_EXT_device_enumeration, in its order.
[[nodiscard]] std::vector<EglDevice> list_egl_devices(const Egl& egl);
[[nodiscard]] EGLDisplay display_of(const Egl& egl, const EglDevice& device);

/// A node of /dev/dri.
struct Node {
    std::string path;  // "/dev/dri/renderD128"
    int fd = -1;       // open for reading and writing; -1: it cannot be opened, see errno_value
    int errno_value = 0;
};
/// Cards, then render nodes, by number. The descriptors are the caller's. False: there is no such folder; `*why` says the reason.
[[nodiscard]] bool open_nodes(std::vector<Node>* nodes, std::string* why);

/// What helps where a program insists on a node: the shim, where its file is there; else empty.
[[nodiscard]] std::string shim_advice(const Egl& egl);

}  // namespace terrazzo::command
