// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/blit/draw_blit.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "drivers/common/clear/draw_clear.h"
#include "pipe/blit/blit_plan.h"

namespace terrazzo::blits {
namespace {

using pipe::Format;
using pipe::detail::BlitPlan;
using pipe::detail::BlitValue;

/// The format as which the target is drawn, and its components: luminance and alpha formats are not render
/// targets.
struct TargetForm {
    Format format;
    std::array<uint8_t, 4> component = {0, 1, 2, 3};
};
TargetForm target_form(Format f) {
    using enum pipe::Format;
    constexpr std::array<uint8_t, 4> kAlpha = {3, 3, 3, 3}, kLuminanceAlpha = {0, 3, 3, 3};
    static constexpr std::pair<Format, TargetForm> kForms[] = {
        {A8_UNORM, {R8_UNORM, kAlpha}},
        {L8_UNORM, {R8_UNORM}},
        {A16_FLOAT, {R16_FLOAT, kAlpha}},
        {L16_FLOAT, {R16_FLOAT}},
        {A32_FLOAT, {R32_FLOAT, kAlpha}},
        {L32_FLOAT, {R32_FLOAT}},
        {L8A8_UNORM, {R8G8_UNORM, kLuminanceAlpha}},
        {L16A16_FLOAT, {R16G16_FLOAT, kLuminanceAlpha}},
        {L32A32_FLOAT, {R32G32_FLOAT, kLuminanceAlpha}}};
    for (const auto& [stored, form] : kForms)
        if (f == stored) return form;
    return {f};
}

bool is_snorm(Format f) {
    const pipe::FormatInfo& i = pipe::format_info(f);
    return std::any_of(i.channel, i.channel + i.channel_count,
                       [](const auto& c) { return c.type == pipe::ChannelType::Snorm; });
}

bool moves(const BlitPlan& p) {
    return p.x.is_scaled() || p.y.is_scaled() || p.z.is_scaled() || p.x.is_mirrored() || p.y.is_mirrored() ||
           p.z.is_mirrored();
}

/// Copies bits: nothing is decoded.
pipe::BlitInfo as_stored(pipe::BlitInfo b, const BlitPlan& plan) {
    if (plan.value == BlitValue::Raw) b.src.format = b.dst.format = pipe::format_to_linear(b.dst.format);
    return b;
}

bool is_depth_stencil(const pipe::BlitInfo& b) {
    return pipe::format_info(b.dst.format).is_depth_stencil();
}

ShaderKey key_of(const pipe::BlitInfo& b, const BlitPlan& plan) {
    ShaderKey k;
    k.volume = b.src.resource->desc.kind == pipe::ResourceKind::Tex3D;
    k.scaled = plan.x.is_scaled() || plan.y.is_scaled();
    k.linear = plan.linear;
    using V = ShaderKey::Value;
    if (is_depth_stencil(b)) {
        const pipe::FormatInfo& f = pipe::format_info(b.dst.format);
        const bool depth = b.depth && f.has_depth, stencil = b.stencil && f.has_stencil;
        k.value = !stencil ? V::Depth : depth ? V::DepthStencil : V::Stencil;
        return k;
    }
    if (pipe::format_info(b.src.format).is_pure_int()) k.value = V::Integer;
    k.component = target_form(b.dst.format).component;
    return k;
}

/// The source of a blit. If the target is the same level, its texels are copied to a temporary image.
struct Source {
    pipe::Ref<pipe::Resource> resource;
    uint32_t level;
    int32_t x, y, z;  // the position of its first texel in the source
    int32_t width, height;
};
bool find_source(pipe::Context& context, const pipe::BlitInfo& b, const BlitPlan& plan, Source* out) {
    const pipe::Box size = pipe::detail::level_box(b.src.resource->desc, b.src.level);
    *out = {pipe::Ref<pipe::Resource>(b.src.resource), b.src.level, 0, 0, 0, size.width, size.height};
    if (b.src.resource != b.dst.resource || b.src.level != b.dst.level) return true;
    const int32_t margin = plan.linear ? 1 : 0;
    pipe::Box box;
    box.x = std::max(plan.x.src_begin - margin, 0);
    box.y = std::max(plan.y.src_begin - margin, 0);
    box.z = plan.z.src_begin;
    box.width = std::min(plan.x.src_end + margin, size.width) - box.x;
    box.height = std::min(plan.y.src_end + margin, size.height) - box.y;
    box.depth = plan.z.src_end - plan.z.src_begin;
    pipe::ResourceDesc d;
    d.format = b.src.resource->desc.format;
    d.kind = b.src.resource->desc.kind;
    if (d.kind != pipe::ResourceKind::Tex3D)
        d.kind = box.depth > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
    d.width = uint32_t(box.width);
    d.height = uint32_t(box.height);
    (d.kind == pipe::ResourceKind::Tex3D ? d.depth : d.layers) = uint32_t(box.depth);
    d.bind = pipe::bind::kSampled;
    *out = {context.screen.create_resource(d), 0, box.x, box.y, box.z, box.width, box.height};
    if (!out->resource) return false;
    context.copy_region(*out->resource, 0, 0, 0, 0, *b.src.resource, b.src.level, box);
    return true;
}

/// A view of one layer or slice.
pipe::SamplerViewDesc view_desc(const pipe::BlitInfo& b, const Source& s, int32_t z, bool stencil) {
    pipe::SamplerViewDesc v;
    const bool volume = b.src.resource->desc.kind == pipe::ResourceKind::Tex3D;
    v.kind = volume ? pipe::ResourceKind::Tex3D : pipe::ResourceKind::Tex2D;
    v.format = b.src.format;
    v.first_level = v.last_level = uint8_t(s.level);
    if (!volume) v.first_layer = v.last_layer = uint16_t(z);
    v.stencil = stencil;
    return v;
}

pipe::RenderPassDesc pass_desc(const pipe::BlitInfo& b, int32_t z) {
    const pipe::Box size = pipe::detail::level_box(b.dst.resource->desc, b.dst.level);
    pipe::RenderPassDesc d;
    pipe::Attachment a;
    a.resource = b.dst.resource;
    a.format = is_depth_stencil(b) ? b.dst.format : target_form(b.dst.format).format;
    a.level = b.dst.level;
    a.first_layer = uint32_t(z);
    if (is_depth_stencil(b)) {
        d.depth_stencil = a;
    } else {
        d.color[0] = a;
        d.color_count = 1;
    }
    d.width = uint32_t(size.width);
    d.height = uint32_t(size.height);
    return d;
}

}  // namespace

bool DrawBlits::can(const pipe::BlitInfo& info) const {
    if (!info.src.resource || !info.dst.resource) return false;
    const pipe::ResourceDesc &src = info.src.resource->desc, &dst = info.dst.resource->desc;
    const BlitPlan plan = pipe::detail::plan_blit(info);
    if (!plan.possible || plan.empty() || plan.dst_is_compressed || src.samples > 1 || dst.samples > 1 ||
        src.kind == pipe::ResourceKind::Buffer || dst.kind == pipe::ResourceKind::Buffer)
        return false;
    for (const pipe::Box& box : {info.src.box, info.dst.box})
        if (std::abs(int64_t(box.width)) > kMaxSize_px || std::abs(int64_t(box.height)) > kMaxSize_px ||
            std::abs(int64_t(box.x)) > (1 << 30) || std::abs(int64_t(box.y)) > (1 << 30))
            return false;
    if (plan.value == BlitValue::Raw && (!moves(plan) || is_snorm(info.dst.format))) return false;
    const pipe::BlitInfo b = as_stored(info, plan);
    const Format target = is_depth_stencil(b) ? b.dst.format : target_form(b.dst.format).format;
    return screen_.format_supported(b.src.format, src.kind, 1, pipe::bind::kSampled) &&
           screen_.format_supported(target, dst.kind, 1,
                                    is_depth_stencil(b) ? pipe::bind::kDepthStencil : pipe::bind::kColor);
}

bool DrawBlits::make_states() {
    const std::lock_guard guard(mutex_);
    States& s = states_;
    if (!s.raster) s.raster = screen_.create_raster({.scissor = true});
    if (!s.blend) s.blend = screen_.create_blend({.dither = false});
    if (!s.sampler)
        s.sampler = screen_.create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::None});
    bool all = s.raster && s.blend && s.sampler;
    for (unsigned i = 0; i < 4; ++i) {
        pipe::DepthStencilDesc d;
        d.depth_test = d.depth_write = i & 1;
        d.depth_compare = pipe::Compare::Always;
        d.stencil_test = i & 2;
        d.front.pass = d.front.depth_fail = d.front.fail = pipe::StencilOp::Replace;
        d.back = d.front;
        if (!s.depth_stencil[i]) s.depth_stencil[i] = screen_.create_depth_stencil(d);
        all = all && s.depth_stencil[i];
    }
    return all;
}

