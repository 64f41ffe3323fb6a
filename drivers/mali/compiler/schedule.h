// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of instructions within blocks, and the slots of messages.
#pragma once

#include "drivers/common/backend/budget.h"
#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// Before register allocation: moves messages early and their users late, as far as `budget` allows.
/// Deterministic.
void schedule(Function& f, backend::Budget budget);

/// After allocation, before flow control is inserted: assigns slots, so that messages with waits at different
/// times have different slots.
void assign_slots(Function& f);

}  // namespace terrazzo::mali::compiler
