// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending computes with the integers of pipe/raster/blend.h. Vectors have eight lanes on CPUs with AVX2,
// otherwise four: the compiler splits comparisons of longer ones into single lanes.
#include "drivers/common/units/rgba8.h"

#include <bit>

#include "drivers/common/units/quad_half.h"
#include "drivers/common/wave/avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace terrazzo::units {

namespace {

using wave::U32;

#define TERRAZZO_INLINE [[gnu::always_inline]] inline

using Eight [[gnu::vector_size(32)]] = uint32_t;
using EightFloats [[gnu::vector_size(32)]] = float;

template <class V>
struct FloatsOf;
template <>
struct FloatsOf<QuadU32> {
    using type = QuadF32;
};
template <>
struct FloatsOf<Eight> {
    using type = EightFloats;
};

// Functions for other CPUs than their caller's must not have long vectors as arguments: Clang refuses them.
template <class V>
TERRAZZO_INLINE void load_part(const U32* v, unsigned part, V* out) {
    std::memcpy(out, reinterpret_cast<const char*>(v) + part * sizeof(V), sizeof(V));
}
template <class V>
TERRAZZO_INLINE V part_of(const U32* v, unsigned part) {
    V out;
    load_part(v, part, &out);
    return out;
}
template <class V>
TERRAZZO_INLINE V select(V mask, V yes, V no) {
    return (yes & mask) | (no & ~mask);
}
template <class V>
TERRAZZO_INLINE V least(V a, V b) {
    return select(V(a < b), a, b);
}
template <class V>
TERRAZZO_INLINE V greatest(V a, V b) {
    return select(V(a > b), a, b);
}

/// Bits of floats to 0..255.
template <class V>
TERRAZZO_INLINE void make_bytes(V* bits) {
    using F = typename FloatsOf<V>::type;
    auto v = F(*bits);
    const F zero{}, one = zero + 1.0f;
    v = v > zero ? v : zero;
    v = v < one ? v : one;
    // From 2^23 on, the low bits of a float are an integer.
    *bits = V(v * 255.0f + 0x1.8p23f) & 255u;
}
template <class V>
TERRAZZO_INLINE V to_bytes(V bits) {
    make_bytes(&bits);
    return bits;
}

template <class V>
struct Operands {
    V src[4], second[4], dst[4];
    uint32_t constant[4];
};

template <class V>
TERRAZZO_INLINE V factor_of(pipe::BlendFactor f, const Operands<V>& o, unsigned c) {
    using enum pipe::BlendFactor;
    switch (f) {
        case Zero:
            break;
        case One:
            return V{} + 255u;
        case SrcColor:
            return o.src[c];
        case OneMinusSrcColor:
            return 255u - o.src[c];
        case DstColor:
            return o.dst[c];
        case OneMinusDstColor:
            return 255u - o.dst[c];
        case SrcAlpha:
            return o.src[3];
        case OneMinusSrcAlpha:
            return 255u - o.src[3];
        case DstAlpha:
            return o.dst[3];
        case OneMinusDstAlpha:
            return 255u - o.dst[3];
        case ConstColor:
            return V{} + o.constant[c];
        case OneMinusConstColor:
            return V{} + (255u - o.constant[c]);
        case ConstAlpha:
            return V{} + o.constant[3];
        case OneMinusConstAlpha:
            return V{} + (255u - o.constant[3]);
        case SrcAlphaSaturate:
            return c == 3 ? V{} + 255u : least(o.src[3], 255u - o.dst[3]);
        case Src1Color:
            return o.second[c];
        case OneMinusSrc1Color:
            return 255u - o.second[c];
        case Src1Alpha:
            return o.second[3];
        case OneMinusSrc1Alpha:
            return 255u - o.second[3];
    }
    return V{};
}

// The nearest integer to v / 255, at most 255; v <= 2 * 255 * 255.
template <class V>
TERRAZZO_INLINE V nearest(V v) {
    const V t = least(v, V{} + 255u * 255u) + 127u;
    return (t + 1u + (t >> 8)) >> 8;
}
template <class V>
TERRAZZO_INLINE V difference(V a, V b) {
    return (a - b) & V(a > b);
}

template <class V>
TERRAZZO_INLINE V equation(pipe::BlendOp op, pipe::BlendFactor src, pipe::BlendFactor dst,
                           const Operands<V>& o, unsigned c) {
    const V a = o.src[c], b = o.dst[c];
    switch (op) {
        case pipe::BlendOp::Add:
            return nearest(a * factor_of(src, o, c) + b * factor_of(dst, o, c));
        case pipe::BlendOp::Subtract:
            return nearest(difference(a * factor_of(src, o, c), b * factor_of(dst, o, c)));
        case pipe::BlendOp::ReverseSubtract:
            return nearest(difference(b * factor_of(dst, o, c), a * factor_of(src, o, c)));
        case pipe::BlendOp::Min:
            return least(a, b);
        case pipe::BlendOp::Max:
            break;
    }
    return greatest(a, b);
}

template <class V>
TERRAZZO_INLINE void blend(const ColorTarget& how, const U32& source, const U32* second, U32* stored) {
    Operands<V> o;
    for (unsigned c = 0; c < 4; ++c)
        o.constant[c] = to_bytes(QuadU32{} + std::bit_cast<uint32_t>(how.constant[c]))[0];
    const pipe::BlendTargetDesc& b = how.blend;
    for (unsigned part = 0; part < sizeof(U32) / sizeof(V); ++part) {
        const V from = part_of<V>(&source, part), other = second ? part_of<V>(second, part) : V{},
                before = part_of<V>(stored, part);
        for (unsigned c = 0; c < 4; ++c) {
            o.src[c] = from >> 8 * c & 255u;
            o.second[c] = other >> 8 * c & 255u;
            o.dst[c] = before >> 8 * c & 255u;
        }
        V out{};
        for (unsigned c = 0; c < 4; ++c) {
            const V v = !(b.write_mask >> c & 1) ? o.dst[c]
                        : !b.enable              ? o.src[c]
                        : c == 3                 ? equation(b.op_alpha, b.src_alpha, b.dst_alpha, o, c)
                                                 : equation(b.op_rgb, b.src_rgb, b.dst_rgb, o, c);
            out |= v << 8 * c;
        }
        std::memcpy(reinterpret_cast<char*>(stored) + part * sizeof(V), &out, sizeof(V));
    }
}

#if defined(__x86_64__)
// The bytes of eight pixels, from their channels. Values below 0 and NaN become negative integers, which
// saturate.
[[gnu::target("avx2")]] inline __m256i bytes_of(const __m256 (&v)[4]) {
    const auto integers = [](__m256 x) __attribute__((target("avx2"), always_inline)) {
        return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_min_ps(_mm256_set1_ps(1), x), _mm256_set1_ps(255)));
    };
    const __m256i channels = _mm256_packus_epi16(_mm256_packs_epi32(integers(v[0]), integers(v[1])),
                                                 _mm256_packs_epi32(integers(v[2]), integers(v[3])));
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm256_shuffle_epi8(channels, _mm256_broadcastsi128_si256(order));
}