pipe::Program* DrawBlits::program(const ShaderKey& key, const pipe::Log& log) {
    const std::lock_guard guard(mutex_);
    for (const auto& [known, program] : programs_)
        if (known == key) return program.get();
    const std::unique_ptr<ir::Shader> vertex = clears::vertex_shader(), fragment = fragment_shader(key);
    pipe::ProgramDesc desc;
    desc.stages[size_t(pipe::Stage::Vertex)] = vertex.get();
    desc.stages[size_t(pipe::Stage::Fragment)] = fragment.get();
    desc.label = "of blits";
    pipe::Ref<pipe::Program> program = screen_.create_program(desc, log);
    if (program) programs_.emplace_back(key, program);
    return program.get();
}

bool DrawBlits::run(pipe::Context& context, const pipe::BlitInfo& info, pipe::Resource& rectangle,
                    pipe::VertexLayout* layout, const pipe::Log& log) {
    const BlitPlan plan = pipe::detail::plan_blit(info);
    const pipe::BlitInfo b = as_stored(info, plan);
    const ShaderKey key = key_of(b, plan);
    pipe::Program* const drawn = program(key, log);
    Source source;
    if (!drawn || !make_states() || !find_source(context, b, plan, &source)) return false;
    Uniforms uniforms;
    const pipe::Box &from = b.src.box, &to = b.dst.box;
    uniforms.axis[0] =
        axis_uniforms(int64_t(from.x) - source.x, from.width, to.x, to.width, source.width, plan.linear);
    uniforms.axis[1] =
        axis_uniforms(int64_t(from.y) - source.y, from.height, to.y, to.height, source.height, plan.linear);
    using V = ShaderKey::Value;
    const bool depth = key.value == V::Depth || key.value == V::DepthStencil,
               stencil = key.value == V::Stencil || key.value == V::DepthStencil;
    context.bind_raster(states_.raster.get());
    context.bind_blend(states_.blend.get());
    context.bind_depth_stencil(states_.depth_stencil[depth + 2 * stencil].get());
    context.bind_program(drawn);
    context.bind_vertex_layout(layout);
    const pipe::VertexBuffer buffer{&rectangle, 0, 16};
    context.set_vertex_buffers({&buffer, 1});
    context.set_sample_mask(1, false, ~0u);
    context.set_scissor({plan.x.begin, plan.y.begin, plan.x.end, plan.y.end});
    for (int32_t z = plan.z.begin; z < plan.z.end; ++z) {
        uniforms.z = plan.z.nearest(z) - source.z;
        const pipe::Ref<pipe::SamplerView> views[] = {
            screen_.create_sampler_view(source.resource,
                                        view_desc(b, source, uniforms.z, key.value == V::Stencil)),
            key.value == V::DepthStencil
                ? screen_.create_sampler_view(source.resource, view_desc(b, source, uniforms.z, true))
                : nullptr};
        if (!views[0] || (key.value == V::DepthStencil && !views[1])) throw std::bad_alloc();
        pipe::SamplerView* const textures[] = {views[0].get(), views[1].get()};
        pipe::SamplerState* const samplers[] = {states_.sampler.get(), states_.sampler.get()};
        const size_t count = views[1] ? 2 : 1;
        context.set_textures(pipe::Stage::Fragment, 0, {textures, count}, {samplers, count});
        context.set_uniforms(pipe::Stage::Fragment,
                             {reinterpret_cast<const uint32_t*>(&uniforms), sizeof uniforms / 4});
        const pipe::RenderPassDesc pass = pass_desc(b, z);
        const float w = float(pass.width) / 2, h = float(pass.height) / 2;
        context.set_viewport({{w, h, 0.5f}, {w, h, 0.5f}});
        context.begin_render_pass(pass);
        const pipe::DrawRange range{0, 4, 0};
        context.draw({.mode = pipe::Primitive::TriangleStrip}, {&range, 1});
        context.end_render_pass();
    }
    return true;
}

}  // namespace terrazzo::blits
