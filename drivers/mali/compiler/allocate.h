// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers for words. Moves whose ends do not live at the same time disappear first.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// Takes nodes that live at that place, or, backend::kEverywhere, where more than `room` registers live, out
/// of registers (backend::spill). False: nothing is left that could go.
[[nodiscard]] bool spill(Function& f, uint32_t place, const backend::UnitSet<Valhall>& limit, uint32_t room);

enum class Spill : uint8_t { No, Yes };
/// Fills f.reg. `work_registers` is 32 where r0..r15 and r48..r63 were enough, else 64; f.error when nothing
/// was, or `most_registers` were not. A blend shader has r0..r15 alone.
void allocate(Function& f, bool blend, Spill spill, unsigned most_registers, uint8_t* work_registers);

}  // namespace terrazzo::mali::compiler
