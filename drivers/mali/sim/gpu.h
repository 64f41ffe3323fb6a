// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group's virtual GPU: a machine with a front end for each queue.
#pragma once

#include <memory>

#include "drivers/common/host/host.h"
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::sim {

/// Null: out of memory.
[[nodiscard]] std::unique_ptr<host::Group> create_group(const hw::Chip& chip, host::Host& host,
                                                        const host::GroupOptions& options);

}  // namespace terrazzo::mali::sim
