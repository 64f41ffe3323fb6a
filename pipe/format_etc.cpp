// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ETC1, ETC2 and EAC decoding. A block is one or two big-endian 64-bit words; bit positions below are those
// of the spec (63 = first). Pixels are numbered down the columns. Rules: OpenGL ES 3.2 appendix C.
#include "pipe/format_etc.h"

#include <algorithm>

namespace terrazzo::pipe::detail {

namespace {

constexpr int kIntensity[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                  {18, 60}, {24, 80}, {33, 106}, {47, 183}};
constexpr int kDistance[8] = {3, 6, 11, 16, 23, 32, 41, 64};
constexpr int kEacModifier[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

struct Rgb {
    int c[3];
};

uint64_t load_be64(const uint8_t* p) {
    uint64_t v = 0;
    for (int i = 0; i < 8; ++i)
        v = v << 8 | p[i];
    return v;
}

unsigned field(uint64_t word, unsigned high, unsigned low) {
    return unsigned(word >> low) & ((1u << (high - low + 1)) - 1);
}
int field_s3(uint64_t word, unsigned low) {
    const int v = int(field(word, low + 2, low));
    return v >= 4 ? v - 8 : v;
}

int clamp255(int v) {
    return std::clamp(v, 0, 255);
}
int expand4(unsigned v) {
    return int(v << 4 | v);
}
int expand5(unsigned v) {
    return int(v << 3 | v >> 2);
}
int expand6(unsigned v) {
    return int(v << 2 | v >> 4);
}
int expand7(unsigned v) {
    return int(v << 1 | v >> 6);
}

unsigned pixel_index(uint64_t word, unsigned x, unsigned y) {
    const unsigned i = x * 4 + y;
    return (unsigned(word >> (i + 16)) & 1) << 1 | (unsigned(word >> i) & 1);
}

Rgb offset(const Rgb& color, int by) {
    return {{clamp255(color.c[0] + by), clamp255(color.c[1] + by), clamp255(color.c[2] + by)}};
}

void put(uint8_t* rgba, unsigned x, unsigned y, const Rgb& color, int alpha) {
    uint8_t* p = rgba + (y * 4 + x) * 4;
    for (int i = 0; i < 3; ++i)
        p[i] = uint8_t(color.c[i]);
    p[3] = uint8_t(alpha);
}

// Colours by subblock and pixel index. `punch`: index 2 is transparent black, and index 0 has no offset.
void decode_subblocks(uint8_t* rgba, uint64_t word, const Rgb base[2], bool punch) {
    const bool flip = field(word, 32, 32);
    const unsigned table[2] = {field(word, 39, 37), field(word, 36, 34)};
    Rgb paint[2][4];
    for (unsigned part = 0; part < 2; ++part)
        for (unsigned index = 0; index < 4; ++index) {
            int by = kIntensity[table[part]][index & 1];
            if (punch && index == 0) by = 0;
            paint[part][index] = offset(base[part], index & 2 ? -by : by);
            if (punch && index == 2) paint[part][index] = {{0, 0, 0}};
        }
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            const unsigned index = pixel_index(word, x, y);
            put(rgba, x, y, paint[(flip ? y : x) >> 1][index], punch && index == 2 ? 0 : 255);
        }
}

void decode_paint(uint8_t* rgba, uint64_t word, const Rgb paint[4], bool punch) {
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            const unsigned index = pixel_index(word, x, y);
            if (punch && index == 2)
                put(rgba, x, y, {{0, 0, 0}}, 0);
            else
                put(rgba, x, y, paint[index], 255);
        }
}

void decode_t(uint8_t* rgba, uint64_t word, bool punch) {
    const Rgb a = {{expand4(field(word, 60, 59) << 2 | field(word, 57, 56)), expand4(field(word, 55, 52)),
                    expand4(field(word, 51, 48))}};
    const Rgb b = {
        {expand4(field(word, 47, 44)), expand4(field(word, 43, 40)), expand4(field(word, 39, 36))}};
    const int d = kDistance[field(word, 35, 34) << 1 | field(word, 32, 32)];
    const Rgb paint[4] = {a, offset(b, d), b, offset(b, -d)};
    decode_paint(rgba, word, paint, punch);
}

void decode_h(uint8_t* rgba, uint64_t word, bool punch) {
    const Rgb a = {{expand4(field(word, 62, 59)), expand4(field(word, 58, 56) << 1 | field(word, 52, 52)),
                    expand4(field(word, 51, 51) << 3 | field(word, 49, 47))}};
    const Rgb b = {
        {expand4(field(word, 46, 43)), expand4(field(word, 42, 39)), expand4(field(word, 38, 35))}};
    const int value_a = a.c[0] << 16 | a.c[1] << 8 | a.c[2], value_b = b.c[0] << 16 | b.c[1] << 8 | b.c[2];
    const int d =
        kDistance[field(word, 34, 34) << 2 | field(word, 32, 32) << 1 | (value_a >= value_b ? 1 : 0)];
    const Rgb paint[4] = {offset(a, d), offset(a, -d), offset(b, d), offset(b, -d)};
    decode_paint(rgba, word, paint, punch);
}

void decode_planar(uint8_t* rgba, uint64_t word) {
    const int o[3] = {expand6(field(word, 62, 57)), expand7(field(word, 56, 56) << 6 | field(word, 54, 49)),
                      expand6(field(word, 48, 48) << 5 | field(word, 44, 43) << 3 | field(word, 41, 39))};
    const int h[3] = {expand6(field(word, 38, 34) << 1 | field(word, 32, 32)), expand7(field(word, 31, 25)),
                      expand6(field(word, 24, 19))};
    const int v[3] = {expand6(field(word, 18, 13)), expand7(field(word, 12, 6)), expand6(field(word, 5, 0))};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
            Rgb color;
            for (int i = 0; i < 3; ++i)
                color.c[i] = clamp255((x * (h[i] - o[i]) + y * (v[i] - o[i]) + 4 * o[i] + 2) >> 2);
            put(rgba, unsigned(x), unsigned(y), color, 255);
        }
}

