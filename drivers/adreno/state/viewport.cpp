// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, freedreno_guardband.h (the guard band, whose coordinates have 16 bits),
// freedreno_state.c (a viewport's scissor), fd6_emit.cc.
#include "drivers/adreno/state/viewport.h"

#include <algorithm>
#include <cmath>

#include "pipe/state_facts.h"

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kWidestGuardBand = 511;

uint32_t bounded(float px) {
    // NaN becomes 0.
    return px > 0 ? uint32_t(std::min(px, float(kMaxViewport_px))) : 0;
}

}  // namespace

uint32_t guard_band(float translate, float scale) {
    constexpr float kFirst_px = -32768, kLast_px = 32767;
    const float half_px = std::fabs(scale);
    const float reach = std::min((translate - kFirst_px) / half_px, (kLast_px - translate) / half_px);
    // Below 1 only for viewports larger than kMaxViewport_px, which do not occur. One without extent draws
    // nothing.
    if (!(reach >= 1) || std::isinf(reach)) return kWidestGuardBand;
    int exponent = 0;
    const float mantissa = std::frexp(reach, &exponent);  // 0.5 to 1
    if (exponent > 8) return kWidestGuardBand;
    return uint32_t(exponent - 1) << 6 | (uint32_t(mantissa * 128) - 64);
}

uint32_t* write_viewport(const pipe::Viewport& v, uint32_t* out) {
    const float half_w_px = std::fabs(v.scale[0]), half_h_px = std::fabs(v.scale[1]);
    const hw::ScissorXy first{.x = bounded(v.translate[0] - half_w_px),
                              .y = bounded(v.translate[1] - half_h_px)};
    const hw::ScissorXy last{.x = std::max(1u, bounded(std::ceil(v.translate[0] + half_w_px))) - 1,
                             .y = std::max(1u, bounded(std::ceil(v.translate[1] + half_h_px))) - 1};
    return put_registers(out,
                         hw::GRAS_CL_GUARDBAND_CLIP_ADJ{.horz = guard_band(v.translate[0], v.scale[0]),
                                                        .vert = guard_band(v.translate[1], v.scale[1])},
                         Element{0, hw::GRAS_CL_VPORT_XOFFSET{v.translate[0]}},
                         Element{0, hw::GRAS_CL_VPORT_XSCALE{v.scale[0]}},
                         Element{0, hw::GRAS_CL_VPORT_YOFFSET{v.translate[1]}},
                         Element{0, hw::GRAS_CL_VPORT_YSCALE{v.scale[1]}},
                         Element{0, hw::GRAS_CL_VPORT_ZOFFSET{v.translate[2]}},
                         Element{0, hw::GRAS_CL_VPORT_ZSCALE{v.scale[2]}},
                         Element{0, hw::GRAS_CL_Z_CLAMP_MIN{v.depth[0]}},
                         Element{0, hw::GRAS_CL_Z_CLAMP_MAX{v.depth[1]}}, hw::RB_Z_CLAMP_MIN{v.depth[0]},
                         hw::RB_Z_CLAMP_MAX{v.depth[1]}, Element{0, hw::GRAS_SC_VIEWPORT_SCISSOR_TL{first}},
                         Element{0, hw::GRAS_SC_VIEWPORT_SCISSOR_BR{last}});
}

uint32_t* write_scissor(const pipe::Scissor& s, uint32_t* out) {
    hw::ScissorXy first{.x = 1, .y = 1}, last{};
    const int32_t x0 = std::max(s.x0, 0), y0 = std::max(s.y0, 0);
    const int32_t x1 = std::min(s.x1, int32_t(kMaxViewport_px)),
                  y1 = std::min(s.y1, int32_t(kMaxViewport_px));
    if (x0 < x1 && y0 < y1) {
        first = {.x = uint32_t(x0), .y = uint32_t(y0)};
        last = {.x = uint32_t(x1 - 1), .y = uint32_t(y1 - 1)};
    }
    return put_registers(out, Element{0, hw::GRAS_SC_SCREEN_SCISSOR_TL{first}},
                         Element{0, hw::GRAS_SC_SCREEN_SCISSOR_BR{last}});
}

uint32_t* write_blend_color(const float rgba[4], uint32_t* out) {
    return put_registers(out, hw::RB_BLEND_RED_F32{rgba[0]}, hw::RB_BLEND_GREEN_F32{rgba[1]},
                         hw::RB_BLEND_BLUE_F32{rgba[2]}, hw::RB_BLEND_ALPHA_F32{rgba[3]});
}

uint32_t* write_sample_locations(uint32_t* out) {
    return put_registers(out, hw::GRAS_SAMPLE_CONFIG{}, hw::RB_SAMPLE_CONFIG{}, hw::SP_TP_SAMPLE_CONFIG{});
}

uint32_t sample_mask(uint32_t samples, float coverage, bool invert, uint32_t mask) {
    const uint32_t left = pipe::enabled_samples(samples, coverage, invert, mask);
    return left == (1u << samples) - 1 ? kAllSamples : left;
}

}  // namespace terrazzo::adreno
