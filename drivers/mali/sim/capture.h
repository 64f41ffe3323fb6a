// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU that writes down what it is given before another one runs it (drivers/common/capture/recorder.h).
#pragma once

#include <memory>

#include "drivers/common/capture/recorder.h"
#include "drivers/mali/hw/chips.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::mali::sim {

/// Runs streams on `gpu`, or not at all where that is null. Each stream that begins is recorded with all
/// pages that have changed since the last one, or printed with what memory holds then; queue n of the m-th
/// group is queue 8m + n.
std::unique_ptr<winsys::virt::panthor::Gpu> create_capture_gpu(
    const hw::Chip& chip, std::unique_ptr<winsys::virt::panthor::Gpu> gpu, capture::TraceOptions options);

}  // namespace terrazzo::mali::sim
