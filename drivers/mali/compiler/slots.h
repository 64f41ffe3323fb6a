// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The slots of messages.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// After allocation, before flow control is inserted: assigns slots, so that messages with waits at different
/// times have different slots.
void assign_slots(Function& f);

}  // namespace terrazzo::mali::compiler
