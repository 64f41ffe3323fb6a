// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The environment of fuzz targets: the same input must always take the same path.
#include <cstdlib>

#include "tests/fuzz/target.h"

namespace fuzz {

void set_environment() {
    setenv("TERRAZZO_THREADS", "1", 0);
    setenv("TERRAZZO_SHADER_CACHE", "off", 0);
    setenv("EGL_PLATFORM", "surfaceless", 0);
    // Targets choose other platforms by name; no display server must be reachable.
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("WAYLAND_SOCKET");
    unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace fuzz
