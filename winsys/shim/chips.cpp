// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of a shim that no driver's sim/ was linked into.
#include "winsys/shim/devices.h"

namespace terrazzo::winsys::shim {

std::span<const virt::Chip> linked_chips() {
    return virt::builtin_chips();
}

}  // namespace terrazzo::winsys::shim
