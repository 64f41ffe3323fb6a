// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's virtual GPU: a machine with one command processor per queue.
#pragma once

#include <memory>

#include "drivers/adreno/hw/chips.h"
#include "drivers/common/host/host.h"

namespace terrazzo::adreno::sim {

/// Null: out of memory.
[[nodiscard]] std::unique_ptr<host::Group> create_group(const hw::Chip& chip, host::Host& host,
                                                        const host::GroupOptions& options);

}  // namespace terrazzo::adreno::sim
