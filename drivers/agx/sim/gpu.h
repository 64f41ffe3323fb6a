// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "drivers/common/host/host.h"

namespace terrazzo::agx::sim {

/// The GPU of a group of queues, for the virtual kernel or a recording. The host outlives it. All chips draw
/// the same.
std::unique_ptr<host::Group> create_group(host::Host& host, const host::GroupOptions& options);

}  // namespace terrazzo::agx::sim
