// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU with the virtual kernel's interface.
#pragma once

#include <memory>
#include <string>

#include "drivers/adreno/sim/machine.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::adreno::sim {

/// Makes the units of a group; the machine outlives them. Null: out of memory.
using CreateWork = std::unique_ptr<Work> (*)(Machine& machine);

/// Null: out of memory. `threads`: the most that draw for one group. The first submit at fault writes
/// `core_dump_file`, if it has a name (decode/core_dump.h).
std::unique_ptr<winsys::virt::msm::Gpu> create_gpu(const hw::Chip& chip, CreateWork create_work,
                                                   unsigned threads, std::string core_dump_file = {});

}  // namespace terrazzo::adreno::sim
