// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// For channels of 8 bits, the source is rounded to them before the equation, as in pipe/raster/blend.h. A
// channel uses the top bits of its 16-bit constant, as many as the channel has; alpha as many as red. Source:
// Mesa 25.0.7, genxml/v10.xml, pan_blend.c and pan_cmdstream.c.
#include "drivers/mali/sim/fragment/blend.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::mali::sim {

namespace {

// The operands of one channel, and alpha.
struct Terms {
    float source, dest, source_alpha, dest_alpha, constant;
};

float operand_a(hw::BlendOperandA a, const Terms& t) {
    switch (a) {
        case hw::BlendOperandA::Src:
            return t.source;
        case hw::BlendOperandA::Dest:
            return t.dest;
        case hw::BlendOperandA::Unused:
        case hw::BlendOperandA::Zero:
            break;
    }
    return 0;
}
float operand_b(hw::BlendOperandB b, const Terms& t) {
    switch (b) {
        case hw::BlendOperandB::SrcMinusDest:
            return t.source - t.dest;
        case hw::BlendOperandB::SrcPlusDest:
            return t.source + t.dest;
        case hw::BlendOperandB::Src:
            return t.source;
        case hw::BlendOperandB::Dest:
            break;
    }
    return t.dest;
}
float operand_c(hw::BlendOperandC c, const Terms& t) {
    switch (c) {
        case hw::BlendOperandC::Unused:
        case hw::BlendOperandC::Zero:
            return 0;
        case hw::BlendOperandC::Src:
            return t.source;
        case hw::BlendOperandC::Dest:
            return t.dest;
        case hw::BlendOperandC::SrcX2:
            return 2 * t.source;
        case hw::BlendOperandC::SrcAlpha:
            return t.source_alpha;
        case hw::BlendOperandC::DestAlpha:
            return t.dest_alpha;
        case hw::BlendOperandC::Constant:
            break;
    }
    return t.constant;
}
float evaluate(const hw::BlendFunction& f, const Terms& t) {
    float a = operand_a(f.a, t), b = operand_b(f.b, t), c = operand_c(f.c, t);
    if (f.negate_a) a = -a;
    if (f.negate_b) b = -b;
    if (f.invert_c) c = 1 - c;
    return a + b * c;
}

float decode(const TileFormat& f, unsigned c, uint32_t v, bool srgb) {
    if (srgb && c < 3 && f.bits[c] == 8) return pipe::srgb8_to_linear(uint8_t(v));
    return from_unorm(v, f.bits[c]);
}
uint32_t encode(const TileFormat& f, unsigned c, float v, bool srgb) {
    if (srgb && c < 3 && f.bits[c] == 8) return pipe::linear_to_srgb8(v);
    return to_unorm(v, f.bits[c]);
}

}  // namespace

void blend_pixel(const TileFormat& format, const hw::Blend* blend, bool fixed_function, bool srgb,
                 const float source[4], uint8_t* pixel) {
    uint32_t word, dest[4], out[4];
    std::memcpy(&word, pixel, 4);
    unpack_tile(format, word, dest);
    float s[4];
    for (unsigned c = 0; c < 4; ++c)
        s[c] = source[c] > 0 ? std::min(source[c], 1.0f) : 0.0f;
    if (blend && blend->alpha_to_one) s[3] = 1;
    if (fixed_function && blend) {
        float d[4];
        for (unsigned c = 0; c < 4; ++c) {
            d[c] = decode(format, c, dest[c], srgb);
            if (!srgb && format.bits[c] == 8) s[c] = from_unorm(to_unorm(s[c], 8), 8);
        }
        for (unsigned c = 0; c < 4; ++c) {
            const unsigned bits = std::max(format.bits[c], format.bits[0]);
            const Terms t{s[c], d[c], s[3], d[3],
                          float(blend->constant >> (16 - bits)) / float((1u << bits) - 1)};
            out[c] =
                encode(format, c, evaluate(c < 3 ? blend->equation.rgb : blend->equation.alpha, t), srgb);
        }
    } else {
        for (unsigned c = 0; c < 4; ++c)
            out[c] = encode(format, c, s[c], srgb);
    }
    if (blend)
        for (unsigned c = 0; c < 4; ++c)
            if (!(blend->equation.color_mask >> c & 1)) out[c] = dest[c];
    word = pack_tile(format, out);
    std::memcpy(pixel, &word, 4);
}

}  // namespace terrazzo::mali::sim
