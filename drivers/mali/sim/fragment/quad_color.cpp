// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/fragment/quad_color.h"

#include <algorithm>
#include <cstring>

#include "drivers/common/units/quad_half.h"

namespace terrazzo::mali::sim {

namespace {

using F4 = units::QuadF32;
using U4 = units::QuadU32;
using I4 = units::QuadI32;
using D4 = units::QuadF64;
using U64x4 = units::QuadLanes<uint64_t>;

#define TERRAZZO_INLINE [[gnu::always_inline]] inline

TERRAZZO_INLINE U4 select(U4 mask, U4 yes, U4 no) {
    return (yes & mask) | (no & ~mask);
}
TERRAZZO_INLINE F4 select(U4 mask, F4 yes, F4 no) {
    return F4(select(mask, U4(yes), U4(no)));
}
TERRAZZO_INLINE F4 splat(float v) {
    return F4{v, v, v, v};
}
/// NaN becomes 0.
TERRAZZO_INLINE F4 clamp01(F4 v) {
    const F4 most = select(U4(splat(1) < v), splat(1), v);
    return select(U4(v > splat(0)), most, splat(0));
}

/// The nearest integers of v * high, for v in [0, 1]: one rounding, with ties to even.
template <bool kFma>
TERRAZZO_INLINE U4 scale_up(F4 v, float high) {
    if constexpr (kFma) {
        // The unit of floats from 2^23 on is 1, and those of the product are lost in one rounding.
        F4 out;
        for (unsigned i = 0; i < 4; ++i)
            out[i] = __builtin_fmaf(v[i], high, 0x1p23f);
        return U4(out) & 0x7fffffu;
    } else {
        const D4 out = __builtin_convertvector(v, D4) * double(high) + 0x1p52;
        return __builtin_convertvector(U64x4(out) & 0xffffffffu, U4);
    }
}
TERRAZZO_INLINE F4 scale_down(U4 v, float high) {
    return __builtin_convertvector(I4(v), F4) / splat(high);
}

struct Terms {
    F4 source, dest, source_alpha, dest_alpha;
    float constant;
};
TERRAZZO_INLINE F4 operand_a(hw::BlendOperandA a, const Terms& t) {
    switch (a) {
        case hw::BlendOperandA::Src:
            return t.source;
        case hw::BlendOperandA::Dest:
            return t.dest;
        case hw::BlendOperandA::Unused:
        case hw::BlendOperandA::Zero:
            break;
    }
    return splat(0);
}
TERRAZZO_INLINE F4 operand_b(hw::BlendOperandB b, const Terms& t) {
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
TERRAZZO_INLINE F4 operand_c(hw::BlendOperandC c, const Terms& t) {
    switch (c) {
        case hw::BlendOperandC::Unused:
        case hw::BlendOperandC::Zero:
            return splat(0);
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
    return splat(t.constant);
}
TERRAZZO_INLINE F4 evaluate(const hw::BlendFunction& f, const Terms& t) {
    F4 a = operand_a(f.a, t), b = operand_b(f.b, t), c = operand_c(f.c, t);
    if (f.negate_a) a = -a;
    if (f.negate_b) b = -b;
    if (f.invert_c) c = splat(1) - c;
    return a + b * c;
}

TERRAZZO_INLINE U4 load_rows(const uint8_t* top, const uint8_t* bottom) {
    uint64_t rows[2];
    std::memcpy(&rows[0], top, 8);
    std::memcpy(&rows[1], bottom, 8);
    using U64x2 [[gnu::vector_size(16)]] = uint64_t;
    return U4(U64x2{rows[0], rows[1]});
}
TERRAZZO_INLINE void store_rows(U4 v, uint8_t* top, uint8_t* bottom) {
    using U64x2 [[gnu::vector_size(16)]] = uint64_t;
    const auto rows = U64x2(v);
    const uint64_t low = rows[0], high = rows[1];
    std::memcpy(top, &low, 8);
    std::memcpy(bottom, &high, 8);
}

template <bool kFma>
TERRAZZO_INLINE void blend(const QuadColor& k, U4 stored, F4 s[4]) {
    F4 d[4];
    for (unsigned c = 0; c < 4; ++c) {
        const QuadColor::Channel& to = k.channel[c];
        d[c] = to.bits ? scale_down(stored >> to.shift & ((1u << to.bits) - 1), to.high) : splat(1);
        if (to.rounds_source) s[c] = scale_down(scale_up<kFma>(s[c], to.high), to.high);
    }
    const F4 source_alpha = s[3];
    for (unsigned c = 0; c < 4; ++c) {
        const Terms t{s[c], d[c], source_alpha, d[3], k.channel[c].constant};
        s[c] = clamp01(evaluate(c < 3 ? k.rgb : k.alpha, t));
    }
}

template <bool kHalves>
TERRAZZO_INLINE void load_source(const wave::U32* in, unsigned in_count, unsigned first_lane, F4 s[4]) {
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned reg = kHalves ? c / 2 : c;
        U4 word{};
        if (reg < in_count)
            std::memcpy(&word, reinterpret_cast<const uint32_t*>(&in[reg]) + first_lane, sizeof(word));
        s[c] = clamp01(kHalves ? units::from_halves(c % 2 ? word >> 16 : word & 0xffffu) : F4(word));
    }
}

template <bool kFma, bool kHalves>
TERRAZZO_INLINE void write(const QuadColor& k, const wave::U32* in, unsigned in_count, uint32_t lanes,
                           const uint32_t* first_pixel, unsigned row_px, uint8_t* color) {
    for (unsigned q = 0; lanes >> 4 * q; ++q) {
        const unsigned mask = lanes >> 4 * q & 15;
        if (!mask) continue;
        uint8_t *top = color + size_t(first_pixel[q]) * 4, *bottom = top + size_t(row_px) * 4;
        F4 s[4];
        load_source<kHalves>(in, in_count, 4 * q, s);
        if (k.alpha_to_one) s[3] = splat(1);
        const U4 stored = load_rows(top, bottom);
        if (k.blends) blend<kFma>(k, stored, s);
        U4 word{};
        for (unsigned c = 0; c < 4; ++c)
            word |= scale_up<kFma>(s[c], k.channel[c].high) << k.channel[c].shift;
        word = (word & ~k.kept) | (stored & k.kept);
        const U4 lane = {1, 2, 4, 8};
        store_rows(select(U4((lane & mask) != 0), word, stored), top, bottom);
    }
}

#undef TERRAZZO_INLINE

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void write_fast(const QuadColor& k, const wave::U32* in, unsigned in_count,
                                            uint32_t lanes, const uint32_t* first_pixel, unsigned row_px,
                                            uint8_t* color) {
    if (k.halves)
        write<true, true>(k, in, in_count, lanes, first_pixel, row_px, color);
    else
        write<true, false>(k, in, in_count, lanes, first_pixel, row_px, color);
}
const bool kHasFma = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#endif

}  // namespace

bool quad_color(const TileFormat& format, const hw::Blend* equation, bool fixed_function, bool srgb,
                bool halves, QuadColor* out) {
    if (srgb || format.raw) return false;
    *out = {};
    out->halves = halves;
    out->alpha_to_one = equation && equation->alpha_to_one;
    out->blends = equation && fixed_function;
    if (equation) {
        out->rgb = equation->equation.rgb;
        out->alpha = equation->equation.alpha;
    }
    for (unsigned c = 0, shift = 0; c < 4; ++c) {
        QuadColor::Channel& to = out->channel[c];
        to.bits = format.bits[c];
        to.shift = to.bits ? uint8_t(shift + format.fraction[c]) : 0;
        to.high = float((1u << to.bits) - 1);
        to.rounds_source = out->blends && to.bits == 8;
        if (equation) {
            const unsigned bits = std::max(format.bits[c], format.bits[0]);
            to.constant = float(equation->constant >> (16 - bits)) / float((1u << bits) - 1);
            if (!(equation->equation.color_mask >> c & 1) && to.bits)
                out->kept |= ((1u << to.bits) - 1) << to.shift;
        }
        shift += format.bits[c] + format.fraction[c];
    }
    return true;
}

void write_quads_portable(const QuadColor& k, const wave::U32* in, unsigned in_count, uint32_t lanes,
                          const uint32_t* first_pixel, unsigned row_px, uint8_t* color) {
    if (k.halves)
        write<false, true>(k, in, in_count, lanes, first_pixel, row_px, color);
    else
        write<false, false>(k, in, in_count, lanes, first_pixel, row_px, color);
}

void write_quads(const QuadColor& k, const wave::U32* in, unsigned in_count, uint32_t lanes,
                 const uint32_t* first_pixel, unsigned row_px, uint8_t* color) {
#if defined(__x86_64__)
    if (kHasFma) return write_fast(k, in, in_count, lanes, first_pixel, row_px, color);
#endif
    write_quads_portable(k, in, in_count, lanes, first_pixel, row_px, color);
}

}  // namespace terrazzo::mali::sim
