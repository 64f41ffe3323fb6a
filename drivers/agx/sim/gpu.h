// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "drivers/common/host/host.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::agx::sim {

/// The GPU of a group of queues, for the virtual kernel or a recording. The host outlives it.
std::unique_ptr<host::Group> create_group(const winsys::virt::asahi::GpuInfo& chip, host::Host& host,
                                          const host::GroupOptions& options);

}  // namespace terrazzo::agx::sim
