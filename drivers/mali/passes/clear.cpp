// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears. Where nothing was drawn yet they are the tiles' first contents; later, and where they are masked or
// scissored, a rectangle is drawn.
#include <new>

#include "drivers/mali/passes/state_aside.h"

namespace terrazzo::mali {

using namespace pipe::attachment_bit;

void MaliContext::clear(const pipe::ClearInfo& info) {
    if (!in_pass_) {
        log_(pipe::Severity::Error, "mali: clear outside a render pass");
        return;
    }
    const pipe::RenderPassDesc& desc = pass_.desc();
    uint32_t wanted = 0, whole = 0;
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (desc.color[i].resource && (info.attachments & kColor0 << i) && info.color_mask[i]) {
            wanted |= kColor0 << i;
            if (info.color_mask[i] == 15) whole |= kColor0 << i;
        }
    if (desc.depth_stencil.resource) {
        const pipe::FormatInfo& f = pipe::format_info(desc.depth_stencil.format);
        if (f.has_depth && (info.attachments & kDepth)) wanted |= kDepth, whole |= kDepth;
        if (f.has_stencil && (info.attachments & kStencil) && info.stencil_mask) {
            wanted |= kStencil;
            if (info.stencil_mask == 0xff) whole |= kStencil;
        }
    }
    const PixelRect all = pass_.extent();
    const bool everywhere = !info.scissored || (info.scissor.x0 <= 0 && info.scissor.y0 <= 0 &&
                                                info.scissor.x1 >= all.x1 && info.scissor.y1 >= all.y1);
    if (everywhere && pass_.fresh()) {
        pass_.clear_on_load(info, whole);
        wanted &= ~whole;
    }
    if (wanted) draw_clear(info, wanted);
}

void MaliContext::draw_clear(const pipe::ClearInfo& info, uint32_t attachments) {
    const pipe::RenderPassDesc& desc = pass_.desc();
    const PixelRect all = pass_.extent();
    pipe::RasterDesc raster;
    raster.scissor = info.scissored;
    pipe::BlendDesc blend;
    uint8_t colors = 0;
    for (uint32_t i = 0; i < pipe::kMaxColorTargets; ++i) {
        const bool on = attachments & kColor0 << i;
        blend.targets[i].write_mask = on ? info.color_mask[i] : 0;
        if (on) colors |= uint8_t(1u << i);
    }
    pipe::DepthStencilDesc zs;
    zs.depth_test = zs.depth_write = attachments & kDepth;
    zs.depth_compare = pipe::Compare::Always;
    zs.stencil_test = attachments & kStencil;
    zs.front.fail = zs.front.depth_fail = zs.front.pass = pipe::StencilOp::Replace;
    zs.front.write_mask = info.stencil_mask;
    zs.back = zs.front;

    MaliRaster raster_state(raster);
    MaliBlend blend_state(blend);
    MaliDepthStencil zs_state(zs);
    MaliProgram* const program = screen_.internal_shaders().clear_program(colors);
    if (!program) throw std::bad_alloc();

    const StateAside aside(*this);
    raster_ = &raster_state;
    blend_ = &blend_state;
    depth_stencil_ = &zs_state;
    layout_ = screen_.rectangle_layout.get();
    program_ = program;
    // The corners of clip space; depth is the viewport's.
    viewport_ = {{float(all.x1) / 2, float(all.y1) / 2, 0},
                 {float(all.x1) / 2, float(all.y1) / 2, info.depth}};
    scissor_ = info.scissor;
    stencil_ref_front_ = stencil_ref_back_ = info.stencil;
    vertex_buffers_ = {{screen_.rectangle.get(), 0, 16}};
    uint32_t first = 0;
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (attachments & kColor0 << i) {
            first = i;
            break;
        }
    uniforms_[1].assign(info.color[first].u, info.color[first].u + 4);
    pipe::DrawInfo draw_info;
    draw_info.mode = pipe::Primitive::TriangleStrip;
    const pipe::DrawRange range{0, 4, 0};
    draw(draw_info, {&range, 1});
}

}  // namespace terrazzo::mali
