// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vectors of four lanes, for the steps of a sampler. Internal to units/.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "drivers/common/wave/lanes.h"
#include "pipe/raster/sample.h"

namespace terrazzo::units::four {

// Four lanes: compilers compare wider vectors element by element where the host has none.
inline constexpr unsigned kFour = 4;
using I4 [[gnu::vector_size(16)]] = int32_t;
using F4 [[gnu::vector_size(16)]] = float;
using D4 [[gnu::vector_size(32)]] = double;

template <class T>
inline T load(const void* from) {
    T out;
    std::memcpy(&out, from, sizeof out);
    return out;
}
template <class T>
inline void store(const T& vector, void* out) {
    std::memcpy(out, &vector, sizeof vector);
}
// Four lanes of sixteen.
inline F4 four_of(const wave::F32& v, unsigned first) {
    return load<F4>(reinterpret_cast<const uint8_t*>(&v) + first * sizeof(float));
}

inline bool is_any(I4 mask) {
    uint64_t word[2];
    store(mask, word);
    return (word[0] | word[1]) != 0;
}
// `mask`: all ones or zero.
inline uint32_t bits_of(I4 mask) {
#if defined(__x86_64__)
    return uint32_t(__builtin_ia32_movmskps(F4(mask)));
#else
    uint32_t bits = 0;
    for (unsigned n = 0; n < kFour; ++n)
        bits |= uint32_t(mask[n] != 0) << n;
    return bits;
#endif
}

// The words with the signs and exponents.
inline I4 high_words(const D4& v) {
    using I8 [[gnu::vector_size(32)]] = int32_t;
    constexpr bool kLast = std::endian::native == std::endian::little;
    const auto w = I8(v);
    return kLast ? __builtin_shufflevector(w, w, 1, 3, 5, 7) : __builtin_shufflevector(w, w, 0, 2, 4, 6);
}

// The largest integer that is not above a value between -2^31 and 2^31, and the fraction; 0 if that would
// round to 1. Without the C library's floor(): the basic instruction sets of hosts have no such instruction.
struct Split {
    I4 whole;
    F4 fraction;
};
inline Split split(const D4& value) {
    const D4 v = value + 0.0;  // not -0, so that a difference is only negative below an integer
    const I4 cut = __builtin_convertvector(v, I4);
    D4 f = v - __builtin_convertvector(cut, D4);
    const I4 is_below = high_words(f) >> 31;  // -1
    f -= __builtin_convertvector(is_below, D4);
    const I4 is_one = high_words(f) >= 0x3ff00000;
    return {cut + is_below, F4(I4(__builtin_convertvector(f, F4)) & ~is_one)};
}

// The texels for integer coordinates; -1: the border.
inline I4 wrap(pipe::Wrap mode, I4 i, I4 size) {
    if (mode == pipe::Wrap::ClampToEdge) {
        i &= ~(i >> 31);
        const I4 is_beyond = i >= size;
        return (i & ~is_beyond) | ((size - 1) & is_beyond);
    }
    const I4 is_outside = (i >> 31) | I4(i >= size);
    if (!is_any(is_outside)) return i;
    if (mode == pipe::Wrap::ClampToBorder) return i | is_outside;
    if (mode == pipe::Wrap::Repeat && !is_any(size & (size - 1))) return i & (size - 1);
    for (unsigned n = 0; n < kFour; ++n)
        i[n] = pipe::raster::wrap_texel(mode, i[n], size[n]);
    return i;
}

// Transposes four rows of four numbers.
template <class T>
inline void transpose(const T (*rows)[4], wave::U32 columns[4]) {
    for (unsigned n = 0; n < wave::kLanes; n += kFour) {
        const auto a = load<F4>(rows[n]), b = load<F4>(rows[n + 1]), c = load<F4>(rows[n + 2]),
                   d = load<F4>(rows[n + 3]);
        const F4 low[2] = {__builtin_shufflevector(a, b, 0, 4, 1, 5),
                           __builtin_shufflevector(c, d, 0, 4, 1, 5)};
        const F4 high[2] = {__builtin_shufflevector(a, b, 2, 6, 3, 7),
                            __builtin_shufflevector(c, d, 2, 6, 3, 7)};
        const auto put = [&](unsigned c, const F4& v) {
            store(v, reinterpret_cast<uint8_t*>(&columns[c]) + n * sizeof(float));
        };
        put(0, __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5));
        put(1, __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7));
        put(2, __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5));
        put(3, __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7));
    }
}

}  // namespace terrazzo::units::four