[[gnu::target("avx2")]] inline __m256i eight_of(const ColorRegisters& from, unsigned c, unsigned part) {
    const U32* const group = from.channel[c] + size_t(part / 2) * from.group_distance;
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(group) + part % 2);
}

// Whether channels c and c + 1 are the halves of the same words.
bool are_pair(const ColorRegisters& from, unsigned c) {
    return from.channel[c] && from.channel[c] == from.channel[c + 1] && from.shift[c] == 0 &&
           from.shift[c + 1] == 16;
}

[[gnu::target("avx2,f16c")]] void pack_pairs(const ColorRegisters& from, unsigned parts, __m256i* out) {
    // The low halves of four words, then their high ones.
    const __m128i halves = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const auto split = [&](unsigned c, unsigned part, __m256* low, __m256* high)
        __attribute__((target("avx2,f16c"), always_inline)) {
        const __m256i both = _mm256_permute4x64_epi64(
            _mm256_shuffle_epi8(eight_of(from, c, part), _mm256_broadcastsi128_si256(halves)),
            _MM_SHUFFLE(3, 1, 2, 0));
        *low = _mm256_cvtph_ps(_mm256_castsi256_si128(both));
        *high = _mm256_cvtph_ps(_mm256_extracti128_si256(both, 1));
    };
    for (unsigned part = 0; part < parts; ++part) {
        __m256 v[4];
        split(0, part, &v[0], &v[1]);
        split(2, part, &v[2], &v[3]);
        _mm256_storeu_si256(out + part, bytes_of(v));
    }
}

