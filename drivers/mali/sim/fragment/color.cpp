// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_clear.c (fraction bits), pan_desc.c (the swizzle of write-back), v10.xml.
#include "drivers/mali/sim/fragment/color.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "drivers/common/units/rows.h"

namespace terrazzo::mali::sim {

namespace {

using hw::ColorBufferInternalFormat;
using hw::ColorFormat;

// A format of write-back, as it is in memory. It is one of these:
// - `format`: a format of pipe;
// - `bits`: the widths of its channels from the lowest bit on (pipe's small formats have R in the highest
//   bits);
// - neither: the bytes of the tile buffer.
struct Memory {
    ColorFormat number;
    unsigned size_B;
    pipe::Format format = pipe::Format::None;
    uint8_t bits[4] = {};
    bool is_raw() const { return format == pipe::Format::None && !bits[0]; }
};
constexpr Memory kMemory[] = {
    {ColorFormat::R8, 1, pipe::Format::R8_UNORM},
    {ColorFormat::R8G8, 2, pipe::Format::R8G8_UNORM},
    {ColorFormat::R8G8B8, 3, pipe::Format::R8G8B8_UNORM},
    {ColorFormat::R8G8B8A8, 4, pipe::Format::R8G8B8A8_UNORM},
    {ColorFormat::R8G8B8_FROM_R8G8B8A2, 4, pipe::Format::R8G8B8A8_UNORM},
    {ColorFormat::R10G10B10A2, 4, pipe::Format::R10G10B10A2_UNORM},
    {ColorFormat::R4G4B4A4, 2, pipe::Format::None, {4, 4, 4, 4}},
    {ColorFormat::R5G6B5, 2, pipe::Format::None, {5, 6, 5}},
    {ColorFormat::R5G5B5A1, 2, pipe::Format::None, {5, 5, 5, 1}},
    {ColorFormat::RAW8, 1},
    {ColorFormat::RAW16, 2},
    {ColorFormat::RAW24, 3},
    {ColorFormat::RAW32, 4},
    {ColorFormat::RAW48, 6},
    {ColorFormat::RAW64, 8},
    {ColorFormat::RAW96, 12},
    {ColorFormat::RAW128, 16},
};
// Null: the virtual GPU does not execute the format.
const Memory* memory_of(ColorFormat f) {
    const auto* const found =
        std::find_if(std::begin(kMemory), std::end(kMemory), [&](const Memory& m) { return m.number == f; });
    return found == std::end(kMemory) ? nullptr : found;
}

struct Blendable {
    TileFormat tile;
    pipe::Format format, srgb;
};
const Blendable kBlendable[] = {
    {{ColorBufferInternalFormat::R8G8B8A8, 4, false, {8, 8, 8, 8}, {}, {}, {}},
     pipe::Format::R8G8B8A8_UNORM,
     pipe::Format::R8G8B8A8_SRGB},
    {{ColorBufferInternalFormat::R10G10B10A2, 4, false, {10, 10, 10, 2}, {}, {}, {}},
     pipe::Format::R10G10B10A2_UNORM,
     pipe::Format::R10G10B10A2_UNORM},
    // Alpha has more bits here: it is rounded when it is read.
    {{ColorBufferInternalFormat::R8G8B8A2, 4, false, {8, 8, 8, 2}, {2, 2, 2, 0}, {}, {}},
     pipe::Format::R8G8B8A8_UNORM,
     pipe::Format::R8G8B8A8_SRGB},
    {{ColorBufferInternalFormat::R4G4B4A4, 4, false, {4, 4, 4, 4}, {4, 4, 4, 4}, {}, {}},
     pipe::Format::A4B4G4R4_UNORM,
     pipe::Format::A4B4G4R4_UNORM},
    {{ColorBufferInternalFormat::R5G6B5A0, 4, false, {5, 6, 5, 0}, {5, 4, 5, 2}, {}, {}},
     pipe::Format::B5G6R5_UNORM,
     pipe::Format::B5G6R5_UNORM},
    {{ColorBufferInternalFormat::R5G5B5A1, 4, false, {5, 5, 5, 1}, {5, 5, 5, 1}, {}, {}},
     pipe::Format::A1B5G5R5_UNORM,
     pipe::Format::A1B5G5R5_UNORM},
};

// A reader of the tile buffer whose channels are in the order of those in memory.
units::FormatReader swizzled(const TileFormat& tile, uint32_t swizzle) {
    units::FormatReader reader = tile.format;
    decode_swizzle(swizzle, reader.from);
    return reader;
}
// Whether alpha has two bits. The virtual tile buffer stores it with eight bits, so it must be rounded.
bool rounds_alpha(const TileFormat& tile) {
    return tile.internal == ColorBufferInternalFormat::R8G8B8A2;
}
// Whether the tile buffer has pixels of tile.format. Small pixels take a whole word there.
bool is_plain(const TileFormat& tile) {
    return !rounds_alpha(tile) && tile.size_B == tile.format.size_B;
}

}  // namespace

bool tile_format(ColorBufferInternalFormat f, TileFormat* out) {
    if (f >= ColorBufferInternalFormat::RAW8 && f <= ColorBufferInternalFormat::RAW128) {
        *out = {};
        out->internal = f;
        out->size_B = 1u << (unsigned(f) - unsigned(ColorBufferInternalFormat::RAW8));
        out->raw = true;
        return true;
    }
    const auto* const row = std::find_if(std::begin(kBlendable), std::end(kBlendable),
                                         [&](const Blendable& b) { return b.tile.internal == f; });
    if (row == std::end(kBlendable)) return false;
    *out = row->tile;
    out->format = units::format_reader(row->format);
    out->srgb = units::format_reader(row->srgb);
    return true;
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
    static constexpr hw::PixelFormatCode kTile[] = {RGBA8_TB,   RGB10_A2_TB, RGB8_A2_AU, RGB8_A2_PU,
                                                    RGBA4_AU,   RGBA4_PU,    R5G6B5_AU,  R5G6B5_PU,
                                                    RGB5_A1_AU, RGB5_A1_PU};
    const auto code = hw::pixel_format_code(memory_format);
    out->blendable = std::find(std::begin(kTile), std::end(kTile), code) != std::end(kTile);
    if (out->blendable) return true;
    out->format = sim::memory_format(memory_format);
    return bool(out->format);
}

bool writeback_supported(ColorFormat f, unsigned* pixel_B) {
    const Memory* const m = memory_of(f);
    *pixel_B = m ? m->size_B : 0;
    return m != nullptr;
}

bool writes_copies(const TileFormat& tile, ColorFormat f, uint32_t swizzle) {
    const Memory* const m = memory_of(f);
    if (!m || m->is_raw()) return m && m->size_B == tile.size_B;
    return is_plain(tile) && m->format != pipe::Format::None &&
           units::RowConversion(swizzled(tile, swizzle), units::format_reader(m->format)).is_copy();
}

namespace {

void pack_rows(const units::FormatReader& from, const Memory& m, const uint8_t* pixels, unsigned count,
               uint8_t* to) {
    for (unsigned i = 0; i < count; ++i) {
        uint32_t value[4], out = 0;
        from.read(pixels + size_t(i) * from.size_B, value);
        for (unsigned c = 0, shift = 0; c < 4; shift += m.bits[c++])
            if (m.bits[c]) out |= to_unorm(std::bit_cast<float>(value[c]), m.bits[c]) << shift;
        std::memcpy(to + size_t(i) * m.size_B, &out, m.size_B);
    }
}

}  // namespace

void write_pixels(const TileFormat& tile, const uint8_t* from, unsigned count, ColorFormat f,
                  uint32_t swizzle, uint8_t* to) {
    const Memory* const m = memory_of(f);
    if (!m) return;
    if (m->is_raw()) {
        for (unsigned i = 0; i < count; ++i)
            std::memcpy(to + size_t(i) * m->size_B, from + size_t(i) * tile.size_B, m->size_B);
        return;
    }
    const units::FormatReader reader = swizzled(tile, swizzle);
    const auto convert = [&](const uint8_t* pixels, unsigned n, uint8_t* out) {
        if (m->format == pipe::Format::None) return pack_rows(reader, *m, pixels, n, out);
        units::RowConversion(reader, units::format_reader(m->format)).run(pixels, n, out);
    };
    if (is_plain(tile)) return convert(from, count, to);
    constexpr unsigned kPart = 64;
    const size_t size_B = tile.format.size_B;
    uint8_t part[kPart * 4];
    for (unsigned at = 0; at < count; at += kPart) {
        const unsigned n = std::min(kPart, count - at);
        for (unsigned i = 0; i < n; ++i)
            std::memcpy(part + i * size_B, from + size_t(at + i) * tile.size_B, size_B);
        for (unsigned i = 3; i < n * 4 && rounds_alpha(tile); i += 4)
            part[i] = uint8_t((part[i] * 3u + 127) / 255 * 85);
        convert(part, n, to + size_t(at) * m->size_B);
    }
}

}  // namespace terrazzo::mali::sim
