// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the compiler computes or copies twice, once (drivers/common/backend/value_numbering.h).
#pragma once

#include "drivers/common/backend/value_numbering.h"
#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// Of linked code, before allocation.
void number_values(Function& f, backend::Share constants);

}  // namespace terrazzo::mali::compiler
