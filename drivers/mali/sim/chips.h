// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of hw/chips.h as devices of the virtual kernel: "sim:mali-g610", "noop:mali-g610", ...
#pragma once

#include "drivers/common/host/chip.h"
#include "drivers/mali/hw/chips.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::mali::sim {

/// Never destroyed.
[[nodiscard]] const host::Vendor& host_vendor();
inline winsys::virt::Chips virtual_chips() {
    return host_vendor().devices;
}

/// panthor's values for a chip.
winsys::virt::panthor::GpuInfo gpu_info(const hw::Chip& chip);

}  // namespace terrazzo::mali::sim
