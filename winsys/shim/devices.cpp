// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/devices.h"

namespace terrazzo::winsys::shim {

std::shared_ptr<virt::Device> create_chosen_device(const char* name, std::string* why) {
    // A path is one of the nodes that are shown: Terrazzo's own EGL is told so to draw through it.
    const bool chosen = name && name[0] && name[0] != '/';
    return virt::create_device(chosen ? name : "sim:mali-g610", linked_chips(), why);
}

}  // namespace terrazzo::winsys::shim
