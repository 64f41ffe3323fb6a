// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture formats, and values in registers; surface.h reads pixels.
#pragma once

#include "drivers/adreno/hw/enums.h"
#include "drivers/adreno/isa/isa.h"
#include "drivers/common/units/format.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

/// False: textures cannot have the format.
[[nodiscard]] bool texture_format(hw::Format format, hw::ColorSwap swap, bool srgb, units::FormatReader* out);

/// Converts sixteen values to the instruction's type: floats are rounded to halves, integers lose their high
/// bits. If only one of value and type is a float, the bits are unchanged.
wave::U32 to_registers(isa::Type type, units::NumberKind kind, wave::U32 bits);
/// Likewise, one value.
uint32_t to_register(isa::Type type, units::NumberKind kind, uint32_t bits);

}  // namespace terrazzo::adreno::sim
