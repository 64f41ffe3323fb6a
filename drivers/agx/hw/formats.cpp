// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/hw/formats.h"

#include "drivers/common/units/format.h"

namespace terrazzo::agx::hw {

namespace {

using pipe::Format;

/// Formats whose channels have different sizes, or no whole bytes.
struct PackedRow {
    Format format;
    PixelFormat numbers;
};
constexpr PackedRow kPacked[] = {
    {Format::B5G6R5_UNORM, {Channels::R5G6B5, TextureType::Unorm}},
    {Format::A4B4G4R4_UNORM, {Channels::R4G4B4A4, TextureType::Unorm}},
    {Format::B4G4R4A4_UNORM, {Channels::R4G4B4A4, TextureType::Unorm}},
    {Format::B5G5R5A1_UNORM, {Channels::R5G5B5A1, TextureType::Unorm}},
    {Format::R10G10B10A2_UNORM, {Channels::R10G10B10A2, TextureType::Unorm}},
    {Format::R10G10B10A2_UINT, {Channels::R10G10B10A2, TextureType::Uint}},
    {Format::R10G10B10X2_UNORM, {Channels::R10G10B10A2, TextureType::Unorm}},
    {Format::B10G10R10A2_UNORM, {Channels::R10G10B10A2, TextureType::Unorm}},
    {Format::B10G10R10X2_UNORM, {Channels::R10G10B10A2, TextureType::Unorm}},
    {Format::R11G11B10_FLOAT, {Channels::R11G11B10, TextureType::Float}},
    {Format::R9G9B9E5_FLOAT, {Channels::R9G9B9E5, TextureType::Float}},
    // Depth and stencil are separate images.
    {Format::D16_UNORM, {Channels::R16, TextureType::Unorm}},
    {Format::D32_FLOAT, {Channels::R32, TextureType::Float}},
    {Format::S8_UINT, {Channels::R8, TextureType::Uint}},
};

constexpr PackedRow kCompressed[] = {
    {Format::ETC1_RGB8, {Channels::Etc2Rgb8, TextureType::Unorm}},
    {Format::ETC2_RGB8_UNORM, {Channels::Etc2Rgb8, TextureType::Unorm}},
    {Format::ETC2_RGB8A1_UNORM, {Channels::Etc2Rgb8A1, TextureType::Unorm}},
    {Format::ETC2_RGBA8_UNORM, {Channels::Etc2Rgba8, TextureType::Unorm}},
    {Format::EAC_R11_UNORM, {Channels::EacR11, TextureType::Unorm}},
    {Format::EAC_R11_SNORM, {Channels::EacR11, TextureType::Snorm}},
    {Format::EAC_R11G11_UNORM, {Channels::EacRg11, TextureType::Unorm}},
    {Format::EAC_R11G11_SNORM, {Channels::EacRg11, TextureType::Snorm}},
    {Format::ASTC_4x4_UNORM, {Channels::Astc4x4, TextureType::Unorm}},
    {Format::ASTC_5x4_UNORM, {Channels::Astc5x4, TextureType::Unorm}},
    {Format::ASTC_5x5_UNORM, {Channels::Astc5x5, TextureType::Unorm}},
    {Format::ASTC_6x5_UNORM, {Channels::Astc6x5, TextureType::Unorm}},
    {Format::ASTC_6x6_UNORM, {Channels::Astc6x6, TextureType::Unorm}},
    {Format::ASTC_8x5_UNORM, {Channels::Astc8x5, TextureType::Unorm}},
    {Format::ASTC_8x6_UNORM, {Channels::Astc8x6, TextureType::Unorm}},
    {Format::ASTC_8x8_UNORM, {Channels::Astc8x8, TextureType::Unorm}},
    {Format::ASTC_10x5_UNORM, {Channels::Astc10x5, TextureType::Unorm}},
    {Format::ASTC_10x6_UNORM, {Channels::Astc10x6, TextureType::Unorm}},
    {Format::ASTC_10x8_UNORM, {Channels::Astc10x8, TextureType::Unorm}},
    {Format::ASTC_10x10_UNORM, {Channels::Astc10x10, TextureType::Unorm}},
    {Format::ASTC_12x10_UNORM, {Channels::Astc12x10, TextureType::Unorm}},
    {Format::ASTC_12x12_UNORM, {Channels::Astc12x12, TextureType::Unorm}},
    {Format::BC1_RGB_UNORM, {Channels::Bc1, TextureType::Unorm}},
    {Format::BC1_RGBA_UNORM, {Channels::Bc1, TextureType::Unorm}},
    {Format::BC2_UNORM, {Channels::Bc2, TextureType::Unorm}},
    {Format::BC3_UNORM, {Channels::Bc3, TextureType::Unorm}},
    {Format::BC4_UNORM, {Channels::Bc4, TextureType::Unorm}},
    {Format::BC4_SNORM, {Channels::Bc4, TextureType::Snorm}},
    {Format::BC5_UNORM, {Channels::Bc5, TextureType::Unorm}},
    {Format::BC5_SNORM, {Channels::Bc5, TextureType::Snorm}},
    {Format::BC6H_SFLOAT, {Channels::Bc6h, TextureType::Float}},
    {Format::BC6H_UFLOAT, {Channels::Bc6hUfloat, TextureType::Float}},
    {Format::BC7_UNORM, {Channels::Bc7, TextureType::Unorm}},
};

std::optional<Channels> channels_of(unsigned count, unsigned bits) {
    struct Row {
        unsigned count, bits;
        Channels channels;
    };
    static constexpr Row kRows[] = {
        {1, 8, Channels::R8},       {1, 16, Channels::R16},          {1, 32, Channels::R32},
        {2, 8, Channels::R8G8},     {2, 16, Channels::R16G16},       {2, 32, Channels::R32G32},
        {4, 8, Channels::R8G8B8A8}, {4, 16, Channels::R16G16B16A16}, {4, 32, Channels::R32G32B32A32},
    };
    for (const Row& r : kRows)
        if (r.count == count && r.bits == bits) return r.channels;
    return std::nullopt;
}

}  // namespace

std::optional<PixelFormat> pixel_format(Format format) {
    for (const PackedRow& r : kCompressed)
        if (r.format == format || pipe::format_to_linear(format) == r.format) return r.numbers;
    for (const PackedRow& r : kPacked)
        if (r.format == format) return r.numbers;
    const pipe::FormatInfo& info = pipe::format_info(format);
    if (info.layout != pipe::FormatLayout::Plain || !info.is_color || info.is_vertex_only)
        return std::nullopt;
    unsigned count = 0;
    for (const pipe::ChannelInfo& c : info.channel) {
        if (!c.bits) break;
        if (c.bits != info.channel[0].bits) return std::nullopt;
        ++count;
    }
    const std::optional<Channels> channels = channels_of(count, info.channel[0].bits);
    if (!channels) return std::nullopt;
    switch (info.channel[0].type) {
        case pipe::ChannelType::Unorm:
            return PixelFormat{*channels, TextureType::Unorm};
        case pipe::ChannelType::Snorm:
            return PixelFormat{*channels, TextureType::Snorm};
        case pipe::ChannelType::Uint:
            return PixelFormat{*channels, TextureType::Uint};
        case pipe::ChannelType::Sint:
            return PixelFormat{*channels, TextureType::Sint};
        case pipe::ChannelType::Float:
            return PixelFormat{*channels, TextureType::Float};
        case pipe::ChannelType::None:
        case pipe::ChannelType::Uscaled:
        case pipe::ChannelType::Sscaled:
        case pipe::ChannelType::Fixed:
            break;
    }
    return std::nullopt;
}

namespace {

uint32_t key_of(PixelFormat n, bool srgb) {
    return uint32_t(n.channels) << 8 | uint32_t(n.type) << 1 | uint32_t(srgb);
}
units::FormatNumbers list_formats() {
    units::FormatNumbers out;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = Format(n);
        // Others with the same numbers have more: alpha, or more modes of a block.
        if (format == Format::ETC1_RGB8 || format == Format::BC1_RGB_UNORM || format == Format::BC1_RGB_SRGB)
            continue;
        if (const std::optional<PixelFormat> numbers = pixel_format(format))
            out.add(key_of(*numbers, pipe::format_info(format).is_srgb), format);
    }
    return out;
}

}  // namespace

