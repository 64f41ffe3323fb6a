// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a program gets after eglGetDisplay(EGL_DEFAULT_DISPLAY), and why. `terrazzo info` prints it; `terrazzo
// explain` evaluates it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/command/egl_loader.h"

namespace terrazzo::command {

/// One line of the report. An empty reason: none is needed.
struct Fact {
    const char* key;    // in JSON
    const char* label;  // for users
    std::string value, why;
};

struct Facts {
    std::vector<Fact> list;
    std::vector<std::string> devices,
        noop_devices;  // TERRAZZO_DEVICE's words: those that EGL lists, and "noop:"
    std::vector<std::string> client_extensions, display_extensions, gl_extensions, configs;

    std::string undrawn;  // why no pixel was drawn; empty: it was drawn

    /// Null: there is no such fact.
    [[nodiscard]] const Fact* find(std::string_view key) const;
};

/// Loads our EGL, opens the display, makes a context current and draws a pixel. If only the drawing fails,
/// the result is still true. False: `why` says what failed.
[[nodiscard]] bool collect_facts(Facts* facts, std::string* why);

/// Only the devices, as in Facts. False: `why` says what failed.
[[nodiscard]] bool collect_devices(std::vector<std::string>* names, std::vector<std::string>* noop_names,
                                   std::string* why);

/// The compiler of a device's shaders. The renderer's name says what its driver was built with; this checks
/// whether that is installed.
[[nodiscard]] Fact compiler_fact(const std::string& device, const std::string& renderer,
                                 const std::string& modules);
/// "wayland", "x11", ...; "unknown".
[[nodiscard]] const char* platform_name(EGLAttrib platform);

}  // namespace terrazzo::command
