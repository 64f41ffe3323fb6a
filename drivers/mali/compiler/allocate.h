// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers for words. Moves whose ends do not live at the same time disappear first.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// Takes nodes that live at that place out of registers. False: nothing is left that could go.
[[nodiscard]] bool spill_at(Function& f, uint32_t place);

enum class Spill : uint8_t { No, Yes };
/// Fills f.reg. `work_registers` is 32 where r0..r15 and r48..r63 were enough, else 64; f.error when nothing
/// was. A blend shader has r0..r15 alone.
void allocate(Function& f, bool blend, Spill spill, uint8_t* work_registers);

}  // namespace terrazzo::mali::compiler
