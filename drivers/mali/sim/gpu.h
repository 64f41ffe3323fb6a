// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU for the virtual kernel.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "drivers/mali/sim/machine.h"
#include "winsys/virtual/door/chips.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::mali::sim {

/// Creates the units of a group; the machine outlives them. Null: out of memory.
using MakeJobs = std::unique_ptr<Jobs> (*)(Machine& machine);

/// Null: out of memory. A group may draw with up to `threads` threads.
std::unique_ptr<winsys::virt::panthor::Gpu> create_gpu(const hw::Chip& chip, MakeJobs make_jobs,
                                                       unsigned threads);

/// The kernel's description of a chip.
winsys::virt::panthor::GpuInfo gpu_info(const hw::Chip& chip);

}  // namespace terrazzo::mali::sim
