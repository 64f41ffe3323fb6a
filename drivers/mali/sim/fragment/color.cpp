// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_clear.c (fraction bits), pan_desc.c (the swizzle of write-back), v10.xml.
#include "drivers/mali/sim/fragment/color.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace terrazzo::mali::sim {

namespace {

using hw::ColorBufferInternalFormat;
using hw::ColorFormat;

struct Memory {
    unsigned size_B;
    uint8_t bits[4];
};
bool memory_of(ColorFormat f, Memory* out) {
    switch (f) {
        case ColorFormat::R8:
            return *out = {1, {8}}, true;
        case ColorFormat::R8G8:
            return *out = {2, {8, 8}}, true;
        case ColorFormat::R8G8B8:
            return *out = {3, {8, 8, 8}}, true;
        case ColorFormat::R8G8B8A8:
        case ColorFormat::R8G8B8_FROM_R8G8B8A2:
            return *out = {4, {8, 8, 8, 8}}, true;
        case ColorFormat::R4G4B4A4:
            return *out = {2, {4, 4, 4, 4}}, true;
        case ColorFormat::R5G6B5:
            return *out = {2, {5, 6, 5}}, true;
        case ColorFormat::R10G10B10A2:
            return *out = {4, {10, 10, 10, 2}}, true;
        case ColorFormat::R5G5B5A1:
            return *out = {2, {5, 5, 5, 1}}, true;
        default:
            return false;
    }
}
unsigned raw_B(ColorFormat f) {
    switch (f) {
        case ColorFormat::RAW8:
            return 1;
        case ColorFormat::RAW16:
            return 2;
        case ColorFormat::RAW24:
            return 3;
        case ColorFormat::RAW32:
            return 4;
        case ColorFormat::RAW48:
            return 6;
        case ColorFormat::RAW64:
            return 8;
        case ColorFormat::RAW96:
            return 12;
        case ColorFormat::RAW128:
            return 16;
        default:
            return 0;
    }
}

uint32_t rescale(uint32_t v, unsigned from, unsigned to) {
    if (from == to) return v;
    if (!to) return 0;
    if (!from) return (1u << to) - 1;
    const uint64_t high = (uint64_t(1) << from) - 1;
    return uint32_t((v * ((uint64_t(1) << to) - 1) + high / 2) / high);
}

}  // namespace

bool tile_format(ColorBufferInternalFormat f, TileFormat* out) {
    using P = pipe::Format;
    const auto blendable = [&](const TileFormat& t, P format, P srgb) {
        *out = t;
        out->format = units::format_reader(format);
        out->srgb = units::format_reader(srgb);
        return true;
    };
    switch (f) {
        case ColorBufferInternalFormat::R8G8B8A8:
            return blendable({f, 4, false, {8, 8, 8, 8}, {}, {}, {}}, P::R8G8B8A8_UNORM, P::R8G8B8A8_SRGB);
        case ColorBufferInternalFormat::R10G10B10A2:
            return blendable({f, 4, false, {10, 10, 10, 2}, {}, {}, {}}, P::R10G10B10A2_UNORM,
                             P::R10G10B10A2_UNORM);
        case ColorBufferInternalFormat::R8G8B8A2:
            // Alpha has more bits here: it is rounded when it is read.
            return blendable({f, 4, false, {8, 8, 8, 2}, {2, 2, 2, 0}, {}, {}}, P::R8G8B8A8_UNORM,
                             P::R8G8B8A8_SRGB);
        case ColorBufferInternalFormat::R4G4B4A4:
            return blendable({f, 4, false, {4, 4, 4, 4}, {4, 4, 4, 4}, {}, {}}, P::A4B4G4R4_UNORM,
                             P::A4B4G4R4_UNORM);
        case ColorBufferInternalFormat::R5G6B5A0:
            return blendable({f, 4, false, {5, 6, 5, 0}, {5, 4, 5, 2}, {}, {}}, P::B5G6R5_UNORM,
                             P::B5G6R5_UNORM);
        case ColorBufferInternalFormat::R5G5B5A1:
            return blendable({f, 4, false, {5, 5, 5, 1}, {5, 5, 5, 1}, {}, {}}, P::A1B5G5R5_UNORM,
                             P::A1B5G5R5_UNORM);
        case ColorBufferInternalFormat::RAW8:
        case ColorBufferInternalFormat::RAW16:
        case ColorBufferInternalFormat::RAW32:
        case ColorBufferInternalFormat::RAW64:
        case ColorBufferInternalFormat::RAW128:
            *out = {};
            out->internal = f;
            out->size_B = 1u << (unsigned(f) - unsigned(ColorBufferInternalFormat::RAW8));
            out->raw = true;
            return true;
        case ColorBufferInternalFormat::RAW_VALUE:
            break;
    }
    return false;
}

void unpack_tile(const TileFormat& f, const uint8_t* pixel, uint32_t channel[4]) {
    uint32_t value[4];
    f.format.read(pixel, value);
    for (unsigned c = 0; c < 4; ++c)
        channel[c] = f.bits[c] ? to_unorm(std::bit_cast<float>(value[c]), f.bits[c]) : 0;
}
uint32_t clear_pixel(const TileFormat& f, uint32_t word) {
    uint32_t value[4];
    for (unsigned c = 0, shift = 0; c < 4; ++c) {
        const unsigned n = f.bits[c] + f.fraction[c];
        const uint32_t v = n ? uint32_t(uint64_t(word) >> shift) & uint32_t((uint64_t(1) << n) - 1) : 0;
        const uint32_t half = f.fraction[c] ? 1u << (f.fraction[c] - 1) : 0;
        const uint32_t rounded = std::min((v + half) >> f.fraction[c], (1u << f.bits[c]) - 1);
        value[c] = std::bit_cast<uint32_t>(from_unorm(rounded, f.bits[c]));
        shift += n;
    }
    uint32_t pixel = 0;
    f.format.write(value, &pixel);
    return pixel;
}

