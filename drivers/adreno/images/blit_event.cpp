// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_gmem.cc (emit_blit, emit_restore_blit, emit_resolve_blit, emit_subpass_clears),
// tu_clear_blit.cc (partial clears).
#include "drivers/adreno/images/blit_event.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/adreno/stream/enums.h"
#include "pipe/layout/channel_order.h"

namespace terrazzo::adreno {
namespace {

uint32_t round_up(uint32_t n, uint32_t to) {
    return (n + to - 1) / to * to;
}

uint32_t depth_word(hw::DepthFormat format, const ClearValue& v) {
    const float depth = std::clamp(std::isnan(v.depth) ? 0 : v.depth, 0.0f, 1.0f);
    switch (format) {
        case hw::DepthFormat::DEPTH6_16:
            return uint32_t(std::lround(depth * 0xffff));
        case hw::DepthFormat::DEPTH6_24_8:
            return uint32_t(std::llround(double(depth) * 0xffffff)) | uint32_t(v.stencil) << 24;
        case hw::DepthFormat::DEPTH6_32:
        case hw::DepthFormat::DEPTH6_NONE:
            break;
    }
    return std::bit_cast<uint32_t>(depth);
}

void write_scissor(CsBuilder& cs, const pipe::Scissor& r) {
    cs.write(hw::RB_BLIT_SCISSOR_TL{{.x = uint32_t(r.x0), .y = uint32_t(r.y0)}},
             hw::RB_BLIT_SCISSOR_BR{{.x = uint32_t(r.x1) - 1, .y = uint32_t(r.y1) - 1}});
}

void move_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px,
               const hw::RB_BLIT_INFO& info) {
    write_scissor(cs, {0, 0, int32_t(round_up(w_px, hw::Chip::kGmemAlignW_px)),
                       int32_t(round_up(h_px, hw::Chip::kGmemAlignH_px))});
    cs.write(info,
             hw::RB_BLIT_DST_INFO{.tile_mode = s.tile_mode,
                                  .flags = s.flags_va != 0,
                                  .samples = msaa_samples(s.samples),
                                  .color_swap = s.swap,
                                  .color_format = s.format},
             hw::RB_BLIT_DST{s.va}, hw::RB_BLIT_DST_PITCH{s.pitch_B},
             hw::RB_BLIT_DST_ARRAY_PITCH{s.array_pitch_B}, hw::RB_BLIT_BASE_GMEM{gmem_B});
    if (s.flags_va)
        cs.write(hw::RB_BLIT_FLAG_DST{s.flags_va},
                 hw::RB_BLIT_FLAG_DST_PITCH{.pitch = s.flags_pitch_B, .array_pitch = s.flags_array_pitch_dw});
    cs.event(hw::EventType::BLIT);
}

/// Rounds halves up, as the fills of sysmem passes do: both kinds of passes must clear to the same colour.
pipe::ClearColor rounded(const pipe::FormatInfo& info, pipe::ClearColor color) {
    if (info.is_srgb) return color;
    for (unsigned c = 0; c < 4; ++c)
        if (info.channel[0].type == pipe::ChannelType::Unorm && info.component_bits(c) == 8)
            color.f[c] =
                float(std::lround(std::clamp(std::isnan(color.f[c]) ? 0 : color.f[c], 0.0f, 1.0f) * 255)) /
                255;
    return color;
}

bool is_depth(const Surface& s) {
    return s.depth_format != hw::DepthFormat::DEPTH6_NONE;
}
bool is_integer(const Surface& s) {
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    return info.is_pure_uint || info.is_pure_sint;
}

}  // namespace

void load_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px) {
    move_tile(cs, s, gmem_B, w_px, h_px,
              {.type = hw::BlitEventType::BLIT_EVENT_LOAD, .sample_0 = is_integer(s), .depth = is_depth(s)});
}

void store_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, uint32_t w_px, uint32_t h_px) {
    move_tile(cs, s, gmem_B, w_px, h_px,
              // As freedreno: a stencil plane is stored by this event type, with nothing to clear.
              {.type = s.is_stencil ? hw::BlitEventType::BLIT_EVENT_STORE_AND_CLEAR
                                    : hw::BlitEventType::BLIT_EVENT_STORE,
               .sample_0 = is_integer(s) || is_depth(s),
               .depth = is_depth(s)});
}

void clear_tile(CsBuilder& cs, const Surface& s, uint32_t gmem_B, const pipe::Scissor& area, ClearPart part,
                const ClearValue& value) {
    constexpr uint32_t kMasks[] = {0xf, 1, 2, 3};  // indexed by ClearPart
    uint32_t words[4];
    gmem_pixel(s, part, value, words);
    write_scissor(cs, area);
    cs.write(hw::RB_BLIT_DST_INFO{.samples = msaa_samples(s.pass_samples), .color_format = s.format},
             hw::RB_BLIT_INFO{.type = hw::BlitEventType::BLIT_EVENT_CLEAR,
                              .depth = s.is_stencil || part != ClearPart::Color,
                              .clear_mask = s.is_stencil ? 1 : kMasks[unsigned(part)]},
             hw::RB_BLIT_BASE_GMEM{gmem_B}, hw::RB_UNKNOWN_88D0{}, hw::RB_BLIT_CLEAR_COLOR_DW0{words[0]},
             hw::RB_BLIT_CLEAR_COLOR_DW1{words[1]}, hw::RB_BLIT_CLEAR_COLOR_DW2{words[2]},
             hw::RB_BLIT_CLEAR_COLOR_DW3{words[3]});
    cs.event(hw::EventType::BLIT);
}

void gmem_pixel(const Surface& s, ClearPart part, const ClearValue& value, uint32_t out[4]) {
    std::fill_n(out, 4, 0u);
    if (part != ClearPart::Color) {
        out[0] = depth_word(s.depth_format, value);
        return;
    }
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    if (info.is_pure_sint)
        pipe::pack_rgba_s32(s.pipe_format, out, value.color.i, 1);
    else if (info.is_pure_uint)
        pipe::pack_rgba_u32(s.pipe_format, out, value.color.u, 1);
    else
        pipe::pack_rgba_f32(s.pipe_format, out, rounded(info, value.color).f, 1);
    if (!pipe::format_in_rgba_order(s.pipe_format)) pipe::pixels_to_rgba_order(s.pipe_format, out, out, 1);
}

}  // namespace terrazzo::adreno
