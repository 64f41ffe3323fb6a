// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU as the virtual kernel takes it.
#pragma once

#include <memory>
#include <string>

#include "drivers/adreno/sim/machine.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::adreno::sim {

/// Makes the units of a group; the machine outlives them. Null: out of memory.
using CreateWork = std::unique_ptr<Work> (*)(Machine& machine);

/// Null: out of memory. `threads` may draw for one group. The first submit at fault leaves `core_dump_file` behind, if that has a name
/// (decode/core_dump.h).
std::unique_ptr<winsys::virt::msm::Gpu> create_gpu(const hw::Chip& chip, CreateWork create_work,
                                                   unsigned threads, std::string core_dump_file = {});

}  // namespace terrazzo::adreno::sim
