// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What drivers/common/backend needs of ir3 for scheduling, allocation and spilling.
#pragma once

#include "drivers/adreno/compiler/lir.h"
#include "drivers/common/backend/budget.h"

namespace terrazzo::adreno::compiler {

/// Before allocation: orders for latency, within `budget`. After it: orders for time only. Returns the most
/// units that lived at once in the original order; 0 after allocation.
uint32_t schedule(Function& f, backend::Budget budget);

/// Assigns registers below `max_registers` dwords to all words. If there are too few, nodes are spilled to
/// private memory if `spills` is set; otherwise f.error reports it.
void allocate(Function& f, unsigned max_registers, bool spills);

/// The registers of four dwords that the code uses.
[[nodiscard]] unsigned register_footprint(const Function& f);

}  // namespace terrazzo::adreno::compiler
