// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts one channel's bits to a number and back, and one pixel's channels to memory and back, resolved at
// compile time from the format's row. Internal to the format library. Rules: OpenGL ES 3.2 sections 2.3.4 and
// 2.3.5.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "pipe/format_table.h"
#include "pipe/half.h"

namespace terrazzo::pipe::detail {

constexpr uint32_t bit_mask(unsigned bits) {
    return bits >= 32 ? ~0u : (1u << bits) - 1;
}

template <unsigned kBits>
int32_t sign_extend(uint32_t raw) {
    return int32_t(raw << (32 - kBits)) >> (32 - kBits);
}

// NaN becomes `low`, or 0 if the range has both signs.
inline float clamp_unit(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
inline double clamp_range(float x, double low, double high) {
    if (x != x) return 0;
    return double(x) < low ? low : double(x) > high ? high : double(x);
}

template <ChannelType kType, unsigned kBits>
float decode_channel(uint32_t raw) {
    if constexpr (kType == ChannelType::Unorm) {
        constexpr uint32_t max = bit_mask(kBits);
        // A division is rounded once, as the specification's value. A product with the reciprocal is not.
        if constexpr (kBits <= 16) return float(int32_t(raw)) / float(max);
        return float(double(raw) / double(max));
    } else if constexpr (kType == ChannelType::Snorm) {
        constexpr uint32_t max = bit_mask(kBits - 1);
        const int32_t value = sign_extend<kBits>(raw);
        const float f = kBits <= 16 ? float(value) / float(max) : float(double(value) / double(max));
        return f < -1.0f ? -1.0f : f;
    } else if constexpr (kType == ChannelType::Uscaled || kType == ChannelType::Uint) {
        return float(raw);
    } else if constexpr (kType == ChannelType::Sscaled || kType == ChannelType::Sint) {
        return float(sign_extend<kBits>(raw));
    } else if constexpr (kType == ChannelType::Fixed) {
        return float(int32_t(raw)) * (1.0f / 65536.0f);
    } else if constexpr (kType == ChannelType::Float && kBits == 16) {
        return half_to_float(uint16_t(raw));
    } else {
        static_assert(kType == ChannelType::Float && kBits == 32);
        return std::bit_cast<float>(raw);
    }
}

template <ChannelType kType, unsigned kBits>
uint32_t encode_channel(float x) {
    if constexpr (kType == ChannelType::Unorm) {
        constexpr uint32_t max = bit_mask(kBits);
        if constexpr (kBits <= 16) return uint32_t(std::lrintf(clamp_unit(x) * float(max)));
        return uint32_t(std::llrint(double(clamp_unit(x)) * double(max)));
    } else if constexpr (kType == ChannelType::Snorm) {
        constexpr uint32_t max = bit_mask(kBits - 1);
        const double clamped = clamp_range(x, -1, 1);
        return uint32_t(std::llrint(clamped * double(max))) & bit_mask(kBits);
    } else if constexpr (kType == ChannelType::Uscaled) {
        return uint32_t(std::llrint(clamp_range(x, 0, double(bit_mask(kBits)))));
    } else if constexpr (kType == ChannelType::Sscaled) {
        constexpr double max = double(bit_mask(kBits - 1));
        return uint32_t(std::llrint(clamp_range(x, -max - 1, max))) & bit_mask(kBits);
    } else if constexpr (kType == ChannelType::Fixed) {
        return uint32_t(std::llrint(clamp_range(x, -32768.0, 32768.0 - 1.0 / 65536.0) * 65536.0));
    } else if constexpr (kType == ChannelType::Float && kBits == 16) {
        return float_to_half(x);
    } else {
        static_assert(kType == ChannelType::Float && kBits == 32);
        return std::bit_cast<uint32_t>(x);
    }
}

template <unsigned kBits>
uint32_t clamp_to_uint(uint32_t v) {
    return v > bit_mask(kBits) ? bit_mask(kBits) : v;
}
template <unsigned kBits>
uint32_t clamp_to_sint(int32_t v) {
    constexpr int32_t max = int32_t(bit_mask(kBits - 1));
    return uint32_t(v > max ? max : v < -max - 1 ? -max - 1 : v) & bit_mask(kBits);
}

template <Format F>
inline constexpr const FormatInfo& kRow = kFormatTable[size_t(F)];

// Whether every channel is a whole 8-, 16- or 32-bit unit. Otherwise the pixel is one 16- or 32-bit word, or
// two, and each channel lies in one of them.
constexpr bool is_unit(const ChannelInfo& c) {
    return (c.bits == 8 || c.bits == 16 || c.bits == 32) && c.shift % c.bits == 0;
}

template <Format F, unsigned C>
uint32_t load_channel(const uint8_t* pixel) {
    constexpr ChannelInfo c = kRow<F>.channel[C];
    if constexpr (c.bits == 8 && is_unit(c)) {
        return pixel[c.shift / 8];
    } else if constexpr (c.bits == 16 && is_unit(c)) {
        uint16_t v;
        std::memcpy(&v, pixel + c.shift / 8, 2);
        return v;
    } else {
        using Word = std::conditional_t<kRow<F>.block_B == 2, uint16_t, uint32_t>;
        constexpr unsigned word_bits = sizeof(Word) * 8;
        static_assert(c.shift / word_bits == (c.shift + c.bits - 1) / word_bits, "a channel straddles words");
        Word v;
        std::memcpy(&v, pixel + c.shift / word_bits * sizeof(Word), sizeof(Word));
        return (uint32_t(v) >> (c.shift % word_bits)) & bit_mask(c.bits);
    }
}

// Writes one channel, and keeps the other bits of the pixel.
template <Format F, unsigned C>
void store_channel(uint8_t* pixel, uint32_t raw) {
    constexpr ChannelInfo c = kRow<F>.channel[C];
    if constexpr (is_unit(c)) {
        std::memcpy(pixel + c.shift / 8, &raw, c.bits / 8);  // little-endian
    } else {
        using Word = std::conditional_t<kRow<F>.block_B == 2, uint16_t, uint32_t>;
        constexpr unsigned word_bits = sizeof(Word) * 8, shift = c.shift % word_bits;
        uint8_t* at = pixel + c.shift / word_bits * sizeof(Word);
        Word v;
        std::memcpy(&v, at, sizeof(Word));
        v = Word((uint32_t(v) & ~(bit_mask(c.bits) << shift)) | raw << shift);
        std::memcpy(at, &v, sizeof(Word));
    }
}

// Writes all channels of a pixel: separately if they are whole units, otherwise as words.
template <Format F>
void store_pixel(uint8_t* pixel, const uint32_t raw[4]) {
    constexpr const FormatInfo& row = kRow<F>;
    constexpr bool units = [] {
        for (unsigned i = 0; i < kRow<F>.channel_count; ++i)
            if (!is_unit(kRow<F>.channel[i])) return false;
        return true;
    }();
    if constexpr (units) {
        if constexpr (row.channel_count > 0) store_channel<F, 0>(pixel, raw[0]);
        if constexpr (row.channel_count > 1) store_channel<F, 1>(pixel, raw[1]);
        if constexpr (row.channel_count > 2) store_channel<F, 2>(pixel, raw[2]);
        if constexpr (row.channel_count > 3) store_channel<F, 3>(pixel, raw[3]);
    } else {
        static_assert(row.block_B <= 4);
        uint32_t word = 0;
        for (unsigned i = 0; i < row.channel_count; ++i)
            word |= raw[i] << row.channel[i].shift;
        std::memcpy(pixel, &word, row.block_B);
    }
}

}  // namespace terrazzo::pipe::detail
