// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (fd6_clear_surface, emit_clear_color, emit_blit_setup, emit_blit_src,
// emit_blit_dst, emit_blit_fini), fd6_gmem.cc (fd6_unknown_8c01); captured streams. The samples of a pixel
// are adjacent pixels to the engine. If a sample is a byte or R8G8, they are together one pixel of an integer
// format.
#include "drivers/adreno/images/engine2d.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/blit_event.h"
#include "drivers/adreno/stream/enums.h"
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

Side2d side2d(const AdrenoResource& r, uint32_t level, Plane plane) {
    const pipe::SurfaceLayout& surface = r.plane(plane);
    const pipe::LevelLayout& l = surface.level[level];
    Side2d s;
    s.tile_mode = tile_mode_of(l.tiling);
    s.samples = r.desc.samples;
    s.width = l.width;
    s.height = l.height;
    s.pitch_B = l.row_stride_B;
    s.va = r.plane_va(plane, level, 0);
    s.z_stride_B = surface.z_stride_B(level);
    if (plane == Plane::Main && r.is_compressed() && r.ubwc.compressed(level)) {
        s.flags_va = r.va() + r.ubwc.flag_offset_B(level, 0, 0, 0);
        s.flags_z_stride_B = r.ubwc.layer_stride_B;
        s.flags_pitch_B = r.ubwc.level[level].row_stride_B;
    }
    return s;
}

Side2d side2d(const Surface& s) {
    return {.format = s.format,
            .tile_mode = s.tile_mode,
            .swap = s.swap,
            .srgb = pipe::format_info(s.pipe_format).is_srgb,
            .samples = s.samples,
            .width = s.width_px,
            .height = s.height_px,
            .pitch_B = s.pitch_B,
            .va = s.va,
            .z_stride_B = s.array_pitch_B,
            .flags_va = s.flags_va,
            .flags_z_stride_B = uint64_t(s.flags_array_pitch_dw) * 4,
            .flags_pitch_B = s.flags_pitch_B};
}

bool is_two_bytes(const pipe::FormatInfo& f) {
    return f.block_B == 2 && f.channel_count == 2 && f.component_bits(0) == 8;
}

uint32_t joined_samples(const pipe::FormatInfo& f, uint32_t samples) {
    return f.block_B == 1 || is_two_bytes(f) ? samples : 1;
}

pipe::Format integers_of(uint32_t size_B, bool two_bytes) {
    using pipe::Format;
    switch (size_B) {
        case 1:
            return Format::R8_UINT;
        case 2:
            return two_bytes ? Format::R8G8_UINT : Format::R16_UINT;
        case 4:
            return Format::R32_UINT;
        case 8:
            return Format::R32G32_UINT;
        case 16:
            return Format::R32G32B32A32_UINT;
        default:
            return Format::None;
    }
}

bool is_aligned(const Side2d& s) {
    constexpr uint64_t kAlign_B = 64;
    return s.pitch_B % kAlign_B == 0 && s.va % kAlign_B == 0 && s.z_stride_B % kAlign_B == 0;
}

void write_engine(CsBuilder& cs, const Engine2d& e, const Side2d& target) {
    const hw::Blit2dCntl control{.rotate = e.rotate,
                                 .solid_color = e.solid,
                                 .color_format = target.format,
                                 .scissor = e.scissored,
                                 .mask = 0xf,
                                 .ifmt = e.ifmt};
    const hw::Format computed = target.format == hw::Format::FMT6_10_10_10_2_UNORM_DEST
                                    ? hw::Format::FMT6_16_16_16_16_FLOAT
                                    : target.format;
    cs.write(hw::RB_2D_BLIT_CNTL{control}, hw::RB_2D_UNKNOWN_8C01{e.keep}, hw::GRAS_2D_BLIT_CNTL{control},
             hw::SP_2D_DST_FORMAT{{.sint = e.is_sint,
                                   .uint = e.is_uint,
                                   .color_format = computed,
                                   .srgb = target.srgb,
                                   .mask = 0xf}});
}

void write_source(CsBuilder& cs, const Side2d& s, uint32_t z, bool filter, bool average) {
    cs.write(hw::SP_PS_2D_SRC_INFO{{.color_format = s.format,
                                    .tile_mode = s.tile_mode,
                                    .color_swap = s.swap,
                                    .flags = s.flags_va != 0,
                                    .srgb = s.srgb,
                                    .samples = msaa_samples(s.samples),
                                    .filter = filter,
                                    .samples_average = average,
                                    .unk20 = true,
                                    .unk22 = true}},
             hw::SP_PS_2D_SRC_SIZE{.width = s.width, .height = s.height}, hw::SP_PS_2D_SRC{s.image_va(z)},
             hw::SP_PS_2D_SRC_PITCH{.pitch = s.pitch_B});
    if (s.flags_va)
        cs.write(hw::SP_PS_2D_SRC_FLAGS{s.image_flags_va(z)}, hw::SP_PS_2D_SRC_FLAGS_PITCH{s.flags_pitch_B});
}

void write_target(CsBuilder& cs, const Side2d& s, uint32_t z) {
    cs.write(hw::RB_2D_DST_INFO{{.color_format = s.format,
                                 .tile_mode = s.tile_mode,
                                 .color_swap = s.swap,
                                 .flags = s.flags_va != 0,
                                 .srgb = s.srgb}},
             hw::RB_2D_DST{s.image_va(z)}, hw::RB_2D_DST_PITCH{s.pitch_B});
    if (s.flags_va)
        cs.write(hw::RB_2D_DST_FLAGS{s.image_flags_va(z)},
                 hw::RB_2D_DST_FLAGS_PITCH{.pitch = s.flags_pitch_B});
}

void write_rects(CsBuilder& cs, const pipe::Scissor& from, const pipe::Scissor& to) {
    cs.write(hw::GRAS_2D_SRC_TL_X{from.x0}, hw::GRAS_2D_SRC_BR_X{from.x1 - 1}, hw::GRAS_2D_SRC_TL_Y{from.y0},
             hw::GRAS_2D_SRC_BR_Y{from.y1 - 1},
             hw::GRAS_2D_DST_TL{{.x = uint32_t(to.x0), .y = uint32_t(to.y0)}},
             hw::GRAS_2D_DST_BR{{.x = uint32_t(to.x1) - 1, .y = uint32_t(to.y1) - 1}});
}

void run_engine(CsBuilder& cs, const hw::Chip& chip) {
    cs.event(hw::EventType::LABEL);
    cs.wait_for_idle();
    cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl_blit});
    cs.packet(hw::CpBlit{.op = hw::BlitOp::BLIT_OP_SCALE});
    cs.wait_for_idle();
    cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl});
}

}  // namespace terrazzo::adreno
