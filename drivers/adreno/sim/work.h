// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Makes all units that the command processor starts.
#pragma once

#include <memory>

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Null: out of memory. `machine` outlives it.
std::unique_ptr<Work> create_work(Machine& machine);

}  // namespace terrazzo::adreno::sim
