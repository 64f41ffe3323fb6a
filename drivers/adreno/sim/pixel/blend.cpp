// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending of four channels of 8 bits, 16 pixels at a time: the integers of pipe/raster/blend.h.
#include <bit>

#include "drivers/adreno/sim/pixel/colors.h"

namespace terrazzo::adreno::sim {

namespace {

struct Operands {
    U32 src[4], second[4], dst[4];
    uint32_t constant[4];
};

U32 factor_of(pipe::BlendFactor f, const Operands& o, unsigned c) {
    using enum pipe::BlendFactor;
    switch (f) {
        case Zero:
            break;
        case One:
            return wave::splat(255);
        case SrcColor:
            return o.src[c];
        case OneMinusSrcColor:
            return 255 - o.src[c];
        case DstColor:
            return o.dst[c];
        case OneMinusDstColor:
            return 255 - o.dst[c];
        case SrcAlpha:
            return o.src[3];
        case OneMinusSrcAlpha:
            return 255 - o.src[3];
        case DstAlpha:
            return o.dst[3];
        case OneMinusDstAlpha:
            return 255 - o.dst[3];
        case ConstColor:
            return wave::splat(o.constant[c]);
        case OneMinusConstColor:
            return wave::splat(255 - o.constant[c]);
        case ConstAlpha:
            return wave::splat(o.constant[3]);
        case OneMinusConstAlpha:
            return wave::splat(255 - o.constant[3]);
        case SrcAlphaSaturate: {
            const U32 rest = 255 - o.dst[3];
            return c == 3 ? wave::splat(255) : wave::select(U32(o.src[3] < rest), o.src[3], rest);
        }
        case Src1Color:
            return o.second[c];
        case OneMinusSrc1Color:
            return 255 - o.second[c];
        case Src1Alpha:
            return o.second[3];
        case OneMinusSrc1Alpha:
            return 255 - o.second[3];
    }
    return U32{};
}

// The nearest integer to v / 255, at most 255; v <= 2 * 255 * 255.
U32 nearest(U32 v) {
    const U32 most = wave::splat(255 * 255);
    const U32 t = wave::select(U32(v < most), v, most) + 127;
    return (t + 1 + (t >> 8)) >> 8;
}
U32 difference(U32 a, U32 b) {
    return wave::select(U32(a > b), a - b, U32{});
}

U32 equation(pipe::BlendOp op, pipe::BlendFactor src, pipe::BlendFactor dst, const Operands& o, unsigned c) {
    const U32 a = o.src[c], b = o.dst[c];
    switch (op) {
        case pipe::BlendOp::Add:
            return nearest(a * factor_of(src, o, c) + b * factor_of(dst, o, c));
        case pipe::BlendOp::Subtract:
            return nearest(difference(a * factor_of(src, o, c), b * factor_of(dst, o, c)));
        case pipe::BlendOp::ReverseSubtract:
            return nearest(difference(b * factor_of(dst, o, c), a * factor_of(src, o, c)));
        case pipe::BlendOp::Min:
            return wave::select(U32(a < b), a, b);
        case pipe::BlendOp::Max:
            break;
    }
    return wave::select(U32(a > b), a, b);
}

}  // namespace

U32 blend_bytes(const units::ColorTarget& how, const U32 source[4], const U32* second, U32 stored) {
    Operands o;
    for (unsigned c = 0; c < 4; ++c) {
        o.src[c] = source[c];
        o.second[c] = second ? second[c] : U32{};
        o.dst[c] = stored >> 8 * c & 255u;
        o.constant[c] = to_bytes(wave::splat(std::bit_cast<uint32_t>(how.constant[c])))[0];
    }
    const pipe::BlendTargetDesc& b = how.blend;
    U32 out{};
    for (unsigned c = 0; c < 4; ++c) {
        const U32 v = !b.enable ? o.src[c]
                      : c == 3  ? equation(b.op_alpha, b.src_alpha, b.dst_alpha, o, c)
                                : equation(b.op_rgb, b.src_rgb, b.dst_rgb, o, c);
        out |= (b.write_mask >> c & 1 ? v : o.dst[c]) << 8 * c;
    }
    return out;
}

}  // namespace terrazzo::adreno::sim
