// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, gallium agx_state.c.
#include "drivers/agx/state/state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pipe/state_facts.h"

namespace terrazzo::agx {

namespace {

static_assert(unsigned(hw::ZsFunc::Less) == unsigned(pipe::Compare::Less) &&
              unsigned(hw::ZsFunc::Lequal) == unsigned(pipe::Compare::LessEqual) &&
              unsigned(hw::ZsFunc::Greater) == unsigned(pipe::Compare::Greater) &&
              unsigned(hw::ZsFunc::NotEqual) == unsigned(pipe::Compare::NotEqual) &&
              unsigned(hw::ZsFunc::Gequal) == unsigned(pipe::Compare::GreaterEqual) &&
              unsigned(hw::ZsFunc::Always) == unsigned(pipe::Compare::Always));
hw::ZsFunc zs_func(pipe::Compare c) {
    return hw::ZsFunc(unsigned(c));
}

static_assert(unsigned(hw::StencilOp::Replace) == unsigned(pipe::StencilOp::Replace) &&
              unsigned(hw::StencilOp::DecrSat) == unsigned(pipe::StencilOp::DecrClamp) &&
              unsigned(hw::StencilOp::Invert) == unsigned(pipe::StencilOp::Invert) &&
              unsigned(hw::StencilOp::DecrWrap) == unsigned(pipe::StencilOp::DecrWrap));
hw::FragmentStencil stencil_of(bool test, const pipe::StencilFaceDesc& d) {
    hw::FragmentStencil s;
    s.compare = hw::ZsFunc::Always;
    s.read_mask = s.write_mask = 0xff;
    if (!test) return s;
    s.compare = zs_func(d.compare);
    s.read_mask = d.read_mask;
    s.write_mask = d.write_mask;
    s.stencil_fail = hw::StencilOp(unsigned(d.fail));
    s.depth_fail = hw::StencilOp(unsigned(d.depth_fail));
    s.depth_pass = hw::StencilOp(unsigned(d.pass));
    return s;
}

}  // namespace

AgxRaster::AgxRaster(const pipe::RasterDesc& d) : desc(d) {
    cull.cull_front = d.cull == pipe::CullFace::Front || d.cull == pipe::CullFace::Both;
    cull.cull_back = d.cull == pipe::CullFace::Back || d.cull == pipe::CullFace::Both;
    cull.front_face_ccw = !d.front_ccw;  // for the hardware row 0 is on top
    cull.depth_clip = !d.depth_clamp;
    cull.depth_clamp = d.depth_clamp;
    cull.flat_shading_vertex = hw::PppVertex::N2;
    cull.primitive_msaa = true;
    const float sixteenths = std::clamp(std::floor(d.line_width_px * 16), 1.0f, 256.0f);
    line_width = uint32_t(sixteenths);
}

AgxDepthStencil::AgxDepthStencil(const pipe::DepthStencilDesc& d)
    : desc(d), front(stencil_of(d.stencil_test, d.front)), back(stencil_of(d.stencil_test, d.back)) {
    face.depth_func = d.depth_test ? zs_func(d.depth_compare) : hw::ZsFunc::Always;
    writes_depth = d.depth_test && d.depth_write;
    face.disable_depth_write = !writes_depth;
    writes_stencil = pipe::writes_stencil(d);
}

AgxBlend::AgxBlend(const pipe::BlendDesc& d) : desc(d) {
    for (size_t n = 0; n < equations.size(); ++n)
        for (const bool has_alpha : {false, true})
            equations[n][has_alpha] = blend::simplify(d.targets[n], has_alpha);
}

BlendPlan plan_blending(const AgxBlend& blend, std::span<const pipe::Format> formats, const TileLayout& tiles,
                        const compiler::Info& fragment) {
    BlendPlan plan;
    for (unsigned n = 0; n < formats.size(); ++n) {
        const TileTarget& tile = tiles.target[n];
        if (formats[n] == pipe::Format::None || !tile.components) continue;
        const uint8_t stored = blend::stored_channels(formats[n]);
        const uint8_t mask = blend.desc.targets[n].write_mask & stored;
        const bool is_written = mask && (fragment.colors >> n & 1);
        // The pixel keeps colours of earlier fragments.
        if (!is_written || mask != stored) plan.reads_tiles = true;
        if (!is_written) continue;
        StoreKey& key = plan.stores[n];
        key.writes = true;
        key.target.target = n;
        key.target.format = tile.format;
        key.target.offset_B = tile.offset_B;
        key.target.components = tile.components;
        const bool integer = pipe::format_info(formats[n]).is_pure_int();
        const blend::Equation& e = blend.equations[n][stored >> 3];
        const bool one_word = tile.format >= isa::Format::kRgb10A2;  // of all components
        const bool to_one = blend.desc.alpha_to_one && !integer && (stored & 8);
        const auto components = uint8_t((1u << tile.components) - 1);
        key.blends = to_one || (one_word && mask != stored) || (!integer && !e.replaces);
        if (!key.blends) {
            key.target.mask = uint8_t(mask | (components & ~stored));
            continue;
        }
        key.target.mask = components;
        plan.reads_tiles |= e.reads_destination;
        plan.takes_color |= e.constants != 0;
        key.blend = {.desc = e.desc,
                     .format = formats[n],
                     .write_mask = mask,
                     .alpha_to_one = to_one,
                     .has_second = n == 0 && fragment.second_color};
        key.blend.desc.write_mask = mask;
    }
    bool waits = true;
    for (StoreKey& key : plan.stores)
        if (key.writes) key.target.waits = std::exchange(waits, false);
    return plan;
}

}  // namespace terrazzo::agx
