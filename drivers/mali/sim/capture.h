// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU that records its input before another GPU runs it (drivers/common/capture/recorder.h).
#pragma once

#include <memory>

#include "drivers/common/capture/recorder.h"
#include "drivers/mali/hw/chips.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::mali::sim {

/// Runs streams on `gpu`; if that is null, does not run them. When a stream begins, it is recorded with all
/// pages that have changed since the stream before, or printed with the current memory. Queue n of the m-th
/// group is queue 8m + n.
std::unique_ptr<winsys::virt::panthor::Gpu> create_capture_gpu(
    const hw::Chip& chip, std::unique_ptr<winsys::virt::panthor::Gpu> gpu, capture::TraceOptions options);

}  // namespace terrazzo::mali::sim
