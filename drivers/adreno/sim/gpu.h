// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU as the virtual kernel takes it.
#pragma once

#include <memory>

#include "drivers/adreno/sim/machine.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::adreno::sim {

/// Makes the units of a group; the machine outlives them. Null: out of memory.
using CreateWork = std::unique_ptr<Work> (*)(Machine& machine);

/// Null: out of memory. `threads` may draw for one group.
std::unique_ptr<winsys::virt::msm::Gpu> create_gpu(const hw::Chip& chip, CreateWork create_work,
                                                   unsigned threads);

}  // namespace terrazzo::adreno::sim
