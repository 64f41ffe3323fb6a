// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of instructions within blocks, and the slots of messages.
#pragma once

#include "drivers/common/backend/budget.h"
#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// Before registers are allocated: messages early, what needs them late, as far as `budget` allows. The same for
/// each run.
void schedule(Function& f, backend::Budget budget);

/// After that, before flow is inserted: messages that are waited for at different times get different slots.
void assign_slots(Function& f);

}  // namespace terrazzo::mali::compiler
