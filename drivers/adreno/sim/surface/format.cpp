// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From the hardware's formats to pipe's: the inverse of the rows of hw/. If several formats of pipe have one
// hardware format, the first one is used; drivers make luminance, alpha and padding with swizzles.
#include <algorithm>

#include "drivers/adreno/sim/surface/surface.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kSwaps = 4;

struct Table {
    // [srgb][swap][format]
    pipe::Format of[2][kSwaps][256] = {};
    Table() {
        // The rows would give formats without stencil: these first.
        put(hw::Format::FMT6_Z24_UNORM_S8_UINT, hw::ColorSwap::WZYX, pipe::Format::D24_UNORM_S8_UINT);
        put(hw::Format::FMT6_Z24_UNORM_S8_UINT_AS_R8G8B8A8, hw::ColorSwap::WZYX,
            pipe::Format::R8G8B8A8_UNORM);
        put(hw::Format::FMT6_8_8_8_X8_UNORM, hw::ColorSwap::WZYX, pipe::Format::R8G8B8X8_UNORM);
        put(hw::Format::FMT6_L8_A8_UNORM, hw::ColorSwap::WZYX, pipe::Format::L8A8_UNORM);
        put(hw::Format::FMT6_DXT1, hw::ColorSwap::WZYX, pipe::Format::BC1_RGBA_UNORM);
        put(hw::Format::FMT6_DXT1, hw::ColorSwap::WZYX, pipe::Format::BC1_RGBA_SRGB);
        for (size_t f = 1; f < pipe::kFormatCount; ++f) {
            const auto format = pipe::Format(f);
            const hw::FormatRow* const row = hw::format_row(format);
            if (!row) continue;
            put(row->target, row->swap, format);
            put(row->texture, row->swap, format);
            put(row->vertex, row->swap, format);
            put(row->linear_texture, row->linear_texture_swap, format);
        }
    }
    void put(hw::Format format, hw::ColorSwap swap, pipe::Format as) {
        if (format == hw::Format::FMT6_NONE) return;
        pipe::Format& place = of[pipe::format_info(as).is_srgb][unsigned(swap)][unsigned(format) & 0xff];
        if (place == pipe::Format::None) place = as;
    }
    pipe::Format find(hw::Format format, hw::ColorSwap swap, bool srgb) const {
        return of[srgb][unsigned(swap) % kSwaps][unsigned(format) & 0xff];
    }
};

const Table& table() {
    static const Table t;
    return t;
}

// The places of R, G, B and A in memory, from the lowest bits.
constexpr uint8_t kPlaces[kSwaps][4] = {{0, 1, 2, 3}, {2, 1, 0, 3}, {1, 2, 3, 0}, {3, 2, 1, 0}};

// Bytes of each of four equal components; 0: the format has none.
uint32_t equal_components_B(pipe::Format format) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    if (info.layout != pipe::FormatLayout::Plain || info.channel_count != 4 || info.is_depth_stencil())
        return 0;
    for (const pipe::ChannelInfo& c : info.channel)
        if (c.bits != info.block_B * 2 || c.bits % 8) return 0;
    return info.block_B / 4;
}

}  // namespace

bool surface_format(hw::Format format, hw::ColorSwap swap, bool srgb, units::FormatReader* out) {
    const Table& t = table();
    if (format == hw::Format::FMT6_Z24_UINT_S8_UINT) {
        *out = units::format_reader(pipe::Format::R8G8B8A8_UINT);
        constexpr uint8_t kStencil[4] = {units::kZero, 3, units::kZero, units::kOne};
        std::copy_n(kStencil, 4, out->from);
        return swap == hw::ColorSwap::WZYX;
    }
    if (const pipe::Format found = t.find(format, swap, srgb); found != pipe::Format::None) {
        *out = units::format_reader(found);
        return true;
    }
    // Small formats that pipe only has with B below R.
    if (swap == hw::ColorSwap::WZYX) {
        const pipe::Format found = t.find(format, hw::ColorSwap::WXYZ, srgb);
        if (found == pipe::Format::None) return false;
        *out = units::format_reader(found);
        std::copy_n(kPlaces[unsigned(hw::ColorSwap::WXYZ)], 4, out->from);
        return true;
    }
    const pipe::Format plain = t.find(format, hw::ColorSwap::WZYX, srgb);
    if (!equal_components_B(plain)) return false;
    *out = units::format_reader(plain);
    std::copy_n(kPlaces[unsigned(swap) % kSwaps], 4, out->from);
    return true;
}

bool channel_order(hw::Format format, hw::ColorSwap swap, bool srgb, ChannelOrder* out) {
    *out = {};
    if (swap == hw::ColorSwap::WZYX) return true;
    const Table& t = table();
    const pipe::Format found = t.find(format, swap, srgb);
    if (found != pipe::Format::None) {
        out->format = found;
        return true;
    }
    out->component_B = equal_components_B(t.find(format, hw::ColorSwap::WZYX, srgb));
    std::copy_n(kPlaces[unsigned(swap) % kSwaps], 4, out->place);
    return out->component_B != 0;
}

}  // namespace terrazzo::adreno::sim
