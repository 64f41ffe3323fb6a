// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The functions of a build without Wayland (-Dwayland=disabled).
#include "winsys/platform.h"
#include "winsys/wayland/drm.h"

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

std::unique_ptr<WaylandDrm> WaylandDrm::create(void*, const std::string&, std::vector<uint32_t>, Import,
                                               std::string* why) {
    *why = "Terrazzo was built without Wayland";
    return nullptr;
}

std::shared_ptr<void> WaylandDrm::find(void*) {
    return nullptr;
}

bool has_wayland_drm() {
    return false;
}

}  // namespace terrazzo::winsys
