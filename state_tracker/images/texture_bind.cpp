// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures as draws see them: views and samplers for the program's sampler slots.
#include <algorithm>

#include "state_tracker/core/buffer.h"
#include "state_tracker/core/program.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/sampler.h"
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
        case GL_MIRROR_CLAMP_TO_EDGE_EXT:
            return pipe::Wrap::MirrorClampToEdge;
        default:
            return pipe::Wrap::Repeat;
    }
}

pipe::Compare compare(GLenum f) {
    switch (f) {
        case GL_NEVER:
            return pipe::Compare::Never;
        case GL_LESS:
            return pipe::Compare::Less;
        case GL_EQUAL:
            return pipe::Compare::Equal;
        case GL_GREATER:
            return pipe::Compare::Greater;
        case GL_NOTEQUAL:
            return pipe::Compare::NotEqual;
        case GL_GEQUAL:
            return pipe::Compare::GreaterEqual;
        case GL_ALWAYS:
            return pipe::Compare::Always;
        default:
            return pipe::Compare::LessEqual;
    }
}

pipe::SamplerDesc sampler_desc(const Context& ctx, const SamplerParams& p) {
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
    d.late_magnify = ctx.config.version < 30;
    d.compare_enable = p.compare_mode == GL_COMPARE_REF_TO_TEXTURE;
    d.compare = compare(p.compare_func);
    d.min_lod = p.min_lod;
    d.max_lod = p.max_lod;
    d.border = p.border;
    d.skip_srgb_decode = p.srgb_decode == GL_SKIP_DECODE_EXT;
    d.max_anisotropy = std::min(p.max_anisotropy, std::max(1.0f, ctx.limits.max_anisotropy));
    return d;
}

/// What one component of a view shows under TEXTURE_SWIZZLE_*; `from`: of the format alone.
pipe::Swizzle swizzled(GLenum component, const pipe::Swizzle from[4]) {
    switch (component) {
        case GL_RED:
            return from[0];
        case GL_GREEN:
            return from[1];
        case GL_BLUE:
            return from[2];
        case GL_ALPHA:
            return from[3];
        case GL_ONE:
            return pipe::Swizzle::One;
        default:
            return pipe::Swizzle::Zero;
    }
}

pipe::SamplerViewDesc view_desc(const Context& ctx, const Texture& t, const Completeness& c) {
    const TextureImage& base = *t.image(0, c.first);
    pipe::SamplerViewDesc d;
    d.kind = chain_kind(t);
    d.format = base.texel_format();
    d.first_level = uint8_t(base.level);
    d.last_level = uint8_t(base.level + c.levels - 1);
    d.first_layer = uint16_t(base.layer);
    d.last_layer = uint16_t(base.layer + (t.is_volume() ? 1 : t.faces() * base.depth) - 1);
    // Depth is red from OpenGL ES 3.0 on; that of OES_depth_texture, which has no sized formats, luminance.
    const GLenum named = base.internal_format;
    const bool red =
        ctx.config.version >= 30 && base.format->has(format_flag::kDepth) && named != base.format->base;
    d.stencil = shows_stencil(t, c.first);
    pipe::Swizzle from[4];
    view_swizzle(red || d.stencil ? GLenum(GL_RED) : base.format->base, base.layout, d.format, from);
    for (unsigned i = 0; i < 4; ++i)
        d.swizzle[i] = swizzled(t.swizzle[i], from);
    return d;
}

/// The view of a buffer's texels; the buffer's storage is another one after some writes. Null: none is attached, or memory
/// ran out, which is recorded.
pipe::SamplerView* buffer_view(Context& ctx, Texture& t) {
    const Texture::Texels& b = t.texels;
    if (!b.buffer || !b.buffer->resource) return nullptr;
    pipe::SamplerViewDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.format = b.format->storage;
    d.buffer_offset_B = b.offset_B;
    d.buffer_size_B = b.size_B ? b.size_B : b.buffer->size_B;
    view_swizzle(b.format->base, d.format, d.format, d.swizzle);
    pipe::Ref<pipe::SamplerView>& view = t.sampled[0].view;
    if (!view || view->resource != b.buffer->resource || view->desc != d)
        view = ctx.screen.create_sampler_view(b.buffer->resource, d);
    if (!view) ctx.out_of_memory("texture");
    return view.get();
}

