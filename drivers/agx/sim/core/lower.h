// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic instructions as micro-operations. Sources: applegpu.py, whose emulator has 40 of them; Mesa
// 25.0.7, src/asahi/compiler/agx_compile.c (how the others are used).
//
// Floats of 32 bits flush denormals, operands and results; halves keep them. An instruction of 32 bits that
// writes a half rounds twice. Internal to core/.
#pragma once

#include "drivers/agx/isa/isa.h"
#include "drivers/common/core/micro.h"

namespace terrazzo::agx::sim {

/// Appends what an arithmetic instruction does (StepKind::Arithmetic).
void lower(const isa::Instr& instr, core::MicroBlock* block);
/// Whether an instruction of Class::kGroup compares its sources (ballots).
bool compares(isa::Op op);
/// Appends the comparison of an instruction with a condition; its result goes to kConditionRow.
void lower_condition(const isa::Instr& instr, core::MicroBlock* block);

}  // namespace terrazzo::agx::sim
