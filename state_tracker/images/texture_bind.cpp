// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures for draws: views and samplers for the program's sampler slots.
#include <algorithm>
#include <bit>
#include <cstring>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/sampler.h"
#include "state_tracker/images/texture_storage.h"
#include "state_tracker/programs/program.h"

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

/// A component of a view under TEXTURE_SWIZZLE_*; `from`: the format's own swizzle.
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

/// The view of a plane of an image of Y, U and V, without conversion.
pipe::SamplerViewDesc plane_desc(const pipe::Resource& plane) {
    pipe::SamplerViewDesc d;
    d.kind = pipe::ResourceKind::Tex2D;
    d.format = plane.desc.format;
    return d;
}

pipe::SamplerViewDesc view_desc(const Context& ctx, const Texture& t, const Completeness& c) {
    const TextureImage& base = *t.image(0, c.first);
    if (base.yuv) return plane_desc(*base.resource);
    pipe::SamplerViewDesc d;
    d.kind = chain_kind(t);
    d.format = base.texel_format();
    d.first_level = uint8_t(base.level);
    d.last_level = uint8_t(base.level + c.levels - 1);
    d.first_layer = uint16_t(base.layer);
    d.last_layer = uint16_t(base.layer + (t.is_volume() ? 1 : t.faces() * base.depth) - 1);
    // From OpenGL ES 3.0 on, depth is red. Unsized formats are those of OES_depth_texture, where it is
    // luminance.
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

/// The view of a buffer's texels. The buffer's storage may have changed since the last draw. Null: no buffer
/// is attached, or out of memory, which is recorded.
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

/// Updates the view (with or without mipmaps). A null view: sampling returns (0,0,0,1). False: out of memory.
bool update_view(Context& ctx, Texture& t, bool mipmapped) {
    Texture::Sampled& s = t.sampled[mipmapped];
    if (s.stamp == t.stamp) return true;
    Completeness c = texture_completeness(t, mipmapped);
    // Texel fetches and queries of level sizes ignore filters (OpenGL ES 3.0), so the view has all levels.
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
    s.stamp = t.stamp;  // consolidation may have changed it
    return true;
}

bool update_sampler(Context& ctx, const pipe::SamplerDesc& d, pipe::SamplerDesc* made,
                    pipe::Ref<pipe::SamplerState>* state) {
    if (*state && *made == d) return true;
    pipe::Ref<pipe::SamplerState> s = ctx.screen.create_sampler(d);
    if (!s) return false;
    *state = std::move(s);
    *made = d;
    return true;
}

/// The sampler descriptor of the texture's own parameters.
pipe::SamplerDesc sampler_desc(const Context& ctx, const Texture& t) {
    pipe::SamplerDesc d = sampler_desc(ctx, t.params);
    if (const TextureImage* i = t.image(0, 0); i && i->resource && t.target != TextureTarget::Buffer)
        d.border = stored_border(i->layout, i->texel_format(), d.border);
    return d;
}

/// Updates the state of the sampler object, or of the texture's own parameters. False: out of memory.
bool update_sampler(Context& ctx, Texture& t, Sampler* own) {
    uint64_t& made = own ? own->made_stamp : t.sampler_stamp;
    const uint64_t stamp = own ? own->stamp : t.stamp;
    if (made == stamp) return true;
    const bool ok = own ? update_sampler(ctx, sampler_desc(ctx, own->params), &own->desc, &own->state)
                        : update_sampler(ctx, sampler_desc(ctx, t), &t.sampler_desc, &t.sampler);
    if (ok) made = stamp;
    return ok;
}

/// For a texture whose image has Y, U and V. Null: out of memory.
std::unique_ptr<const YuvSampling> make_yuv_sampling(Context& ctx, const Texture& t, const TextureImage& i,
                                                     const SamplerParams& p) {
    auto made = std::make_unique<YuvSampling>();
    for (unsigned n = 0; n < i.yuv->count(); ++n) {
        const pipe::Ref<pipe::Resource>& plane = i.yuv->chroma[n];
        made->chroma[n] = ctx.screen.create_sampler_view(plane, plane_desc(*plane));
        if (!made->chroma[n]) return nullptr;
    }
    made->conversion = yuv_conversion(*i.yuv, i.width, i.height, t.swizzle, p.linear());
    return made;
}

/// Prepares the texture with its own parameters, or those of the sampler object `own`. Null: out of memory,
/// which is recorded.
SampledRef make_sampled(Context& ctx, Texture& t, Sampler* own) {
    SampledRef made(new SampledTexture{.texture = pipe::Ref<Texture>(&t)});
    if (t.target == TextureTarget::Buffer) {
        made->view = pipe::Ref<pipe::SamplerView>(buffer_view(ctx, t));
        return made;
    }
    const SamplerParams& p = own ? own->params : t.params;
    const bool mipmapped = p.mipmapped() && !t.is_multisample();
    if (!update_sampler(ctx, t, own) || !update_view(ctx, t, mipmapped))
        return ctx.out_of_memory("texture"), SampledRef();
    made->sampler = pipe::Ref<Sampler>(own);
    made->texture_stamp = t.stamp;  // creating the view may have changed it
    made->sampler_stamp = own ? own->stamp.load(std::memory_order_relaxed) : 0;
    made->state = own ? own->state : t.sampler;
    made->view = t.sampled[mipmapped].view;
    if (!made->view) return made;
    const TextureImage* const base = t.image(0, 0);
    if (base && base->yuv && !(made->yuv = make_yuv_sampling(ctx, t, *base, p)))
        return ctx.out_of_memory("texture"), SampledRef();
    if (const char* why = broken_filter_rule(ctx, t, p)) {
        made->view = nullptr;
        made->yuv = nullptr;
        ctx.message(GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_LOW_KHR, "texture %u is incomplete: %s",
                    t.name, why);
    }
    return made;
}

/// The prepared texture for a slot, from the cache if possible. Null: out of memory, which is recorded.
SampledRef find_sampled(Context& ctx, Texture& t, Sampler* own) {
    SampledTextures& kept = ctx.render_pass->sampled;
    const bool buffer = t.target == TextureTarget::Buffer;  // its storage has no stamp here
    if (!buffer)
        if (SampledTexture* const found = kept.find(t, own)) return SampledRef(found);
    std::lock_guard lock(ctx.share->mutex);
    SampledRef made = make_sampled(ctx, t, own);
    if (made && !buffer) kept.keep(made);
    return made;
}

/// Whether the pipe would get the same objects. Views of chroma planes are created anew each time, so they
/// differ.
bool gives_the_same(const SampledRef& a, const SampledRef& b) {
    return a && b && a->view == b->view && a->state == b->state && a->yuv == b->yuv;
}

pipe::SamplerView* plane_view(const SampledTexture& t, unsigned plane) {
    if (!plane) return t.view.get();
    return t.yuv ? t.yuv->chroma[plane - 1].get() : nullptr;
}

void emit_stage(Context& ctx, pipe::Stage stage, const Executable& exe) {
    Context::RenderPass& rp = *ctx.render_pass;
    Context::RenderPass::Bound& bound = rp.textures[size_t(stage)];
    const auto& slots = exe.samplers[size_t(stage)];
    const uint32_t count = std::min<uint32_t>(uint32_t(slots.size()), pipe::kMaxSamplers);
    bool changed = !bound.told || count != bound.count;
    // The pipe needs the old ones until it has the new ones.
    const auto replace = [&](SampledRef& at, SampledRef&& now) {
        if (at) rp.replaced.push_back(at);
        at = std::move(now);
    };
    for (uint32_t i = 0; i < count; ++i) {
        SampledRef& at = bound.textures[i];
        const unsigned unit = exe.unit(slots[i]);
        if (unit >= kMaxTextureUnits) {
            changed |= bool(at);
            bound.told &= !at;
            replace(at, {});
            continue;
        }
        Texture& t = *ctx.textures[unit][unsigned(slots[i].target)];
        Sampler* const own = ctx.samplers[unit].get();
        if (at && at->is_of(t, own)) [[likely]]
            continue;
        SampledRef now = find_sampled(ctx, t, own);
        if (!gives_the_same(at, now)) {
            changed = true;
            bound.told = false;  // until the pipe has all of them: subsequent code may throw
        }
        replace(at, std::move(now));
    }
    for (uint32_t i = count; i < bound.count; ++i)
        replace(bound.textures[i], {});
    if (!changed) return rp.replaced.clear();
    std::array<pipe::SamplerView*, pipe::kMaxSamplers> views;
    std::array<pipe::SamplerState*, pipe::kMaxSamplers> samplers;
    for (uint32_t i = 0; i < count; ++i) {
        const SampledRef& at = bound.textures[i];
        views[i] = at ? plane_view(*at.get(), slots[i].plane) : nullptr;
        samplers[i] = at ? at->state.get() : nullptr;
    }
    ctx.pipe->set_textures(stage, 0, {views.data(), count}, {samplers.data(), count});
    bound.count = count;
    bound.told = true;
    rp.replaced.clear();
}

}  // namespace

