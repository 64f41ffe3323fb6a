// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tests EGL's displays: initializes them, and draws a pixel with a context.
#pragma once

#include <string>
#include <vector>

#include "api/command/egl_loader.h"

namespace terrazzo::command {

struct Tried {
    bool works = false;
    std::string why;       // why it does not work
    std::string device;    // the drawing device, as in TERRAZZO_DEVICE; empty: unknown
    std::string renderer;  // GL_RENDERER
    std::string version;   // "OpenGL ES 3.2"
    unsigned threads = 0;  // number of drawing threads; 0: a device draws
};
/// Initializes the display. `terminate`: restores its former state afterwards.
[[nodiscard]] Tried try_display(const Egl& egl, EGLDisplay display, bool terminate = true);

struct Window {
    bool works = false;
    std::string why;      // why it does not work
    bool shared = false;  // frames are shown without a copy
    std::string how;      // how frames reach the window; empty: unknown
};
/// Shows a frame in a native window of 64 x 64 pixels. The display must be initialized. `visual`: of the
/// window; 0: any config may be used.
[[nodiscard]] Window try_window(const Egl& egl, EGLDisplay display, EGLNativeWindowType native,
                                EGLint visual);

struct EglDevice {
    EGLDeviceEXT handle = EGL_NO_DEVICE_EXT;
    std::string name;  // as in TERRAZZO_DEVICE
    std::string render_node, primary_node;
    bool software = false;
};
/// The devices of EGL_EXT_device_enumeration, in its order.
[[nodiscard]] std::vector<EglDevice> list_egl_devices(const Egl& egl);
[[nodiscard]] EGLDisplay display_of(const Egl& egl, const EglDevice& device);

/// A node of /dev/dri.
struct Node {
    std::string path;  // "/dev/dri/renderD128"
    int fd = -1;       // for reading and writing; -1: it cannot be opened, see errno_value
    int errno_value = 0;
};
/// Cards, then render nodes, by number. The caller owns the descriptors. False: there is no such folder;
/// `*why` is the reason.
[[nodiscard]] bool open_nodes(std::vector<Node>* nodes, std::string* why);

/// Advice for a program that needs a node: to use the shim, if it is installed; otherwise empty.
[[nodiscard]] std::string shim_advice(const Egl& egl);

}  // namespace terrazzo::command
