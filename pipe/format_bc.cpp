// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// BC1 to BC7. A block is a little-endian string of bits. The rules allow any rounding of BC1's interpolated
// colours: here they are the nearest 8-bit values. BC6H and BC7 are exact by their rules.
#include "pipe/format_bc.h"

#include <algorithm>
#include <cstring>

#include "pipe/format_bc_tables.h"
#include "pipe/half.h"

namespace terrazzo::pipe::detail {

namespace {

class Bits {
  public:
    explicit Bits(const uint8_t* p) { std::memcpy(word_, p, 16); }
    /// The next `n` bits, at most 32.
    uint32_t take(unsigned n) {
        uint64_t v = word_[at_ / 64] >> (at_ % 64);
        if (at_ % 64 + n > 64) v |= word_[1] << (64 - at_ % 64);
        at_ += n;
        return uint32_t(v & ((uint64_t(1) << n) - 1));
    }

  private:
    uint64_t word_[2];
    unsigned at_ = 0;
};

uint32_t load_le(const uint8_t* p, unsigned bytes) {
    uint32_t v = 0;
    for (unsigned i = 0; i < bytes; ++i)
        v |= uint32_t(p[i]) << (8 * i);
    return v;
}

/// Expands the top `bits` bits of a byte, by repetition.
uint8_t expand(uint32_t v, unsigned bits) {
    const uint32_t top = v << (8 - bits);
    return uint8_t(top | top >> bits);
}

// --- BC1, BC2, BC3 -----------------------------------------------------------------------------------------

/// The colours of a block. `has_black`: the fourth colour is black if the first endpoint is not the larger
/// one.
void decode_color(uint8_t rgba[64], const uint8_t* p, bool has_black, uint8_t black_alpha) {
    const uint32_t end[2] = {load_le(p, 2), load_le(p + 2, 2)};
    uint8_t color[4][4];
    for (int i = 0; i < 2; ++i) {
        color[i][0] = expand(end[i] >> 11, 5);
        color[i][1] = expand(end[i] >> 5 & 63, 6);
        color[i][2] = expand(end[i] & 31, 5);
    }
    const bool three = has_black && end[0] <= end[1];
    for (int c = 0; c < 3; ++c) {
        const unsigned a = color[0][c], b = color[1][c];
        color[2][c] = uint8_t(three ? (a + b + 1) / 2 : (2 * a + b + 1) / 3);
        color[3][c] = uint8_t(three ? 0 : (a + 2 * b + 1) / 3);
    }
    for (auto& c : color)
        c[3] = 255;
    if (three) color[3][3] = black_alpha;
    const uint32_t codes = load_le(p + 4, 4);
    for (unsigned i = 0; i < 16; ++i)
        std::memcpy(rgba + i * 4, color[codes >> (2 * i) & 3], 4);
}

/// The values of a BC4 block, or of BC3's alpha, in units of 1/35 (35 = 7 * 5): eight values between the
/// endpoints, or six, and the limits of the range.
void value_ramp(bool eight, int e0, int e1, int low, int high, int out[8]) {
    out[0] = e0 * 35;
    out[1] = e1 * 35;
    if (eight) {
        for (int i = 1; i < 7; ++i)
            out[i + 1] = ((7 - i) * e0 + i * e1) * 5;
    } else {
        for (int i = 1; i < 5; ++i)
            out[i + 1] = ((5 - i) * e0 + i * e1) * 7;
        out[6] = low * 35;
        out[7] = high * 35;
    }
}
unsigned ramp_index(const uint8_t* p, unsigned texel) {
    const unsigned bit = 16 + 3 * texel;
    return (unsigned(p[bit / 8]) | unsigned(bit / 8 < 7 ? p[bit / 8 + 1] : 0) << 8) >> (bit % 8) & 7;
}

void decode_alpha(uint8_t rgba[64], const uint8_t* p) {
    int ramp[8];
    value_ramp(p[0] > p[1], p[0], p[1], 0, 255, ramp);
    for (unsigned i = 0; i < 16; ++i)
        rgba[i * 4 + 3] = uint8_t((ramp[ramp_index(p, i)] + 17) / 35);
}

// --- BC4, BC5 ----------------------------------------------------------------------------------------------

void decode_channel_block(float* dst, const uint8_t* p, bool is_signed) {
    int ramp[8];
    const int s0 = int8_t(p[0]), s1 = int8_t(p[1]);
    if (is_signed)  // -128 means -127, but compares as smaller
        value_ramp(s0 > s1, std::max(s0, -127), std::max(s1, -127), -127, 127, ramp);
    else
        value_ramp(p[0] > p[1], p[0], p[1], 0, 255, ramp);
    const float scale = is_signed ? 127.0f * 35.0f : 255.0f * 35.0f;
    for (unsigned i = 0; i < 16; ++i)
        dst[i * 4] = float(ramp[ramp_index(p, i)]) / scale;
}

// --- BC6H, BC7 ---------------------------------------------------------------------------------------------

constexpr uint8_t kWeight2[4] = {0, 21, 43, 64};
constexpr uint8_t kWeight3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
constexpr uint8_t kWeight4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

const uint8_t* weights(unsigned index_bits) {
    return index_bits == 2 ? kWeight2 : index_bits == 3 ? kWeight3 : kWeight4;
}

struct Subsets {
    unsigned count, partition;
    [[nodiscard]] unsigned of(unsigned texel) const {
        if (count == 1) return 0;
        return (count == 2 ? kBcPartition2 : kBcPartition3)[partition] >> (2 * texel) & 3;
    }
    [[nodiscard]] bool is_anchor(unsigned texel) const {
        if (texel == 0) return true;
        if (count == 2) return texel == kBcAnchor2[partition];
        return count == 3 && (texel == kBcAnchor3Second[partition] || texel == kBcAnchor3Third[partition]);
    }
};

void take_indices(Bits& bits, const Subsets& s, unsigned index_bits, uint8_t out[16]) {
    for (unsigned i = 0; i < 16; ++i)
        out[i] = uint8_t(bits.take(index_bits - (s.is_anchor(i) ? 1 : 0)));
}

struct Bc7Mode {
    uint8_t subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits;
    bool endpoint_p, shared_p;
    uint8_t index_bits, second_bits;
};
constexpr Bc7Mode kBc7Modes[8] = {
    {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
    {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
    {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
    {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

/// Reads the endpoints by subset and end.
void take_endpoints(Bits& bits, const Bc7Mode& m, uint8_t end[3][2][4]) {
    uint32_t raw[3][2][4] = {};
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned s = 0; s < m.subsets; ++s)
            for (auto& e : raw[s])
                e[c] = c < 3 ? bits.take(m.color_bits) : m.alpha_bits ? bits.take(m.alpha_bits) : 255;
    const unsigned p_bits = m.endpoint_p || m.shared_p ? 1 : 0;
    for (unsigned s = 0; s < m.subsets; ++s) {
        uint32_t p = 0;
        for (unsigned e = 0; e < 2; ++e) {
            if (m.endpoint_p || (m.shared_p && e == 0)) p = bits.take(1);
            for (unsigned c = 0; c < 4; ++c) {
                const unsigned stored = c < 3 ? m.color_bits : m.alpha_bits;
                end[s][e][c] =
                    stored ? expand(raw[s][e][c] << p_bits | p, stored + p_bits) : uint8_t(raw[s][e][c]);
            }
        }
    }
}

void decode_bc7(uint8_t rgba[64], const uint8_t* block) {
    unsigned number = 0;
    while (number < 8 && !(block[0] >> number & 1))
        ++number;
    if (number == 8) {  // reserved
        std::memset(rgba, 0, 64);
        return;
    }
    const Bc7Mode& m = kBc7Modes[number];
    Bits bits(block);
    bits.take(number + 1);
    const Subsets subsets = {m.subsets, bits.take(m.partition_bits)};
    const unsigned rotation = bits.take(m.rotation_bits), selection = bits.take(m.selection_bits);
    uint8_t end[3][2][4], index[2][16];
    take_endpoints(bits, m, end);
    take_indices(bits, subsets, m.index_bits, index[0]);
    if (m.second_bits) take_indices(bits, subsets, m.second_bits, index[1]);
    const unsigned color = selection, alpha = m.second_bits && !selection ? 1 : 0;
    const uint8_t *color_weight = weights(color ? m.second_bits : m.index_bits),
                  *alpha_weight = weights(alpha ? m.second_bits : m.index_bits);
    for (unsigned i = 0; i < 16; ++i) {
        const auto& e = end[subsets.of(i)];
        uint8_t* const out = rgba + i * 4;
        for (unsigned c = 0; c < 4; ++c) {
            const unsigned w = c < 3 ? color_weight[index[color][i]] : alpha_weight[index[alpha][i]];
            out[c] = uint8_t(((64 - w) * e[0][c] + w * e[1][c] + 32) >> 6);
        }
        if (rotation) std::swap(out[3], out[rotation - 1]);
    }
}

int32_t sign_extend(int32_t v, unsigned bits) {
    return int32_t(uint32_t(v) << (32 - bits)) >> (32 - bits);
}

int32_t unquantize(int32_t x, unsigned bits, bool is_signed) {
    if (!is_signed) {
        if (bits >= 15 || x == 0) return x;
        return x == (1 << bits) - 1 ? 0xffff : ((x << 15) + 0x4000) >> (bits - 1);
    }
    if (bits >= 16 || x == 0) return x;
    const int32_t a = x < 0 ? -x : x;
    const int32_t v = a >= (1 << (bits - 1)) - 1 ? 0x7fff : ((a << 15) + 0x4000) >> (bits - 1);
    return x < 0 ? -v : v;
}

/// The last step: converts to a half.
uint16_t finish(int32_t v, bool is_signed) {
    if (!is_signed) return uint16_t(v * 31 / 64);
    return uint16_t(v < 0 ? 0x8000 | (-v * 31 / 32) : v * 31 / 32);
}

void take_bc6_endpoints(Bits& bits, const Bc6Mode& m, bool is_signed, int32_t end[4][3]) {
    for (const Bc6Field& f : m.field) {
        if (!f.count) break;
        uint32_t v = bits.take(f.count), turned = 0;
        for (unsigned i = 0; i < f.count; ++i)
            turned |= (v >> i & 1) << (f.count - 1 - i);
        end[f.e][f.c] |= int32_t((f.reversed ? turned : v) << f.low);
    }
    const unsigned count = m.two_subsets ? 4 : 2;
    const int32_t mask = (1 << m.endpoint_bits) - 1;
    for (unsigned e = 0; e < count; ++e)
        for (unsigned c = 0; c < 3; ++c) {
            int32_t& v = end[e][c];
            if (e && m.transformed) v = (end[0][c] + sign_extend(v, m.delta_bits[c])) & mask;
            if (is_signed && !(e == 0 && m.transformed)) v = sign_extend(v, m.endpoint_bits);
        }
    // Converted last: the other endpoints were added to its unsigned bits.
    if (is_signed && m.transformed)
        for (int32_t& v : end[0])
            v = sign_extend(v, m.endpoint_bits);
    for (unsigned e = 0; e < count; ++e)
        for (unsigned c = 0; c < 3; ++c)
            end[e][c] = unquantize(end[e][c], m.endpoint_bits, is_signed);
}

void decode_bc6h(float* dst, const uint8_t* block, bool is_signed) {
    Bits bits(block);
    unsigned number = bits.take(2);
    if (number >= 2) number |= bits.take(3) << 2;
    const Bc6Mode* const m = std::find_if(std::begin(kBc6Modes), std::end(kBc6Modes),
                                          [&](const Bc6Mode& x) { return x.number == number; });
    for (unsigned i = 0; i < 16; ++i) {
        dst[i * 4] = dst[i * 4 + 1] = dst[i * 4 + 2] = 0;
        dst[i * 4 + 3] = 1;
    }
    if (m == std::end(kBc6Modes)) return;  // reserved: black
    int32_t end[4][3] = {};
    take_bc6_endpoints(bits, *m, is_signed, end);
    const Subsets subsets = {m->two_subsets ? 2u : 1u, m->two_subsets ? bits.take(5) : 0};
    const unsigned index_bits = m->two_subsets ? 3 : 4;
    uint8_t index[16];
    take_indices(bits, subsets, index_bits, index);
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned s = subsets.of(i) * 2;
        const int32_t w = weights(index_bits)[index[i]];
        for (unsigned c = 0; c < 3; ++c)
            dst[i * 4 + c] =
                half_to_float(finish(((64 - w) * end[s][c] + w * end[s + 1][c] + 32) >> 6, is_signed));
    }
}

}  // namespace

bool bc_is_8bit(Format format) {
    return format_info(format).channel_count >= 3 && format != Format::BC6H_UFLOAT &&
           format != Format::BC6H_SFLOAT;
}

void decode_bc_block(Format format, float* dst, const void* block_void) {
    const uint8_t* const block = static_cast<const uint8_t*>(block_void);
    const FormatInfo& info = format_info(format);
    if (bc_is_8bit(format)) {
        uint8_t rgba[64];
        decode_bc_block_rgba8(format, rgba, block);
        return unpack_rgba_f32(info.is_srgb ? Format::R8G8B8A8_SRGB : Format::R8G8B8A8_UNORM, dst, rgba, 16);
    }
    if (info.channel_count == 3) return decode_bc6h(dst, block, format == Format::BC6H_SFLOAT);
    const bool is_signed = format == Format::BC4_SNORM || format == Format::BC5_SNORM;
    for (unsigned i = 0; i < 16; ++i) {
        dst[i * 4 + 1] = dst[i * 4 + 2] = 0;
        dst[i * 4 + 3] = 1;
    }
    decode_channel_block(dst, block, is_signed);
    if (info.channel_count == 2) decode_channel_block(dst + 1, block + 8, is_signed);
}

void decode_bc_block_rgba8(Format format, uint8_t rgba[64], const void* block_void) {
    const uint8_t* const block = static_cast<const uint8_t*>(block_void);
    switch (format) {
        case Format::BC1_RGB_UNORM:
        case Format::BC1_RGB_SRGB:
            return decode_color(rgba, block, true, 255);
        case Format::BC1_RGBA_UNORM:
        case Format::BC1_RGBA_SRGB:
            return decode_color(rgba, block, true, 0);
        case Format::BC2_UNORM:
        case Format::BC2_SRGB:
            decode_color(rgba, block + 8, false, 255);
            for (unsigned i = 0; i < 16; ++i)
                rgba[i * 4 + 3] = uint8_t((block[i / 2] >> (4 * (i % 2)) & 15) * 17);
            return;
        case Format::BC3_UNORM:
        case Format::BC3_SRGB:
            decode_color(rgba, block + 8, false, 255);
            return decode_alpha(rgba, block);
        default:
            return decode_bc7(rgba, block);
    }
}

}  // namespace terrazzo::pipe::detail
