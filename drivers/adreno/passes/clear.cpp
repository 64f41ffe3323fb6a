// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears inside a pass: by the 2D engine, or, where some components or stencil bits alone are cleared, by a
// rectangle that is drawn.
#include <algorithm>
#include <bit>
#include <new>

#include "drivers/adreno/passes/state_aside.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

void AdrenoContext::clear(const pipe::ClearInfo& info) {
    if (!in_pass_) return log_(pipe::Severity::Error, "adreno: clear outside a render pass");
    if (!pass_.active()) return;
    const pipe::RenderPassDesc& desc = pass_.desc();
    const Targets& targets = pass_.targets();
    uint32_t wanted = 0, masked = 0;
    for (uint32_t i = 0; i < desc.color_count; ++i) {
        if (!desc.color[i].resource || !(info.attachments & kColor0 << i)) continue;
        // Components that the format does not store do not count.
        const uint32_t stored = targets.components >> (4 * i) & 0xf;
        if (!(info.color_mask[i] & stored)) continue;
        const bool all = (info.color_mask[i] & stored) == stored && can_fill(targets.color[i]);
        (all ? wanted : masked) |= kColor0 << i;
    }
    if (desc.depth_stencil.resource) {
        if (info.attachments & kDepth) wanted |= kDepth;
        if (targets.has_stencil && (info.attachments & kStencil) && info.stencil_mask)
            (info.stencil_mask == 0xff ? wanted : masked) |= kStencil;
    }
    const pipe::Scissor all{0, 0, int32_t(desc.width), int32_t(desc.height)};
    if (wanted) pass_.clear(wanted, info.scissored ? info.scissor : all, info);
    dirty_ |= kDepthPlane;  // LRZ
    // A colour of its own for each target.
    for (uint32_t rest = masked; rest; rest &= rest - 1)
        draw_clear(info, 1u << std::countr_zero(rest));
}

void AdrenoContext::draw_clear(const pipe::ClearInfo& info, uint32_t attachment) {
    const pipe::RenderPassDesc& desc = pass_.desc();
    const bool stencil = attachment & kStencil;
    const unsigned target = stencil ? 0 : unsigned(std::countr_zero(attachment / kColor0));
    pipe::RasterDesc raster;
    raster.scissor = info.scissored;
    pipe::BlendDesc blend;
    for (uint32_t i = 0; i < pipe::kMaxColorTargets; ++i)
        blend.targets[i].write_mask = !stencil && i == target ? info.color_mask[i] : 0;
    pipe::DepthStencilDesc zs;
    zs.stencil_test = stencil;
    zs.front.fail = zs.front.depth_fail = zs.front.pass = pipe::StencilOp::Replace;
    zs.front.write_mask = info.stencil_mask;
    zs.back = zs.front;
    const auto raster_state = screen_.create_raster(raster);
    const auto blend_state = screen_.create_blend(blend);
    const auto zs_state = screen_.create_depth_stencil(zs);
    AdrenoProgram* const program = screen_.clear_program(stencil ? 0 : uint8_t(1u << target));
    if (!raster_state || !blend_state || !zs_state || !program) throw std::bad_alloc();

    const StateAside aside(*this);
    const float w = float(desc.width) / 2, h = float(desc.height) / 2;
    bind_raster(raster_state.get());
    bind_blend(blend_state.get());
    bind_depth_stencil(zs_state.get());
    layout_ = screen_.rectangle_layout.get();
    program_ = program;
    viewport_ = {{w, h, 0}, {w, h, 0}};
    scissor_ = info.scissor;
    stencil_ref_front_ = stencil_ref_back_ = info.stencil;
    coverage_ = 1;
    sample_mask_ = ~0u;
    vertex_buffers_ = {{screen_.rectangle.get(), 0, 16}};
    stages_[size_t(ShaderStage::Fragment)].uniforms.assign(info.color[target].u, info.color[target].u + 4);
    pipe::DrawInfo draw_info;
    draw_info.mode = pipe::Primitive::TriangleStrip;
    const pipe::DrawRange range{0, 4, 0};
    draw(draw_info, {&range, 1});
}

}  // namespace terrazzo::adreno
