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

uint32_t number_of(hw::Format format, hw::ColorSwap swap, bool srgb) {
    return uint32_t(srgb) << 16 | unsigned(swap) % kSwaps << 8 | unsigned(format);
}

const units::FormatNumbers& numbers() {
    static const units::FormatNumbers made = [] {
        units::FormatNumbers n;
        const auto add = [&](hw::Format format, hw::ColorSwap swap, pipe::Format as) {
            if (format != hw::Format::FMT6_NONE)
                n.add(number_of(format, swap, pipe::format_info(as).is_srgb), as);
        };
        // The rows would give formats without stencil: these first.
        constexpr auto kOrder = hw::ColorSwap::WZYX;
        add(hw::Format::FMT6_Z24_UNORM_S8_UINT, kOrder, pipe::Format::D24_UNORM_S8_UINT);
        add(hw::Format::FMT6_Z24_UNORM_S8_UINT_AS_R8G8B8A8, kOrder, pipe::Format::R8G8B8A8_UNORM);
        add(hw::Format::FMT6_8_8_8_X8_UNORM, kOrder, pipe::Format::R8G8B8X8_UNORM);
        add(hw::Format::FMT6_L8_A8_UNORM, kOrder, pipe::Format::L8A8_UNORM);
        add(hw::Format::FMT6_DXT1, kOrder, pipe::Format::BC1_RGBA_UNORM);
        add(hw::Format::FMT6_DXT1, kOrder, pipe::Format::BC1_RGBA_SRGB);
        for (size_t f = 1; f < pipe::kFormatCount; ++f) {
            const auto format = pipe::Format(f);
            const hw::FormatRow* const row = hw::format_row(format);
            if (!row) continue;
            for (const hw::Format number : {row->target, row->texture, row->vertex})
                add(number, row->swap, format);
            add(row->linear_texture, row->linear_texture_swap, format);
        }
        return n;
    }();
    return made;
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
    using enum hw::ColorSwap;
    if (format == hw::Format::FMT6_Z24_UINT_S8_UINT) {
        constexpr uint8_t kStencil[4] = {units::kZero, 3, units::kZero, units::kOne};
        *out = units::format_reader(pipe::Format::R8G8B8A8_UINT, kStencil);
        return swap == WZYX;
    }
    const auto find = [&](hw::ColorSwap s) { return numbers().find(number_of(format, s, srgb)); };
    if (const pipe::Format found = find(swap); found != pipe::Format::None) {
        *out = units::format_reader(found);
        return true;
    }
    // Small formats that pipe only has with B below R; four equal components in any order.
    const bool is_small = swap == WZYX;
    const pipe::Format other = find(is_small ? WXYZ : WZYX);
    if (other == pipe::Format::None || (!is_small && !equal_components_B(other))) return false;
    *out = units::format_reader(other, kPlaces[unsigned(is_small ? WXYZ : swap) % kSwaps]);
    return true;
}

bool channel_order(hw::Format format, hw::ColorSwap swap, bool srgb, ChannelOrder* out) {
    *out = {};
    if (swap == hw::ColorSwap::WZYX) return true;
    out->format = numbers().find(number_of(format, swap, srgb));
    if (out->format != pipe::Format::None) return true;
    out->component_B = equal_components_B(numbers().find(number_of(format, hw::ColorSwap::WZYX, srgb)));
    std::copy_n(kPlaces[unsigned(swap) % kSwaps], 4, out->place);
    return out->component_B != 0;
}

}  // namespace terrazzo::adreno::sim
