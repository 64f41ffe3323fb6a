// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a program gets from eglGetDisplay(EGL_DEFAULT_DISPLAY) on, and why. `terrazzo info` prints it; `terrazzo explain` judges it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/command/egl_loader.h"

namespace terrazzo::command {

/// One line of the report. An empty reason: none is needed.
struct Fact {
    const char* key;    // in JSON
    const char* label;  // for people
    std::string value, why;
};

struct Facts {
    std::vector<Fact> list;
    std::vector<std::string> devices,
        noop_devices;  // TERRAZZO_DEVICE's words: those that EGL lists, and "noop:"
    std::vector<std::string> client_extensions, display_extensions, gl_extensions, configs;

    std::string undrawn;  // what came instead of a pixel; empty: it was drawn

    /// Null: there is no such fact.
    [[nodiscard]] const Fact* find(std::string_view key) const;
};

/// Loads our EGL, opens the display, makes a context current and draws a pixel, which need not come. False: `why` says what failed.
[[nodiscard]] bool collect_facts(Facts* facts, std::string* why);

/// The devices alone, as in Facts. False: `why` says what failed.
[[nodiscard]] bool collect_devices(std::vector<std::string>* names, std::vector<std::string>* noop_names,
                                   std::string* why);

/// What shaders are compiled with on a device. The renderer's name says what its driver was built with; this is whether it is there.
[[nodiscard]] Fact compiler_fact(const std::string& device, const std::string& renderer,
                                 const std::string& modules);
/// "wayland", "x11", ...; "unknown".
[[nodiscard]] const char* platform_name(EGLAttrib platform);

}  // namespace terrazzo::command
