// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (fd6_clear_surface, emit_clear_color), fd6_gmem.cc (fd6_unknown_8c01);
// captured streams. The samples of a pixel are adjacent pixels to the engine. If a sample is a byte or R8G8,
// they are together one pixel of an integer format.
#include "drivers/adreno/images/engine2d.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/blit_event.h"
#include "drivers/adreno/images/side2d.h"
#include "pipe/half.h"
#include "winsys/trap.h"

namespace terrazzo::adreno {
namespace {

uint32_t unorm8(float f) {
    return uint32_t(std::lround(std::clamp(std::isnan(f) ? 0 : f, 0.0f, 1.0f) * 255));
}
uint32_t snorm8(float f) {
    return uint32_t(std::lround(std::clamp(std::isnan(f) ? 0 : f, -1.0f, 1.0f) * 127)) & 0xff;
}
/// The engine does not convert a fill colour to sRGB.
float to_srgb(float linear) {
    if (!(linear > 0)) return 0;
    if (linear < 0.0031308f) return 12.92f * linear;
    return linear < 1 ? 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f : 1;
}

uint32_t clamp_integer(const pipe::FormatInfo& info, unsigned c, uint32_t bits) {
    const unsigned size = info.component_bits(c);
    if (!size || size >= 32) return bits;
    if (info.is_pure_uint) return std::min(bits, (1u << size) - 1);
    const int32_t most = (1 << (size - 1)) - 1;
    return uint32_t(std::clamp(int32_t(bits), -most - 1, most));
}

void color_words(const Surface& s, hw::Ifmt2d ifmt, const ClearValue& v, uint32_t out[4]) {
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    for (unsigned c = 0; c < 4; ++c) {
        const float f = info.is_srgb && c < 3 ? to_srgb(v.color.f[c]) : v.color.f[c];
        switch (ifmt) {
            case hw::Ifmt2d::R2D_UNORM8:
            case hw::Ifmt2d::R2D_UNORM8_SRGB:
                out[c] = info.channel[0].type == pipe::ChannelType::Snorm ? snorm8(f) : unorm8(f);
                break;
            case hw::Ifmt2d::R2D_FLOAT16:
                out[c] = pipe::float_to_half(f);
                break;
            case hw::Ifmt2d::R2D_FLOAT32:
                out[c] = std::bit_cast<uint32_t>(f);
                break;
            default:
                out[c] = clamp_integer(info, c, v.color.u[c]);
                break;
        }
    }
}

void depth_words(const Surface& s, const ClearValue& v, uint32_t out[4]) {
    const float depth = std::clamp(std::isnan(v.depth) ? 0 : v.depth, 0.0f, 1.0f);
    out[0] = std::bit_cast<uint32_t>(depth);  // for 16 bits and floats
    out[1] = out[2] = out[3] = 0;
    if (s.depth_format != hw::DepthFormat::DEPTH6_24_8) return;
    const auto bits = uint32_t(std::llround(double(depth) * 0xffffff));
    out[0] = bits & 0xff;
    out[1] = bits >> 8 & 0xff;
    out[2] = bits >> 16;
    out[3] = v.stencil;
}

/// RB_2D_UNKNOWN_8C01: which bytes of depth with stencil are kept.
uint32_t partial(ClearPart part) {
    switch (part) {
        case ClearPart::Depth:
            return 0x08000041;
        case ClearPart::Stencil:
            return 0x00084001;
        case ClearPart::Color:
        case ClearPart::DepthStencil:
            return 0;
    }
    winsys::unreachable();
}

/// The format of an element that has all samples of a pixel. None: each sample is an element.
pipe::Format joined_samples(const Surface& s) {
    const pipe::FormatInfo& f = pipe::format_info(s.pipe_format);
    const bool two_bytes = f.block_B == 2 && f.channel_count == 2 && f.component_bits(0) == 8;
    if (s.samples == 1 || !(f.block_B == 1 || two_bytes)) return pipe::Format::None;
    switch (f.block_B * s.samples) {
        case 2:
            return pipe::Format::R16_UINT;
        case 4:
            return pipe::Format::R32_UINT;
        default:
            return pipe::Format::R32G32_UINT;
    }
}

void fill_joined(CsBuilder& cs, const hw::Chip& chip, const Surface& s, pipe::Format format, uint32_t layer,
                 const pipe::Scissor& area, ClearPart part, const ClearValue& value) {
    uint32_t pixel[4];
    gmem_pixel(s, part, value, pixel);
    const unsigned bits = pipe::format_info(s.pipe_format).block_B * 8u;
    ClearValue same;
    for (unsigned at = 0; at < 64; at += bits)
        same.color.u[at / 32] |= (pixel[0] & ((1u << bits) - 1)) << at % 32;
    if (format == pipe::Format::R16_UINT) same.color.u[0] &= 0xffff;
    Surface elements = s;
    elements.pipe_format = format;
    elements.format = hw::format_row(format)->target;
    elements.samples = 1;
    fill(cs, chip, elements, layer, area, ClearPart::Color, same);
}

}  // namespace

bool can_fill(const Surface& s) {
    hw::Ifmt2d ifmt;
    return hw::blit_format(s.format, &ifmt);
}

void fill(CsBuilder& cs, const hw::Chip& chip, const Surface& s, uint32_t layer, const pipe::Scissor& area,
          ClearPart part, const ClearValue& value) {
    hw::Ifmt2d ifmt = hw::Ifmt2d::R2D_UNORM8;
    if (!hw::blit_format(s.format, &ifmt)) return;
    if (const pipe::Format format = joined_samples(s); format != pipe::Format::None)
        return fill_joined(cs, chip, s, format, layer, area, part, value);
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    if (info.is_srgb) ifmt = hw::Ifmt2d::R2D_UNORM8_SRGB;
    uint32_t words[4];
    if (part == ClearPart::Color)
        color_words(s, ifmt, value, words);
    else
        depth_words(s, value, words);
    const bool has_both = s.depth_format == hw::DepthFormat::DEPTH6_24_8 && info.has_stencil;
    const hw::Blit2dCntl control{.solid_color = true, .color_format = s.format, .mask = 0xf, .ifmt = ifmt};
    const hw::Format computed =
        s.format == hw::Format::FMT6_10_10_10_2_UNORM_DEST ? hw::Format::FMT6_16_16_16_16_FLOAT : s.format;
    cs.write(hw::RB_2D_BLIT_CNTL{control}, hw::RB_2D_UNKNOWN_8C01{has_both ? partial(part) : 0},
             hw::GRAS_2D_BLIT_CNTL{control},
             hw::SP_2D_DST_FORMAT{{.sint = info.is_pure_sint,
                                   .uint = info.is_pure_uint,
                                   .color_format = computed,
                                   .srgb = info.is_srgb,
                                   .mask = 0xf}},
             hw::RB_2D_SRC_SOLID_C0{words[0]}, hw::RB_2D_SRC_SOLID_C1{words[1]},
             hw::RB_2D_SRC_SOLID_C2{words[2]}, hw::RB_2D_SRC_SOLID_C3{words[3]});
    const uint32_t x0 = uint32_t(area.x0) * s.samples, x1 = uint32_t(area.x1) * s.samples;
    if (s.flags_va)
        cs.write(hw::RB_2D_DST_FLAGS{s.flags_va + uint64_t(layer) * s.flags_array_pitch_dw * 4},
                 hw::RB_2D_DST_FLAGS_PITCH{.pitch = s.flags_pitch_B});
    cs.write(hw::RB_2D_DST_INFO{{.color_format = s.format,
                                 .tile_mode = s.tile_mode,
                                 .color_swap = s.swap,
                                 .flags = s.flags_va != 0,
                                 .srgb = info.is_srgb}},
             hw::RB_2D_DST{s.va + uint64_t(layer) * s.array_pitch_B}, hw::RB_2D_DST_PITCH{s.pitch_B},
             hw::GRAS_2D_DST_TL{{.x = x0, .y = uint32_t(area.y0)}},
             hw::GRAS_2D_DST_BR{{.x = x1 - 1, .y = uint32_t(area.y1) - 1}});
    run_engine(cs, chip);
}

}  // namespace terrazzo::adreno
