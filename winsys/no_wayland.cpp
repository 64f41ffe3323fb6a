// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The answers of a build without Wayland (-Dwayland=disabled).
#include "winsys/platform.h"

namespace terrazzo::winsys {

std::unique_ptr<Platform> create_wayland_platform(void*) {
    return nullptr;
}

bool wayland_available() {
    return false;
}

bool is_wayland_display(void*) {
    return false;
}

}  // namespace terrazzo::winsys
