// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Printers for two kinds of numbers in generated code: registers of a shader, and memory-mapped registers.
#pragma once

#include "drivers/common/fields/fields.h"

namespace terrazzo::adreno::hw {

/// A scalar of the shader's register file, 8 bits: "r1.y"; r63.x is "none".
void print_regid(fields::Printer& p, const char* name, uint64_t regid);
/// "reg: 0x8801 (RB_RENDER_CNTL)".
void print_register(fields::Printer& p, const char* name, uint64_t number);

}  // namespace terrazzo::adreno::hw
