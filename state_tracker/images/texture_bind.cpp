// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures as draws see them: views and samplers for the program's sampler slots.
#include <algorithm>

#include "state_tracker/core/program.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

namespace {

pipe::Wrap wrap(GLenum w) {
    switch (w) {
        case GL_CLAMP_TO_EDGE:
            return pipe::Wrap::ClampToEdge;
        case GL_MIRRORED_REPEAT:
            return pipe::Wrap::MirroredRepeat;
        case GL_CLAMP_TO_BORDER:
            return pipe::Wrap::ClampToBorder;
        default:
            return pipe::Wrap::Repeat;
    }
}

pipe::SamplerDesc sampler_desc(const Context& ctx, const Texture& t) {
    const SamplerParams& p = t.params;
    pipe::SamplerDesc d;
    d.wrap_s = wrap(p.wrap_s);
    d.wrap_t = wrap(p.wrap_t);
    d.wrap_r = wrap(p.wrap_r);
    d.mag = p.mag_filter == GL_LINEAR ? pipe::Filter::Linear : pipe::Filter::Nearest;
    const bool min_linear = p.min_filter == GL_LINEAR || p.min_filter == GL_LINEAR_MIPMAP_NEAREST ||
                            p.min_filter == GL_LINEAR_MIPMAP_LINEAR;
    d.min = min_linear ? pipe::Filter::Linear : pipe::Filter::Nearest;
    d.mip = !p.mipmapped() ? pipe::MipFilter::None
            : p.min_filter == GL_NEAREST_MIPMAP_LINEAR || p.min_filter == GL_LINEAR_MIPMAP_LINEAR
                ? pipe::MipFilter::Linear
                : pipe::MipFilter::Nearest;
    d.seamless_cube = ctx.config.version >= 30;
    d.max_anisotropy = std::min(p.max_anisotropy, std::max(1.0f, ctx.limits.max_anisotropy));
    return d;
}

/// Makes t.view and t.sampler what they should be now. A null view: sampling gives (0,0,0,1).
void update_sampled(Context& ctx, Texture& t) {
    if (t.sampled_stamp == t.stamp) return;
    const Completeness c = texture_completeness(ctx, t);
    pipe::Ref<pipe::SamplerView> view;
    if (c.complete) {
        if (!consolidate(ctx, t, c.levels, c.levels)) return ctx.out_of_memory("texture");
        const TextureImage& base = *t.image(0, 0);
        pipe::SamplerViewDesc d;
        d.kind = t.faces() == 6 ? pipe::ResourceKind::Cube : pipe::ResourceKind::Tex2D;
        d.format = base.resource->desc.format;
        d.first_level = uint8_t(base.level);
        d.last_level = uint8_t(base.level + c.levels - 1);
        d.first_layer = uint16_t(base.layer);
        d.last_layer = uint16_t(base.layer + t.faces() - 1);
        view_swizzle(base.format->base, base.layout, d.format, d.swizzle);
        if (t.view && t.view->resource == base.resource && t.view->desc == d)
            view = t.view;
        else
            view = ctx.screen.create_sampler_view(base.resource, d);
        if (!view) return ctx.out_of_memory("texture");
    } else if (t.name) {
        ctx.message(GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_LOW_KHR, "texture %u is incomplete: %s",
                    t.name, c.why);
    }
    const pipe::SamplerDesc d = sampler_desc(ctx, t);
    if (!t.sampler || !(t.sampler_desc == d)) {
        pipe::Ref<pipe::SamplerState> s = ctx.screen.create_sampler(d);
        if (!s) return ctx.out_of_memory("texture");
        t.sampler = std::move(s);
        t.sampler_desc = d;
    }
    t.view = std::move(view);
    t.sampled_stamp = t.stamp;
}

void emit_stage(Context& ctx, pipe::Stage stage, const Executable& exe) {
    Context::RenderPass::Bound& bound = ctx.render_pass->textures[size_t(stage)];
    const auto& slots = exe.samplers[size_t(stage)];
    const uint32_t count = std::min<uint32_t>(uint32_t(slots.size()), pipe::kMaxSamplers);
    std::array<pipe::SamplerView*, pipe::kMaxSamplers> views;
    std::array<pipe::SamplerState*, pipe::kMaxSamplers> samplers;
    bool changed = count != bound.count;
    for (uint32_t i = 0; i < count; ++i) {
        const unsigned unit = exe.unit(slots[i]);
        views[i] = nullptr;
        samplers[i] = nullptr;
        if (unit < kMaxTextureUnits) {
            Texture& t = *ctx.textures[unit][unsigned(slots[i].target)];
            update_sampled(ctx, t);
            const bool valid = t.sampled_stamp == t.stamp;
            views[i] = valid ? t.view.get() : nullptr;
            samplers[i] = t.sampler.get();
        }
        changed = changed || views[i] != bound.views[i].get() || samplers[i] != bound.samplers[i].get();
    }
    if (!changed) return;
    ctx.pipe->set_textures(stage, 0, {views.data(), count}, {samplers.data(), count});
    // The pipe needs the old ones until here.
    const auto hold = [](auto& held, auto* now) {
        if (held.get() != now) held = std::remove_reference_t<decltype(held)>(now);
    };
    for (uint32_t i = 0; i < std::max(count, bound.count); ++i) {
        hold(bound.views[i], i < count ? views[i] : nullptr);
        hold(bound.samplers[i], i < count ? samplers[i] : nullptr);
    }
    bound.count = count;
}

}  // namespace

void emit_textures(Context& ctx, const Program&) {
    if (!ctx.executable) return;
    const auto concerned = [&](unsigned s) {
        return !ctx.executable->samplers[s].empty() || ctx.render_pass->textures[s].count;
    };
    unsigned s = 0;
    while (s < pipe::kStageCount && !concerned(s))
        ++s;
    if (s == pipe::kStageCount) return;
    std::lock_guard lock(ctx.share->mutex);
    for (; s < pipe::kStageCount; ++s)
        if (concerned(s)) emit_stage(ctx, pipe::Stage(s), *ctx.executable);
}

void texture_changed(Context& ctx, Texture& t) {
    t.touch();
    ctx.dirty |= dirty::kTextures;
    if (ctx.framebuffer && ctx.framebuffer->holds(&t, nullptr)) {
        end_rendering(ctx);
        ctx.dirty |= dirty::kFramebuffer;
    }
}

}  // namespace terrazzo::st
