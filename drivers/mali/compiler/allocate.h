// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers for words.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

enum class Spill : uint8_t { No, Yes };
/// Assigns registers (f.reg). `*work_registers` is 32 if r0..r15 and r48..r63 are enough, else 64. f.error
/// reports that none or `most_registers` are not enough. A blend shader only has r0..r15, and spills nothing.
void allocate(Function& f, bool blend, Spill spill, unsigned most_registers, uint8_t* work_registers);

}  // namespace terrazzo::mali::compiler
