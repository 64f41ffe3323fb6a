// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/hw/formats.h"

#include <string_view>

namespace terrazzo::mali::hw {

namespace {

using enum pipe::Format;

/// The bit of TEXTURE_FEATURES for a compressed format has the number of its pixel format code.
struct Feature {
    using enum PixelFormatCode;
    static constexpr PixelFormatCode ALWAYS{};
};

constexpr FormatRow make_row(PixelFormatCode code, ComponentOrder order, char srgb, ClumpFormat clump,
                             PixelFormatCode feature, std::string_view uses,
                             ColorBufferInternalFormat internal, ColorFormat writeback) {
    return {.pixel_format = pixel_format(code, order, srgb == 'S'),
            .clump = clump,
            .feature = uint8_t(feature),
            .is_vertex = uses[0] == 'V',
            .is_texture = uses[1] == 'T',
            .is_render_target = uses[2] == 'R',
            .is_depth_stencil = uses[3] == 'Z',
            .internal = internal,
            .writeback = writeback};
}

constexpr tables::FormatNamed<FormatRow> kRows[] = {
#define FORMAT(format, code, order, srgb, clump, feature, uses, internal, writeback)                        \
    {pipe::Format::format,                                                                                  \
     make_row(PixelFormatCode::code, ComponentOrder::order, #srgb[0], ClumpFormat::clump, Feature::feature, \
              #uses, ColorBufferInternalFormat::internal, ColorFormat::writeback)},
#include "drivers/mali/hw/format_rows.inc"
#undef FORMAT
};

}  // namespace

constinit const tables::FormatTable<FormatRow> format_row{kRows};

uint32_t blend_memory_format(ColorBufferInternalFormat internal, bool srgb, bool dithered) {
    using enum PixelFormatCode;
    const auto either = [&](PixelFormatCode plain, PixelFormatCode with_dither, ComponentOrder order) {
        return pixel_format(dithered ? with_dither : plain, order, srgb);
    };
    switch (internal) {
        case ColorBufferInternalFormat::R8G8B8A8:
            return either(RGBA8_TB, RGBA8_TB, ComponentOrder::RGBA);
        case ColorBufferInternalFormat::R10G10B10A2:
            return either(RGB10_A2_TB, RGB10_A2_TB, ComponentOrder::RGBA);
        case ColorBufferInternalFormat::R8G8B8A2:
            return either(RGB8_A2_PU, RGB8_A2_AU, ComponentOrder::RGBA);
        case ColorBufferInternalFormat::R4G4B4A4:
            return either(RGBA4_PU, RGBA4_AU, ComponentOrder::RGBA);
        case ColorBufferInternalFormat::R5G6B5A0:
            return either(R5G6B5_PU, R5G6B5_AU, ComponentOrder::RGB1);
        case ColorBufferInternalFormat::R5G5B5A1:
            return either(RGB5_A1_PU, RGB5_A1_AU, ComponentOrder::RGBA);
        case ColorBufferInternalFormat::RAW_VALUE:
        case ColorBufferInternalFormat::RAW8:
        case ColorBufferInternalFormat::RAW16:
        case ColorBufferInternalFormat::RAW32:
        case ColorBufferInternalFormat::RAW64:
        case ColorBufferInternalFormat::RAW128:
            break;
    }
    return 0;
}

ZsWriteFormat zs_write_format(pipe::Format format) {
    if (format == D16_UNORM) return ZsWriteFormat::D16;
    if (format == D24_UNORM_S8_UINT) return ZsWriteFormat::D24S8;
    if (format == D24_UNORM_X8) return ZsWriteFormat::D24X8;
    if (format == D32_FLOAT || format == D32_FLOAT_S8X24_UINT) return ZsWriteFormat::D32;
    return ZsWriteFormat::NONE;
}

StencilWriteFormat stencil_write_format(pipe::Format format) {
    if (format == S8_UINT || format == D32_FLOAT_S8X24_UINT) return StencilWriteFormat::S8;
    if (format == D24_UNORM_S8_UINT) return StencilWriteFormat::X24S8;
    return StencilWriteFormat::NONE;
}

}  // namespace terrazzo::mali::hw