Format format_of(PixelFormat numbers, bool srgb) {
    static const units::FormatNumbers kFormats = list_formats();
    return kFormats.find(key_of(numbers, srgb));
}

std::optional<pipe::ChannelInfo> border_channel(Format format, unsigned c) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    using pipe::ChannelType;
    if (!info.is_compressed) {
        pipe::ChannelInfo channel = info.channel[c];
        if (info.is_srgb && c != 3) channel.bits = 12;
        if (info.layout == pipe::FormatLayout::SharedExponent) return std::nullopt;
        return channel;
    }
    const auto of = [](ChannelType type, unsigned bits) {
        return pipe::ChannelInfo{type, uint8_t(bits), 0, 0};
    };
    const ChannelType type = info.channel[0].type;
    switch (format) {
        case Format::EAC_R11_UNORM:
        case Format::EAC_R11G11_UNORM:
            return of(ChannelType::Unorm, 11);
        case Format::EAC_R11_SNORM:
        case Format::EAC_R11G11_SNORM:
            return of(ChannelType::Snorm, 11);
        case Format::BC4_UNORM:
        case Format::BC5_UNORM:
        case Format::BC4_SNORM:
        case Format::BC5_SNORM:
            return of(type, 14);
        case Format::BC6H_UFLOAT:
        case Format::BC6H_SFLOAT:
            return of(ChannelType::Float, 16);
        default:
            break;
    }
    if (info.layout == pipe::FormatLayout::Astc) return std::nullopt;
    return of(ChannelType::Unorm, info.is_srgb && c != 3 ? 12 : 8);
}

}  // namespace terrazzo::agx::hw
