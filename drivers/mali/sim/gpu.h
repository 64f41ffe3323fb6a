// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU as the virtual kernel takes it.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "drivers/mali/sim/machine.h"
#include "winsys/virtual/door/chips.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::mali::sim {

/// Makes the units of a group; the machine outlives them. Null: out of memory.
using MakeJobs = std::unique_ptr<Jobs> (*)(Machine& machine);

/// Null: out of memory. `threads` may draw for one group.
std::unique_ptr<winsys::virt::panthor::Gpu> create_gpu(const hw::Chip& chip, MakeJobs make_jobs,
                                                       unsigned threads);

/// What the kernel tells of a chip.
winsys::virt::panthor::GpuInfo gpu_info(const hw::Chip& chip);

}  // namespace terrazzo::mali::sim
