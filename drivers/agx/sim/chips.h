// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of hw/chips.h as devices of the virtual kernel: "sim:agx-g13g", "noop:agx-g13g", ...
#pragma once

#include "drivers/agx/hw/chips.h"
#include "drivers/common/host/chip.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::agx::sim {

/// Never destroyed.
[[nodiscard]] const host::Vendor& host_vendor();
inline winsys::virt::Chips virtual_chips() {
    return host_vendor().devices;
}

/// asahi's values for a chip.
winsys::virt::asahi::GpuInfo gpu_info(const hw::Chip& chip);

}  // namespace terrazzo::agx::sim
