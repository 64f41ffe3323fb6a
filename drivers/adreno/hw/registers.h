// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// All memory-mapped registers. Each is a struct with the hardware's name (RB_BLIT_INFO), its number and its
// fields. An undivided value is the field `value`.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/adreno/hw/front.h"
#include "drivers/adreno/hw/geometry.h"
#include "drivers/adreno/hw/gras.h"
#include "drivers/adreno/hw/hlsq.h"
#include "drivers/adreno/hw/rb.h"
#include "drivers/adreno/hw/shader.h"

namespace terrazzo::adreno::hw {

/// The register with a given number.
struct RegisterAt {
    const fields::RegisterRow* row = nullptr;  // null: not in the tables
    unsigned element = 0;                      // array index
    unsigned word = 0;                         // 1: the high half of a 64-bit value
};
RegisterAt find_register(uint16_t number);

/// "RB_MRT_CONTROL[2]", "RB_MRT_BASE[2]+1" (the high half); "0x1234" if the tables do not have it.
std::string register_name(uint16_t number);

// Printers for two kinds of numbers in generated code: registers of a shader, and memory-mapped registers.

/// A scalar of the shader's register file, 8 bits: "r1.y"; r63.x is "none".
void print_regid(fields::Printer& p, const char* name, uint64_t regid);
/// "reg: 0x8801 (RB_RENDER_CNTL)".
void print_register(fields::Printer& p, const char* name, uint64_t number);

}  // namespace terrazzo::adreno::hw
