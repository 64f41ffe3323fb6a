// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Says of registers which source is the last to read them, so that hardware need not write them back. Rules:
// Mesa 25.0.7, valhall/va_mark_last.c.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// The last pass before packing: registers are known, and what is waited for where. `blend`: the code is a
/// blend shader, whose caller goes on with what it may not overwrite.
void mark_last_uses(Function& f, bool blend);

}  // namespace terrazzo::mali::compiler
