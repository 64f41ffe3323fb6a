// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixel formats by descriptors' codes, and number formats of registers.
#pragma once

#include <cstdint>

#include "drivers/common/units/format.h"
#include "drivers/common/units/rgba8.h"
#include "drivers/mali/hw/formats.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::sim {

using units::FormatReader;
using units::NumberKind;

/// An attribute's format: not compressed and not in a plane. False: there is no such format.
FormatReader attribute_format(uint32_t pixel_format);
/// The format of a texture whose plane has this clump format.
FormatReader texture_format(uint32_t pixel_format, hw::ClumpFormat clump);
FormatReader astc_format(unsigned block_w_px, unsigned block_h_px, bool srgb);

/// A format that the shader converts to or from in memory: an attribute's, or one of textures alone.
FormatReader memory_format(uint32_t pixel_format);

/// The components of a valid swizzle, as FormatReader::from names them.
inline void decode_swizzle(uint32_t swizzle, uint8_t out[4]) {
    static_assert(uint8_t(hw::Channel::Zero) == units::kZero && uint8_t(hw::Channel::One) == units::kOne);
    for (unsigned c = 0; c < 4; ++c)
        out[c] = uint8_t(hw::swizzle_channel(swizzle, c));
}

/// The numbers in staging registers; absent ones are 0.
units::ColorRegisters registers_of(const wave::U32* in, unsigned count, isa::RegisterFormat format);

/// Converts a value to a register format: a 32-bit word, or the low half. kAuto: unchanged.
uint32_t to_register(isa::RegisterFormat format, NumberKind kind, uint32_t bits);
inline bool is_half(isa::RegisterFormat f) {
    return f == isa::RegisterFormat::kF16 || f == isa::RegisterFormat::kS16 || f == isa::RegisterFormat::kU16;
}
/// Writes components to staging registers of a lane: words, or halves packed in pairs.
template <class Registers>
void put_components(isa::RegisterFormat format, NumberKind kind, const uint32_t* bits, unsigned count,
                    Registers* out, unsigned lane) {
    for (unsigned c = 0; c < count; ++c) {
        const uint32_t v = to_register(format, kind, bits[c]);
        if (!is_half(format))
            out[c][lane] = v;
        else if (c % 2 == 0)
            out[c / 2][lane] = v & 0xffff;
        else
            out[c / 2][lane] = out[c / 2][lane] | v << 16;
    }
}

}  // namespace terrazzo::mali::sim