/// Makes the view (with mipmaps or without) what it should be now. Null: sampling gives (0,0,0,1). False: out of memory.
bool update_view(Context& ctx, Texture& t, bool mipmapped) {
    Texture::Sampled& s = t.sampled[mipmapped];
    if (s.stamp == t.stamp) return true;
    Completeness c = texture_completeness(t, mipmapped);
    // Fetches of texels and sizes of levels ask no filter (OpenGL ES 3.0): they see all levels that there are.
    if (c.complete && ctx.config.version >= 30)
        c.levels = std::min(consistent_levels(t, c.first), t.last_level() - c.first + 1);
    pipe::Ref<pipe::SamplerView> view;
    if (c.complete) {
        if (!consolidate(ctx, t, c.first, c.levels, c.levels)) return false;
        const pipe::Ref<pipe::Resource>& r = t.image(0, c.first)->resource;
        const pipe::SamplerViewDesc d = view_desc(ctx, t, c);
        if (s.view && s.view->resource == r && s.view->desc == d)
            view = s.view;
        else
            view = ctx.screen.create_sampler_view(r, d);
        if (!view) return false;
    } else if (t.name) {
        ctx.message(GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_LOW_KHR, "texture %u is incomplete: %s",
                    t.name, c.why);
    }
    s.view = std::move(view);
    s.stamp = t.stamp;  // which consolidation may have changed
    return true;
}

bool update_sampler(Context& ctx, const SamplerParams& p, pipe::SamplerDesc* made,
                    pipe::Ref<pipe::SamplerState>* state) {
    const pipe::SamplerDesc d = sampler_desc(ctx, p);
    if (*state && *made == d) return true;
    pipe::Ref<pipe::SamplerState> s = ctx.screen.create_sampler(d);
    if (!s) return false;
    *state = std::move(s);
    *made = d;
    return true;
}

/// What a slot samples: the unit's texture with its own parameters or the unit's sampler object's. Nothing where memory
/// runs out, which is recorded.
void sampled(Context& ctx, unsigned unit, TextureTarget target, pipe::SamplerView** view,
             pipe::SamplerState** state) {
    Texture& t = *ctx.textures[unit][unsigned(target)];
    if (target == TextureTarget::Buffer) {
        *view = buffer_view(ctx, t);
        return;
    }
    Sampler* const own = ctx.samplers[unit].get();
    const SamplerParams& p = own ? own->params : t.params;
    uint64_t& made = own ? own->made_stamp : t.sampler_stamp;
    const uint64_t stamp = own ? own->stamp : t.stamp;
    bool ok = true;
    if (made != stamp) {
        ok = own ? update_sampler(ctx, p, &own->desc, &own->state)
                 : update_sampler(ctx, p, &t.sampler_desc, &t.sampler);
        if (ok) made = stamp;
    }
    const bool mipmapped = p.mipmapped() && !t.is_multisample();
    if (!ok || !update_view(ctx, t, mipmapped)) return ctx.out_of_memory("texture");
    *state = own ? own->state.get() : t.sampler.get();
    *view = t.sampled[mipmapped].view.get();
    if (!*view) return;
    if (const char* why = broken_filter_rule(ctx, t, p)) {
        *view = nullptr;
        ctx.message(GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_LOW_KHR, "texture %u is incomplete: %s",
                    t.name, why);
    }
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
        if (unit < kMaxTextureUnits) sampled(ctx, unit, slots[i].target, &views[i], &samplers[i]);
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

void emit_textures(Context& ctx) {
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
