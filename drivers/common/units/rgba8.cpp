// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending computes with the integers of pipe/raster/blend.h.
#include "drivers/common/units/rgba8.h"

#include <bit>

namespace terrazzo::units {

namespace {

using wave::U32;

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

U32 blend_rgba8(const ColorTarget& how, const U32 source[4], const U32* second, U32 stored) {
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

namespace {

void pack_plain(const U32* const channel[4], bool halves, unsigned groups, U32* out) {
    for (unsigned g = 0; g < groups; ++g) {
        U32 pixels{};
        for (unsigned c = 0; c < 4; ++c)
            pixels |= to_bytes(halves ? floats_of_halves(channel[c][g]) : channel[c][g]) << 8 * c;
        out[g] = pixels;
    }
}

#if defined(__x86_64__)
using Eight [[gnu::vector_size(32)]] = float;
using EightWords [[gnu::vector_size(32)]] = uint32_t;
using Shorts [[gnu::vector_size(16)]] = short;

template <bool kHalves>
[[gnu::target("avx2,f16c")]] void pack_fast(const U32* const channel[4], unsigned groups, U32* out) {
    constexpr unsigned kParts = sizeof(U32) / sizeof(Eight);
    for (unsigned part = 0; part < groups * kParts; ++part) {
        EightWords pixels{};
        for (unsigned c = 0; c < 4; ++c) {
            EightWords bits;
            std::memcpy(&bits, reinterpret_cast<const char*>(channel[c]) + part * sizeof bits, sizeof bits);
            auto v = Eight(bits);
            if constexpr (kHalves) v = __builtin_ia32_vcvtph2ps256(__builtin_convertvector(bits, Shorts));
            const Eight zero{}, one = zero + 1.0f;
            v = v > zero ? v : zero;
            v = v < one ? v : one;
            pixels |= (EightWords(v * 255.0f + 0x1.8p23f) & 255u) << 8 * c;
        }
        std::memcpy(reinterpret_cast<char*>(out) + part * sizeof pixels, &pixels, sizeof pixels);
    }
}
// Every CPU with AVX2 has F16C (x86-64-v3); Clang 14 has no name to ask for it.
const bool kHasHalves = __builtin_cpu_supports("avx2");
#endif

}  // namespace

void pack_rgba8(const U32* const channel[4], bool halves, unsigned groups, U32* out) {
#if defined(__x86_64__)
    if (kHasHalves)
        return halves ? pack_fast<true>(channel, groups, out) : pack_fast<false>(channel, groups, out);
#endif
    pack_plain(channel, halves, groups, out);
}

}  // namespace terrazzo::units
