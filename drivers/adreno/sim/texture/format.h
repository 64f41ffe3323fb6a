// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The properties of a format that the texture unit needs; surface.h reads its pixels.
#pragma once

#include "drivers/adreno/hw/enums.h"
#include "drivers/adreno/isa/isa.h"
#include "drivers/common/units/format.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

struct TextureFormat {
    units::FormatReader reader;  // reads a pixel, or a block
    uint8_t block_w_px = 1, block_h_px = 1;
    bool compressed() const { return pipe::format_info(reader.format).is_compressed; }
    /// Values are multiples of a fraction: the reference value of a comparison is clamped, too.
    bool fixed_point = false;
    bool is_signed = false;
    /// Integers that binary32 cannot represent exactly.
    bool wide_integer = false;
};
/// False: textures cannot have the format.
[[nodiscard]] bool texture_format(hw::Format format, hw::ColorSwap swap, bool srgb, TextureFormat* out);

/// Converts a value to the instruction's type: floats are rounded to halves, integers lose their high bits.
/// If only one of value and type is a float, the bits are unchanged.
uint32_t to_register(isa::Type type, units::NumberKind kind, uint32_t bits);
/// Likewise, for sixteen lanes.
wave::U32 to_registers(isa::Type type, units::NumberKind kind, wave::U32 bits);

}  // namespace terrazzo::adreno::sim