// Decodes the colours. With `has_punch` (RGB8A1) bit 33 means "opaque", and the mode is always differential.
void decode_color(uint8_t* rgba, const uint8_t* block, bool has_punch) {
    const uint64_t word = load_be64(block);
    const bool bit33 = field(word, 33, 33);
    if (!has_punch && !bit33) {
        const Rgb base[2] = {
            {{expand4(field(word, 63, 60)), expand4(field(word, 55, 52)), expand4(field(word, 47, 44))}},
            {{expand4(field(word, 59, 56)), expand4(field(word, 51, 48)), expand4(field(word, 43, 40))}}};
        return decode_subblocks(rgba, word, base, false);
    }
    const bool punch = has_punch && !bit33;
    const int c[3] = {int(field(word, 63, 59)), int(field(word, 55, 51)), int(field(word, 47, 43))};
    const int s[3] = {c[0] + field_s3(word, 56), c[1] + field_s3(word, 48), c[2] + field_s3(word, 40)};
    if (s[0] < 0 || s[0] > 31) return decode_t(rgba, word, punch);
    if (s[1] < 0 || s[1] > 31) return decode_h(rgba, word, punch);
    if (s[2] < 0 || s[2] > 31) return decode_planar(rgba, word);
    Rgb base[2];
    for (int i = 0; i < 3; ++i) {
        base[0].c[i] = expand5(unsigned(c[i]));
        base[1].c[i] = expand5(unsigned(s[i]));
    }
    decode_subblocks(rgba, word, base, punch);
}

int eac_modifier(uint64_t word, unsigned x, unsigned y) {
    const unsigned low = 45 - 3 * (x * 4 + y);
    return kEacModifier[field(word, 51, 48)][field(word, low + 2, low)];
}

void decode_alpha(uint8_t* rgba, const uint8_t* block) {
    const uint64_t word = load_be64(block);
    const int base = int(field(word, 63, 56)), multiplier = int(field(word, 55, 52));
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x)
            rgba[(y * 4 + x) * 4 + 3] = uint8_t(clamp255(base + eac_modifier(word, x, y) * multiplier));
}

void decode_eac11(float* dst, const uint8_t* block, bool is_signed) {
    const uint64_t word = load_be64(block);
    const int multiplier = int(field(word, 55, 52));
    const int scale = multiplier ? multiplier * 8 : 1;
    int base = int(field(word, 63, 56));
    base = is_signed ? std::max(int(int8_t(base)), -127) * 8 : base * 8 + 4;
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            const int v = base + eac_modifier(word, x, y) * scale;
            dst[(y * 4 + x) * 4] = is_signed ? float(std::clamp(v, -1023, 1023)) / 1023.0f
                                             : float(std::clamp(v, 0, 2047)) / 2047.0f;
        }
}

}  // namespace

void decode_etc_block(Format format, float* dst, const void* block_void) {
    const uint8_t* block = static_cast<const uint8_t*>(block_void);
    const FormatInfo& info = format_info(format);
    if (info.channel_count <= 2) {
        const bool is_signed = format == Format::EAC_R11_SNORM || format == Format::EAC_R11G11_SNORM;
        for (int i = 0; i < 16; ++i) {
            dst[i * 4 + 1] = dst[i * 4 + 2] = 0.0f;
            dst[i * 4 + 3] = 1.0f;
        }
        decode_eac11(dst, block, is_signed);
        if (info.channel_count == 2) decode_eac11(dst + 1, block + 8, is_signed);
        return;
    }
    uint8_t rgba[64];
    decode_etc_block_rgba8(format, rgba, block);
    unpack_rgba_f32(info.is_srgb ? Format::R8G8B8A8_SRGB : Format::R8G8B8A8_UNORM, dst, rgba, 16);
}

void decode_etc_block_rgba8(Format format, uint8_t rgba[64], const void* block_void) {
    const uint8_t* block = static_cast<const uint8_t*>(block_void);
    const FormatInfo& info = format_info(format);
    const bool has_alpha_block = info.block_B == 16;
    decode_color(rgba, has_alpha_block ? block + 8 : block, info.has_alpha && !has_alpha_block);
    if (has_alpha_block) decode_alpha(rgba, block);
}

}  // namespace terrazzo::pipe::detail
