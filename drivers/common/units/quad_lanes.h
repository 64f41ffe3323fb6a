// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The four pixels of a quad as vectors of the host, in the order (0,0), (1,0), (0,1), (1,1).
#pragma once

#include <cstdint>

namespace terrazzo::units {

inline constexpr unsigned kQuadPixels = 4;

template <class T>
using QuadLanes [[gnu::vector_size(sizeof(T) * kQuadPixels)]] = T;
using QuadU32 = QuadLanes<uint32_t>;
using QuadI32 = QuadLanes<int32_t>;
using QuadF32 = QuadLanes<float>;
using QuadF64 = QuadLanes<double>;

/// The two pixels of a row: the host may have no vectors of four doubles.
using RowF64 [[gnu::vector_size(16)]] = double;
using RowF32 [[gnu::vector_size(8)]] = float;

inline QuadF64 quad_of(RowF64 first, RowF64 second) {
    return QuadF64{first[0], first[1], second[0], second[1]};
}
/// Rounded to floats.
inline QuadF32 to_floats(RowF64 first, RowF64 second) {
    return __builtin_shufflevector(__builtin_convertvector(first, RowF32),
                                   __builtin_convertvector(second, RowF32), 0, 1, 2, 3);
}

/// a < b ? a : b, which is b if one of them is NaN; max_of() likewise. V: QuadF32, RowF64.
template <class V>
[[gnu::always_inline]] inline V min_of(V a, V b) {
#if defined(__x86_64__)
    if constexpr (sizeof(a[0]) == sizeof(float))
        return __builtin_ia32_minps(a, b);
    else
        return __builtin_ia32_minpd(a, b);
#else
    return a < b ? a : b;
#endif
}
template <class V>
[[gnu::always_inline]] inline V max_of(V a, V b) {
#if defined(__x86_64__)
    if constexpr (sizeof(a[0]) == sizeof(float))
        return __builtin_ia32_maxps(a, b);
    else
        return __builtin_ia32_maxpd(a, b);
#else
    return a > b ? a : b;
#endif
}

/// A bit for each pixel whose sign bit is set.
[[gnu::always_inline]] inline unsigned sign_bits(QuadI32 v) {
#if defined(__x86_64__)
    return unsigned(__builtin_ia32_movmskps(QuadF32(v)));
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < kQuadPixels; ++i)
        bits |= unsigned(v[i] < 0) << i;
    return bits;
#endif
}

/// The sign bits of four quads, 4 bits each.
inline unsigned sign_bits(const QuadI32 (&v)[4]) {
#if defined(__x86_64__)
    // The packing instructions saturate, which keeps the signs.
    const auto low = __builtin_ia32_packssdw128(v[0], v[1]), high = __builtin_ia32_packssdw128(v[2], v[3]);
    return unsigned(__builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(low, high)));
#else
    return sign_bits(v[0]) | sign_bits(v[1]) << 4 | sign_bits(v[2]) << 8 | sign_bits(v[3]) << 12;
#endif
}

/// All ones in the pixels whose bit is set, zero in the others.
[[gnu::always_inline]] inline QuadI32 lanes_of(unsigned bits) {
    constexpr QuadI32 kBit = {1, 2, 4, 8};
    return QuadI32((int32_t(bits) & kBit) == kBit);
}

[[gnu::always_inline]] inline QuadI32 select(QuadI32 mask, QuadI32 yes, QuadI32 no) {
    return (yes & mask) | (no & ~mask);
}
[[gnu::always_inline]] inline QuadU32 select(QuadI32 mask, QuadU32 yes, QuadU32 no) {
    return QuadU32(select(mask, QuadI32(yes), QuadI32(no)));
}

/// An integer at the first pixel, and its steps to the right and down, at each pixel.
inline QuadI32 quad_steps(int32_t to_right, int32_t down) {
    return QuadI32{0, to_right, down, int32_t(uint32_t(to_right) + uint32_t(down))};
}

}  // namespace terrazzo::units