bool tile_conversion(uint32_t memory_format, TileConversion* out) {
    using enum hw::PixelFormatCode;
    out->srgb = hw::pixel_format_srgb(memory_format);
    out->blendable = true;
    switch (hw::pixel_format_code(memory_format)) {
        case RGBA8_TB:
        case RGB10_A2_TB:
        case RGB8_A2_AU:
        case RGB8_A2_PU:
        case RGBA4_AU:
        case RGBA4_PU:
        case R5G6B5_AU:
        case R5G6B5_PU:
        case RGB5_A1_AU:
        case RGB5_A1_PU:
            return true;
        default:
            break;
    }
    out->blendable = false;
    out->format = attribute_format(memory_format);
    for (const hw::ClumpFormat clump : {hw::ClumpFormat::RAW32, hw::ClumpFormat::A8})
        if (!out->format) out->format = texture_format(memory_format, clump);
    return bool(out->format);
}

bool writeback_supported(ColorFormat f, unsigned* pixel_B) {
    Memory m;
    *pixel_B = memory_of(f, &m) ? m.size_B : raw_B(f);
    return *pixel_B != 0;
}

namespace {

void write_pixel(const TileFormat& tile, const Memory& m, const uint8_t* from, uint32_t swizzle,
                 uint8_t* to) {
    uint32_t channel[4], out = 0;
    unpack_tile(tile, from, channel);
    for (unsigned c = 0, shift = 0; c < 4; shift += m.bits[c++]) {
        if (!m.bits[c]) continue;
        const hw::Channel s = hw::swizzle_channel(swizzle, c);
        const uint32_t high = (1u << m.bits[c]) - 1;
        const uint32_t v = s == hw::Channel::Zero ? 0
                           : s == hw::Channel::One
                               ? high
                               : rescale(channel[unsigned(s)], tile.bits[unsigned(s)], m.bits[c]);
        out |= v << shift;
    }
    std::memcpy(to, &out, m.size_B);
}

// Whether memory and tile buffer have the same bits.
bool is_copy(const TileFormat& tile, const Memory& m, uint32_t swizzle) {
    bool same = tile.size_B == m.size_B;
    for (unsigned c = 0; c < 4; ++c)
        same = same && tile.bits[c] == m.bits[c] && !tile.fraction[c] &&
               (!m.bits[c] || unsigned(hw::swizzle_channel(swizzle, c)) == c);
    return same;
}

// Channels of 8 bits in another order, or constants: the source of each byte in memory, and the constant
// bits.
struct ByteOrder {
    unsigned shift[4] = {}, size_B = 0;
    uint32_t mask[4] = {}, ones = 0;
};
bool byte_order(const TileFormat& tile, const Memory& m, uint32_t swizzle, ByteOrder* out) {
    for (unsigned c = 0; c < 4 && m.bits[c]; ++c, ++out->size_B) {
        const hw::Channel s = hw::swizzle_channel(swizzle, c);
        if (m.bits[c] != 8) return false;
        if (s == hw::Channel::One) out->ones |= 0xffu << 8 * c;
        if (s == hw::Channel::One || s == hw::Channel::Zero) continue;
        if (tile.bits[unsigned(s)] != 8 || tile.fraction[0]) return false;
        out->shift[c] = 8 * unsigned(s);
        out->mask[c] = 0xff;
    }
    return true;
}
template <unsigned kSize_B>
void write_bytes(const ByteOrder& o, const uint8_t* from, unsigned count, uint8_t* to) {
    for (unsigned i = 0; i < count; ++i) {
        uint32_t v, out = o.ones;
        std::memcpy(&v, from + size_t(i) * 4, 4);
        for (unsigned c = 0; c < kSize_B; ++c)
            out |= (v >> o.shift[c] & o.mask[c]) << 8 * c;
        std::memcpy(to + size_t(i) * kSize_B, &out, kSize_B);
    }
}

}  // namespace

bool writes_copies(const TileFormat& tile, ColorFormat f, uint32_t swizzle) {
    Memory m;
    return memory_of(f, &m) ? is_copy(tile, m, swizzle) : raw_B(f) == tile.size_B;
}

void write_pixels(const TileFormat& tile, const uint8_t* from, unsigned count, ColorFormat f,
                  uint32_t swizzle, uint8_t* to) {
    if (writes_copies(tile, f, swizzle)) {
        std::memcpy(to, from, size_t(count) * tile.size_B);
        return;
    }
    Memory m;
    if (!memory_of(f, &m)) {
        const unsigned size_B = raw_B(f);
        for (unsigned i = 0; i < count; ++i)
            std::memcpy(to + size_t(i) * size_B, from + size_t(i) * tile.size_B, size_B);
        return;
    }
    ByteOrder order;
    if (byte_order(tile, m, swizzle, &order)) {
        switch (order.size_B) {
            case 1:
                return write_bytes<1>(order, from, count, to);
            case 2:
                return write_bytes<2>(order, from, count, to);
            case 3:
                return write_bytes<3>(order, from, count, to);
            default:
                return write_bytes<4>(order, from, count, to);
        }
    }
    // Adjacent pixels are often equal.
    for (unsigned i = 0; i < count; ++i, from += tile.size_B, to += m.size_B) {
        if (i && std::memcmp(from, from - tile.size_B, 4) == 0)
            std::memcpy(to, to - m.size_B, m.size_B);
        else
            write_pixel(tile, m, from, swizzle, to);
    }
}

}  // namespace terrazzo::mali::sim
