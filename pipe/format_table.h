// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Builds the constexpr table of formats from pipe/format_rows.inc, and checks it at compile time: no bit of a
// pixel belongs to two channels, and each row agrees with the format's name. (A duplicate name fails as an
// enumerator.) Only the format library includes this file; other code uses pipe/format.h.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

#include "pipe/format.h"

namespace terrazzo::pipe::detail {

// Deliberately not constexpr: a call during the evaluation of the table stops the compiler, with the reason
// in the message.
inline void bad_format_row(const char* /*reason*/) {}

namespace rows {

constexpr FormatInfo none() {
    return FormatInfo();
}

constexpr void place_channels(FormatInfo& row, std::string_view letters, ChannelType type,
                              std::initializer_list<int> bits) {
    if (letters.size() != bits.size() || bits.size() > 4) bad_format_row("a letter needs its bits");
    unsigned shift = 0, i = 0;
    for (int b : bits) {
        const char letter = letters[i];
        const ChannelType t = letter == 'X' ? ChannelType::None : letter == 'S' ? ChannelType::Uint : type;
        row.channel[i++] = {t, uint8_t(b), uint8_t(shift), letter};
        shift += unsigned(b);
    }
    if (shift % 8 != 0) bad_format_row("channels must fill whole bytes");
    row.block_B = uint8_t(shift / 8);
    row.channel_count = uint8_t(i);
    row.layout = FormatLayout::Plain;
}

constexpr void place_swizzle(FormatInfo& row) {
    for (unsigned i = 0; i < row.channel_count; ++i) {
        const Swizzle source = Swizzle(i);
        switch (row.channel[i].letter) {
            case 'R':
                row.swizzle[0] = source;
                break;
            case 'G':
                row.swizzle[1] = source;
                break;
            case 'B':
                row.swizzle[2] = source;
                break;
            case 'A':
                row.swizzle[3] = source;
                row.has_alpha = true;
                break;
            case 'L':
                row.swizzle[0] = row.swizzle[1] = row.swizzle[2] = source;
                break;
            default:
                break;
        }
    }
}

constexpr FormatInfo color(std::string_view letters, ChannelType type, std::initializer_list<int> bits) {
    FormatInfo row;
    place_channels(row, letters, type, bits);
    place_swizzle(row);
    row.is_color = true;
    row.is_pure_uint = type == ChannelType::Uint;
    row.is_pure_sint = type == ChannelType::Sint;
    return row;
}

constexpr FormatInfo vertex(std::string_view letters, ChannelType type, std::initializer_list<int> bits) {
    FormatInfo row = color(letters, type, bits);
    row.is_vertex_only = true;
    return row;
}

constexpr FormatInfo srgb(std::string_view letters, std::initializer_list<int> bits) {
    FormatInfo row = color(letters, ChannelType::Unorm, bits);
    row.is_srgb = true;
    return row;
}

constexpr FormatInfo small_float() {
    FormatInfo row;
    place_channels(row, "RGB", ChannelType::Float, {11, 11, 10});
    place_swizzle(row);
    row.is_color = true;
    row.layout = FormatLayout::SmallFloat;
    return row;
}

constexpr FormatInfo shared_exponent() {
    FormatInfo row;
    place_channels(row, "RGBE", ChannelType::Float, {9, 9, 9, 5});
    place_swizzle(row);
    row.is_color = true;
    row.layout = FormatLayout::SharedExponent;
    return row;
}

constexpr FormatInfo depth_stencil(std::string_view letters, ChannelType type,
                                   std::initializer_list<int> bits) {
    FormatInfo row;
    place_channels(row, letters, type, bits);
    for (const char letter : letters) {
        row.has_depth = row.has_depth || letter == 'D';
        row.has_stencil = row.has_stencil || letter == 'S';
    }
    return row;
}

constexpr FormatInfo compressed(FormatLayout layout, std::string_view letters, int w, int h, int bytes,
                                bool is_srgb) {
    FormatInfo row;
    row.layout = layout;
    row.block_w_px = uint8_t(w);
    row.block_h_px = uint8_t(h);
    row.block_B = uint8_t(bytes);
    for (const char letter : letters)
        row.channel[row.channel_count++] = {ChannelType::Unorm, 8, 0,
                                            letter};  // nominal bits without a place
    place_swizzle(row);
    row.is_color = true;
    row.is_compressed = true;
    row.is_srgb = is_srgb;
    return row;
}

constexpr FormatInfo etc(std::string_view letters, int bytes, bool is_srgb) {
    FormatInfo row = compressed(FormatLayout::Etc, letters, 4, 4, bytes, is_srgb);
    if (letters.size() <= 2)
        for (unsigned i = 0; i < row.channel_count; ++i)
            row.channel[i].bits = 11;
    return row;
}

constexpr FormatInfo astc(int w, int h, bool is_srgb) {
    return compressed(FormatLayout::Astc, "RGBA", w, h, 16, is_srgb);
}

/// `type`: of the decoded values.
constexpr FormatInfo bc(std::string_view letters, ChannelType type, int bits, int bytes, bool is_srgb) {
    FormatInfo row = compressed(FormatLayout::Bc, letters, 4, 4, bytes, is_srgb);
    for (unsigned i = 0; i < row.channel_count; ++i) {
        row.channel[i].type = type;
        row.channel[i].bits = uint8_t(bits);
    }
    return row;
}

}  // namespace rows

constexpr FormatInfo named_row(Format format, const char* name, FormatInfo row) {
    row.name = name;
    row.format = format;
    if (row.layout == FormatLayout::Etc && std::string_view(name).ends_with("_SNORM"))
        for (unsigned i = 0; i < row.channel_count; ++i)
            row.channel[i].type = ChannelType::Snorm;
    return row;
}

constexpr std::array<FormatInfo, kFormatCount> build_format_table() {
    using namespace rows;
    using enum ChannelType;
    return {{
#define TERRAZZO_FORMAT(name, row) named_row(Format::name, #name, row),
#include "pipe/format_rows.inc"
#undef TERRAZZO_FORMAT
    }};
}

inline constexpr std::array<FormatInfo, kFormatCount> kFormatTable = build_format_table();

// ---- Checks ----

constexpr bool bits_are_disjoint(const FormatInfo& row) {
    if (row.is_compressed) return true;
    bool used[128] = {};
    for (unsigned i = 0; i < row.channel_count; ++i) {
        const ChannelInfo& c = row.channel[i];
        if (c.bits == 0 || c.shift + c.bits > row.block_B * 8) return false;
        for (unsigned b = c.shift; b < unsigned(c.shift + c.bits); ++b) {
            if (used[b]) return false;
            used[b] = true;
        }
    }
    return true;
}

// The channels in the name ("R8G8B8A8_...") must be the row's, in order. '_', a digit at the name's end and
// type words between the channels are skipped.
constexpr bool name_agrees(const FormatInfo& row) {
    if (row.is_compressed || row.format == Format::None) return true;
    std::string_view name = row.name;
    size_t at = 0;
    for (unsigned i = 0; i < row.channel_count; ++i) {
        const ChannelInfo& c = row.channel[i];
        while (at + 1 < name.size() && !(name[at] == c.letter && name[at + 1] >= '0' && name[at + 1] <= '9'))
            ++at;
        unsigned bits = 0;
        for (++at; at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at)
            bits = bits * 10 + unsigned(name[at] - '0');
        if (bits != c.bits) return false;
    }
    return true;
}

constexpr bool type_word_agrees(const FormatInfo& row) {
    if (row.is_compressed || row.format == Format::None) return true;
    const std::string_view name = row.name;
    auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    switch (row.channel[0].letter == 'S' ? row.channel[row.channel_count - 1].type : row.channel[0].type) {
        case ChannelType::None:
            return false;
        case ChannelType::Unorm:
            return row.is_srgb ? has("_SRGB") : has("_UNORM");
        case ChannelType::Snorm:
            return has("_SNORM");
        case ChannelType::Uint:
            return has("_UINT");
        case ChannelType::Sint:
            return has("_SINT");
        case ChannelType::Uscaled:
            return has("_USCALED");
        case ChannelType::Sscaled:
            return has("_SSCALED");
        case ChannelType::Fixed:
            return has("_FIXED");
        case ChannelType::Float:
            return has("_FLOAT");
    }
    return false;
}

constexpr bool table_is_sound() {
    for (size_t i = 0; i < kFormatCount; ++i) {
        const FormatInfo& row = kFormatTable[i];
        if (size_t(row.format) != i) return false;
        if (!bits_are_disjoint(row) || !name_agrees(row) || !type_word_agrees(row)) return false;
    }
    return true;
}
static_assert(table_is_sound(), "a format's row contradicts its name, or channels overlap");

}  // namespace terrazzo::pipe::detail
