// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texels' values in registers.
#pragma once

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/units/format.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

/// Converts values to the instruction's type: floats are rounded to halves, integers lose their high bits.
/// If only one of value and type is a float, the bits are unchanged.
inline wave::U32 to_registers(isa::Type type, units::NumberKind kind, wave::U32 bits) {
    if (!isa::is_half(type)) return bits;
    return kind == units::NumberKind::Float ? wave::to_halves(wave::as_float(bits)) : bits & 0xffffu;
}

}  // namespace terrazzo::adreno::sim