template <bool kHalves>
[[gnu::target("avx2,f16c")]] void pack_channels(const ColorRegisters& from, unsigned parts, __m256i* out) {
    for (unsigned part = 0; part < parts; ++part) {
        __m256 v[4];
        for (unsigned c = 0; c < 4; ++c) {
            if (!from.channel[c]) {
                v[c] = _mm256_setzero_ps();
                continue;
            }
            const __m256i words = eight_of(from, c, part);
            if constexpr (kHalves) {
                const __m256i half = _mm256_and_si256(
                    _mm256_srl_epi32(words, _mm_cvtsi32_si128(from.shift[c])), _mm256_set1_epi32(0xffff));
                v[c] = _mm256_cvtph_ps(
                    _mm_packus_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
            } else {
                v[c] = _mm256_castsi256_ps(words);
            }
        }
        _mm256_storeu_si256(out + part, bytes_of(v));
    }
}

void pack_fast(const ColorRegisters& from, unsigned groups, U32* out) {
    const unsigned parts = groups * unsigned(sizeof(U32) / sizeof(__m256i));
    auto* const to = reinterpret_cast<__m256i*>(out);
    if (!from.halves) return pack_channels<false>(from, parts, to);
    if (are_pair(from, 0) && are_pair(from, 2)) return pack_pairs(from, parts, to);
    pack_channels<true>(from, parts, to);
}
[[gnu::target("avx2")]] void blend_fast(const ColorTarget& how, const U32& source, const U32* second,
                                        U32* stored) {
    blend<Eight>(how, source, second, stored);
}
#endif

}  // namespace

U32 ColorRegisters::number(unsigned c, unsigned group) const {
    if (!channel[c]) return U32{};
    const U32& word = channel[c][size_t(group) * group_distance];
    if (!halves) return word;
    const U32 bits = word >> shift[c] & 0xffffu;
    if (kind == NumberKind::Uint) return bits;
    if (kind == NumberKind::Sint) return U32(wave::I32(bits << 16) >> 16);
    QuadF32 out[wave::kLanes / kQuadPixels];
    for (unsigned q = 0; q < wave::kLanes / kQuadPixels; ++q)
        out[q] = from_halves(part_of<QuadU32>(&bits, q));
    U32 all;
    std::memcpy(&all, out, sizeof all);
    return all;
}

void pack_rgba8_portable(const ColorRegisters& from, unsigned groups, U32* out) {
    for (unsigned g = 0; g < groups; ++g) {
        QuadU32 pixels[wave::kLanes / kQuadPixels] = {};
        for (unsigned c = 0; c < 4; ++c) {
            const U32 bits = from.number(c, g);
            for (unsigned q = 0; q < wave::kLanes / kQuadPixels; ++q)
                pixels[q] |= to_bytes(part_of<QuadU32>(&bits, q)) << 8 * c;
        }
        std::memcpy(&out[g], pixels, sizeof pixels);
    }
}
void pack_rgba8(const ColorRegisters& from, unsigned groups, U32* out) {
#if defined(__x86_64__)
    if (wave::kHasAvx2) return pack_fast(from, groups, out);
#endif
    pack_rgba8_portable(from, groups, out);
}

void blend_rgba8_portable(const ColorTarget& how, const U32& source, const U32* second, U32* stored) {
    blend<QuadU32>(how, source, second, stored);
}
void blend_rgba8(const ColorTarget& how, const U32& source, const U32* second, U32* stored) {
#if defined(__x86_64__)
    if (wave::kHasAvx2) return blend_fast(how, source, second, stored);
#endif
    blend_rgba8_portable(how, source, second, stored);
}

}  // namespace terrazzo::units
