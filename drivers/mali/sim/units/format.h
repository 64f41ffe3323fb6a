// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixel formats by the codes of descriptors, and numbers in registers.
#pragma once

#include <cstdint>

#include "drivers/common/units/format.h"
#include "drivers/mali/hw/formats.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::sim {

using units::FormatReader;
using units::NumberKind;

/// Neither compressed nor in a plane: an attribute's. False: there is no such format.
FormatReader attribute_format(uint32_t pixel_format);
/// Of a texture whose plane has that clump format.
FormatReader texture_format(uint32_t pixel_format, hw::ClumpFormat clump);
FormatReader astc_format(unsigned block_w_px, unsigned block_h_px, bool srgb);

/// What a register format makes of a value: one word of 32 bits, or the low half. kAuto: as it is.
uint32_t to_register(isa::RegisterFormat format, NumberKind kind, uint32_t bits);
inline bool is_half(isa::RegisterFormat f) {
    return f == isa::RegisterFormat::kF16 || f == isa::RegisterFormat::kS16 || f == isa::RegisterFormat::kU16;
}
/// Components into staging registers of a lane: words, or halves packed in pairs.
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
