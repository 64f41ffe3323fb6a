// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of hw/chips.h as devices of the virtual kernel: "sim:adreno-630", "noop:adreno-630", ...
#pragma once

#include "drivers/adreno/hw/chips.h"
#include "drivers/common/host/chip.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::adreno::sim {

/// Never destroyed.
[[nodiscard]] const host::Vendor& host_vendor();
inline winsys::virt::Chips virtual_chips() {
    return host_vendor().devices;
}

/// msm's values for a chip. `chip`: a row of hw/chips.h.
winsys::virt::msm::GpuInfo gpu_info(const hw::Chip& chip);

}  // namespace terrazzo::adreno::sim
