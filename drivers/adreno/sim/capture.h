// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU that records its submits before another one runs them (drivers/common/capture/recorder.h). A file
// whose name ends with ".rd" has the format of the freedreno tools (decode/rd.h), with all memory for each
// submission; others are captures.
#pragma once

#include <memory>

#include "drivers/adreno/hw/chips.h"
#include "drivers/common/capture/recorder.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::adreno::sim {

/// Runs submits on `gpu`; null: does not run them. Each submit that begins is recorded with the memory that
/// its context sees; queue n, a priority, of the m-th context of an address space is queue 16m + n.
std::unique_ptr<winsys::virt::msm::Gpu> create_capture_gpu(const hw::Chip& chip,
                                                           std::unique_ptr<winsys::virt::msm::Gpu> gpu,
                                                           capture::TraceOptions options);

}  // namespace terrazzo::adreno::sim
