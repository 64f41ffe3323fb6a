// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The functions of a build without X11.
#include "winsys/platform.h"

namespace terrazzo::winsys {

std::unique_ptr<Platform> create_x11_platform(void*, bool) {
    return nullptr;
}

}  // namespace terrazzo::winsys