void emit_textures(Context& ctx) {
    if (!ctx.executable) return;
    uint32_t& before = ctx.render_pass->texture_stages;
    const uint32_t now = ctx.executable->sampler_stages;
    before |= now;
    for (uint32_t rest = before; rest; rest &= rest - 1)
        emit_stage(ctx, pipe::Stage(std::countr_zero(rest)), *ctx.executable);
    before = now;
    if (ctx.executable->external_stages) ctx.dirty |= dirty::kUniforms;
}

void write_conversions(const Context& ctx, const Executable& e, unsigned stage, std::span<uint32_t> block) {
    static constexpr YuvConversion kNone{};
    const Context::RenderPass::Bound& bound = ctx.render_pass->textures[stage];
    for (size_t i = 0; i < e.samplers[stage].size() && i < bound.textures.size(); ++i) {
        const int32_t at = e.samplers[stage][i].conversion_dw;
        if (at < 0) continue;
        const SampledRef& texture = bound.textures[i];
        const YuvConversion& c = texture && texture->yuv ? texture->yuv->conversion : kNone;
        std::memcpy(block.data() + at, c.data(), sizeof c);
    }
}

void release_deleted_textures(Context& ctx) {
    ctx.texture_names->update(ctx.share->textures);
    ctx.render_pass->sampled.update(ctx.share->textures.removals());
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
