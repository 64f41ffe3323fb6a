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
    Engine2d engine{.solid = true};
    if (!hw::blit_format(s.format, &engine.ifmt)) return;
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    if (const uint32_t joined = joined_samples(info, s.samples); joined > 1)
        return fill_joined(cs, chip, s, integers_of(info.block_B * joined, false), layer, area, part, value);
    if (info.is_srgb) engine.ifmt = hw::Ifmt2d::R2D_UNORM8_SRGB;
    engine.is_sint = info.is_pure_sint;
    engine.is_uint = info.is_pure_uint;
    if (s.depth_format == hw::DepthFormat::DEPTH6_24_8 && info.has_stencil)
        engine.keep = part == ClearPart::Depth     ? kKeepStencil2d
                      : part == ClearPart::Stencil ? kKeepDepth2d
                                                   : 0;
    uint32_t words[4];
    if (part == ClearPart::Color)
        color_words(s, engine.ifmt, value, words);
    else
        depth_words(s, value, words);
    const Side2d target = side2d(s);
    write_engine(cs, engine, target);
    cs.write(hw::RB_2D_SRC_SOLID_C0{words[0]}, hw::RB_2D_SRC_SOLID_C1{words[1]},
             hw::RB_2D_SRC_SOLID_C2{words[2]}, hw::RB_2D_SRC_SOLID_C3{words[3]});
    write_target(cs, target, layer);
    cs.write(hw::GRAS_2D_DST_TL{{.x = uint32_t(area.x0) * s.samples, .y = uint32_t(area.y0)}},
             hw::GRAS_2D_DST_BR{{.x = uint32_t(area.x1) * s.samples - 1, .y = uint32_t(area.y1) - 1}});
    run_engine(cs, chip);
}

}  // namespace terrazzo::adreno
