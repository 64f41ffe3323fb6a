// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What drivers/common/backend must know of ir3 for scheduling, registers and spilling.
#pragma once

#include "drivers/adreno/compiler/lir.h"
#include "drivers/common/backend/budget.h"

namespace terrazzo::adreno::compiler {

/// Before allocation: orders for latency, within `budget`. After it (registers are given): by time alone.
void schedule(Function& f, backend::Budget budget);

/// Registers below `max_registers` dwords for all words. Where they are not enough nodes go to the invocation's own
/// memory, if `spills`; else f.error says so.
void allocate(Function& f, unsigned max_registers, bool spills);

/// Registers of four dwords that the code uses.
[[nodiscard]] unsigned register_footprint(const Function& f);

}  // namespace terrazzo::adreno::compiler
