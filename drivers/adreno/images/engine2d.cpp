// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (fd6_clear_surface, emit_clear_color), fd6_gmem.cc (fd6_unknown_8c01); captured streams. Pixels of several samples are
// so many pixels beside each other.
#include "drivers/adreno/images/engine2d.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/adreno/hw/formats.h"
#include "pipe/half.h"

namespace terrazzo::adreno {
namespace {

uint32_t unorm8(float f) {
    return uint32_t(std::lround(std::clamp(std::isnan(f) ? 0 : f, 0.0f, 1.0f) * 255));
}
uint32_t snorm8(float f) {
    return uint32_t(std::lround(std::clamp(std::isnan(f) ? 0 : f, -1.0f, 1.0f) * 127)) & 0xff;
}
/// The engine does not encode a colour that it fills with.
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
    out[0] = std::bit_cast<uint32_t>(depth);  // of 16 bits and floats
    out[1] = out[2] = out[3] = 0;
    if (s.depth_format != hw::DepthFormat::DEPTH6_24_8) return;
    const auto bits = uint32_t(std::llround(double(depth) * 0xffffff));
    out[0] = bits & 0xff;
    out[1] = bits >> 8 & 0xff;
    out[2] = bits >> 16;
    out[3] = v.stencil;
}

/// RB_2D_UNKNOWN_8C01: which bytes of depth with stencil are left.
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
    __builtin_unreachable();
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
    cs.write(
        hw::RB_2D_DST_INFO{
            {.color_format = s.format, .tile_mode = s.tile_mode, .color_swap = s.swap, .srgb = info.is_srgb}},
        hw::RB_2D_DST{s.va + uint64_t(layer) * s.array_pitch_B}, hw::RB_2D_DST_PITCH{s.pitch_B},
        hw::GRAS_2D_DST_TL{{.x = x0, .y = uint32_t(area.y0)}},
        hw::GRAS_2D_DST_BR{{.x = x1 - 1, .y = uint32_t(area.y1) - 1}});
    cs.event(hw::EventType::LABEL);
    cs.wait_for_idle();
    cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl_blit});
    cs.packet(hw::CpBlit{.op = hw::BlitOp::BLIT_OP_SCALE});
    cs.wait_for_idle();
    cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl});
}

}  // namespace terrazzo::adreno
