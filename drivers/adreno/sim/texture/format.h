// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the texture unit asks of a format, beside how pixels are read (surface.h).
#pragma once

#include "drivers/adreno/hw/enums.h"
#include "drivers/adreno/isa/isa.h"
#include "drivers/common/units/format.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

struct TextureFormat {
    units::FormatReader reader;  // of a pixel, or of a block
    uint8_t block_w_px = 1, block_h_px = 1;
    bool compressed() const { return pipe::format_info(reader.format).is_compressed; }
    /// Values are multiples of a fraction: what they are compared with is clamped as they are.
    bool fixed_point = false;
    bool is_signed = false;
    /// Integers that binary32 does not hold exactly.
    bool wide_integer = false;
};
/// False: no format that textures have.
[[nodiscard]] bool texture_format(hw::Format format, hw::ColorSwap swap, bool srgb, TextureFormat* out);

/// A value as an instruction's type wants it in a register: floats are rounded to halves, integers lose their high bits. What is no
/// float stays as it is where the type is one, and the other way round.
uint32_t to_register(isa::Type type, units::NumberKind kind, uint32_t bits);
/// The same of sixteen lanes.
wave::U32 to_registers(isa::Type type, units::NumberKind kind, wave::U32 bits);

}  // namespace terrazzo::adreno::sim
