// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPUs that the preloadable virtual kernel shows.
#include "drivers/mali/sim/chips.h"
#include "winsys/shim/devices.h"

namespace terrazzo::winsys::shim {

std::span<const virt::Chip> linked_chips() {
    return mali::sim::virtual_chips();
}

}  // namespace terrazzo::winsys::shim
