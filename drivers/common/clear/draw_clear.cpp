// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/clear/draw_clear.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "drivers/common/blend/equation.h"
#include "drivers/common/images/stored.h"
#include "shaders/ir/builder.h"
#include "shaders/passes/gather_info.h"

namespace terrazzo::clears {

using namespace pipe::attachment_bit;

Plan plan(const pipe::ClearInfo& info, const pipe::RenderPassDesc& desc) {
    Plan p;
    const auto format_of = [](const pipe::Attachment& a) {
        return a.format == pipe::Format::None ? a.resource->desc.format : a.format;
    };
    for (uint32_t i = 0; i < desc.color_count; ++i) {
        if (!desc.color[i].resource || !(info.attachments & kColor0 << i)) continue;
        // Components that the format does not store are ignored.
        const uint32_t stored = blend::stored_channels(format_of(desc.color[i]));
        const uint32_t cleared = info.color_mask[i] & stored;
        if (cleared) (cleared == stored ? p.whole : p.masked) |= kColor0 << i;
    }
    if (!desc.depth_stencil.resource) return p;
    const pipe::FormatInfo& f = pipe::format_info(format_of(desc.depth_stencil));
    if (f.has_depth && (info.attachments & kDepth)) p.whole |= kDepth;
    if (f.has_stencil && (info.attachments & kStencil) && info.stencil_mask)
        (info.stencil_mask == 0xff ? p.whole : p.masked) |= kStencil;
    return p;
}

bool covers(const pipe::ClearInfo& info, const pipe::RenderPassDesc& desc) {
    const pipe::Scissor& s = info.scissor;
    return !info.scissored ||
           (s.x0 <= 0 && s.y0 <= 0 && s.x1 >= int32_t(desc.width) && s.y1 >= int32_t(desc.height));
}

DrawClears::DrawClears(pipe::Screen& screen) : screen_(screen) {
    pipe::ResourceDesc desc;
    desc.kind = pipe::ResourceKind::Buffer;
    desc.width = sizeof kRectangle;
    desc.bind = pipe::bind::kVertex;
    rectangle_ = screen.create_resource(desc);
    pipe::VertexLayoutDesc layout;
    layout.elements[0].format = pipe::Format::R32G32B32A32_FLOAT;
    layout.count = 1;
    layout_ = screen.create_vertex_layout(layout);
    if (!rectangle_ || !layout_) throw std::bad_alloc();
    std::memcpy(static_cast<images::StoredResource&>(*rectangle_).cpu(), kRectangle, sizeof kRectangle);
}

pipe::Program* DrawClears::program(uint8_t colors, const pipe::Log& log) {
    const std::lock_guard guard(mutex_);
    for (const auto& [known, program] : programs_)
        if (known == colors) return program.get();
    const std::unique_ptr<ir::Shader> vertex = vertex_shader(), fragment = fragment_shader(colors);
    pipe::ProgramDesc desc;
    desc.stages[size_t(pipe::Stage::Vertex)] = vertex.get();
    desc.stages[size_t(pipe::Stage::Fragment)] = fragment.get();
    desc.label = "of clears";
    pipe::Ref<pipe::Program> program = screen_.create_program(desc, log);
    if (!program) throw std::bad_alloc();
    programs_.emplace_back(colors, std::move(program));
    return programs_.back().second.get();
}

void DrawClears::run(pipe::Context& context, const pipe::ClearInfo& info, const pipe::RenderPassDesc& desc,
                     uint32_t attachments, const pipe::Log& log) {
    constexpr uint32_t kColors = kDepth - 1;
    context.bind_vertex_layout(layout_.get());
    const pipe::VertexBuffer vertices{rectangle_.get(), 0, 16};
    context.set_vertex_buffers({&vertices, 1});
    // The rectangle covers clip space; the viewport sets the depth.
    const float w = float(desc.width) / 2, h = float(desc.height) / 2;
    context.set_viewport({{w, h, 0}, {w, h, info.depth}});
    context.set_scissor(info.scissor);
    context.set_stencil_ref(info.stencil, info.stencil);
    context.set_sample_mask(1, false, ~0u);
    // The first draw clears depth and stencil, too. Colour targets with equal values are cleared together.
    uint32_t rest = attachments;
    States bound;
    do {
        const auto first = unsigned(std::countr_zero(rest));
        const pipe::ClearColor& color = info.color[rest & kColors ? first : 0];
        uint32_t now = rest & ~kColors;
        for (uint32_t i = 0; i < desc.color_count; ++i)
            if ((rest & kColor0 << i) && std::equal(color.u, color.u + 4, info.color[i].u))
                now |= kColor0 << i;
        bound = draw(context, info, now, color, log);
        rest &= ~now;
    } while (rest);
}

DrawClears::States DrawClears::draw(pipe::Context& context, const pipe::ClearInfo& info, uint32_t attachments,
                                    const pipe::ClearColor& color, const pipe::Log& log) {
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
    States states{screen_.create_raster(raster), screen_.create_blend(blend),
                  screen_.create_depth_stencil(zs)};
    if (!states.raster || !states.blend || !states.depth_stencil) throw std::bad_alloc();
    context.bind_raster(states.raster.get());
    context.bind_blend(states.blend.get());
    context.bind_depth_stencil(states.depth_stencil.get());
    context.bind_program(program(colors, log));
    context.set_uniforms(pipe::Stage::Fragment, color.u);
    pipe::DrawInfo draw_info;
    draw_info.mode = pipe::Primitive::TriangleStrip;
    const pipe::DrawRange range{0, 4, 0};
    context.draw(draw_info, {&range, 1});
    return states;
}

std::unique_ptr<ir::Shader> vertex_shader() {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    for (uint32_t c = 0; c < 4; ++c)
        b.store_output(uint32_t(ir::VaryingSlot::Position), c, b.load_input(ir::Type::F32, 0, c));
    ir::gather_info(*s);
    return s;
}

std::unique_ptr<ir::Shader> fragment_shader(uint8_t colors) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    ir::Builder b(*s);
    for (uint32_t c = 0; colors && c < 4; ++c) {
        ir::Value* v = b.load_uniform(ir::Type::F32, c);
        for (uint32_t target = 0; target < 8; ++target)
            if (colors >> target & 1) b.store_output(target, c, v);
    }
    ir::gather_info(*s);
    return s;
}

}  // namespace terrazzo::clears
