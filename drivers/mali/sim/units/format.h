// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixel formats as the attribute and texture units read them: from bytes to four numbers.
#pragma once

#include <cstdint>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::sim {

enum class NumberKind : uint8_t { Float, Uint, Sint };

/// A pixel format found once; reading a pixel asks nothing again.
struct FormatReader {
    pipe::Format format = pipe::Format::None;
    const pipe::FormatOps* ops = nullptr;
    NumberKind kind = NumberKind::Float;
    unsigned size_B = 0;             // of a pixel, or a block
    uint8_t from[4] = {0, 1, 2, 3};  // components of what `ops` unpacks; 4: zero, 5: one
    bool depth = false, stencil = false;

    explicit operator bool() const { return format != pipe::Format::None; }
    uint32_t one() const { return kind == NumberKind::Float ? 0x3f800000u : 1u; }
    /// Bits of four floats or integers. Not for compressed formats.
    void read(const void* pixel, uint32_t out[4]) const;
    void order(const uint32_t in[4], uint32_t out[4]) const;
};

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
