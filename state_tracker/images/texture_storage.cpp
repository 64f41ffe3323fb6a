// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/texture_storage.h"

#include "pipe/blit/blit.h"

namespace terrazzo::st {

namespace {

pipe::ResourceKind chain_kind(const Texture& t) {
    return t.target == TextureTarget::Cube ? pipe::ResourceKind::Cube : pipe::ResourceKind::Tex2D;
}

pipe::Ref<pipe::Resource> create_chain(Context& ctx, const Texture& t, const Storage& s, uint32_t width,
                                       uint32_t height, uint32_t levels) {
    pipe::ResourceDesc d;
    d.kind = chain_kind(t);
    d.format = s.resource;
    d.width = width;
    d.height = height;
    d.layers = t.faces();
    d.levels = levels;
    d.bind = s.bind;
    return ctx.screen.create_resource(d);
}

/// Whether level `level` of `chain` is a place for an image of this size.
bool fits(const pipe::Resource& chain, const Storage& s, uint32_t level, uint32_t width, uint32_t height) {
    return chain.desc.format == s.resource && (chain.desc.bind & s.bind) == s.bind &&
           level < chain.desc.levels && minify(chain.desc.width, level) == width &&
           minify(chain.desc.height, level) == height;
}

/// A level-0 image that an image of this level and size could share a mip chain with.
const TextureImage* find_base(const Texture& t, unsigned level, const TextureImage& image) {
    for (unsigned f = 0; f < t.faces(); ++f) {
        const TextureImage* base = t.image(f, 0);
        if (base && base->resource && !base->shared && base->format == image.format &&
            level < full_level_count(base->width, base->height) &&
            minify(base->width, level) == image.width && minify(base->height, level) == image.height)
            return base;
    }
    return nullptr;
}

bool wants_full_chain(const Texture& t) {
    return (t.min_filter_set && t.params.mipmapped()) || (t.chain && t.chain->desc.levels > 1);
}

}  // namespace

bool plan_image(Context& ctx, Texture& t, unsigned face, unsigned level, uint32_t width, uint32_t height,
                const InternalFormat& format, NewImage* out) {
    t.reserve_level(face, level);
    NewImage n;
    TextureImage& image = n.image;
    image.format = &format;
    image.internal_format = format.base;
    image.width = width;
    image.height = height;
    n.chain = t.chain;
    const TextureImage* old = t.image(face, level);
    // The place of an image that an EGLImage shares is lost to the texture, and with it the chain.
    if (old && old->shared && old->resource == n.chain) n.chain = nullptr;
    if (width == 0 || height == 0) {
        *out = std::move(n);
        return true;
    }
    const Storage s = choose_storage(ctx.screen, format, chain_kind(t), 1, pipe::bind::kSampled);
    if (s.resource == pipe::Format::None) return false;
    image.layout = s.layout;
    if (n.chain && fits(*n.chain, s, level, width, height)) {
        image.resource = n.chain;
        image.level = level;
        image.layer = face;
    } else if (old && !old->shared && old->resource && old->resource->desc.format == s.resource &&
               old->layout == s.layout && old->width == width && old->height == height) {
        image.resource = old->resource;
        image.level = old->level;
        image.layer = old->layer;
    } else {
        const TextureImage* base = level ? find_base(t, level, image) : nullptr;
        if (level == 0 || base) {
            const uint32_t w = base ? base->width : width, h = base ? base->height : height;
            const uint32_t levels = base || wants_full_chain(t) ? full_level_count(w, h) : 1;
            n.chain = image.resource = create_chain(ctx, t, s, w, h, levels);
            image.level = level;
            image.layer = face;
        } else {
            pipe::ResourceDesc d;
            d.format = s.resource;
            d.width = width;
            d.height = height;
            d.bind = s.bind;
            image.resource = ctx.screen.create_resource(d);
        }
        if (!image.resource) return false;
    }
    *out = std::move(n);
    return true;
}

void commit_image(Texture& t, unsigned face, unsigned level, NewImage&& n) {
    t.chain = std::move(n.chain);
    t.set_image(face, level, std::move(n.image));
}

bool define_all(Context& ctx, Texture& t, uint32_t levels, uint32_t width, uint32_t height,
                const InternalFormat& format) {
    const Storage s = choose_storage(ctx.screen, format, chain_kind(t), 1, pipe::bind::kSampled);
    if (s.resource == pipe::Format::None) return false;
    pipe::Ref<pipe::Resource> chain = create_chain(ctx, t, s, width, height, levels);
    if (!chain) return false;
    for (unsigned f = 0; f < t.faces(); ++f)
        t.reserve_level(f, levels - 1);
    t.forget_images();
    for (unsigned f = 0; f < t.faces(); ++f)
        for (uint32_t l = 0; l < levels; ++l) {
            TextureImage i;
            i.format = &format;
            i.internal_format = format.sized;
            i.width = minify(width, l);
            i.height = minify(height, l);
            i.layout = s.layout;
            i.resource = chain;
            i.level = l;
            i.layer = f;
            t.set_image(f, l, std::move(i));
        }
    t.chain = std::move(chain);
    return true;
}

bool consolidate(Context& ctx, Texture& t, unsigned levels, unsigned min_levels) {
    const TextureImage& base = *t.image(0, 0);
    const pipe::Resource& home = *base.resource;
    auto at_home = [&](const TextureImage& i, const pipe::Resource& r, uint32_t level, uint32_t layer) {
        return i.resource.get() == &r && i.level == level && i.layer == layer;
    };
    bool together = home.desc.levels >= base.level + min_levels &&
                    (t.faces() == 1 || home.desc.kind == pipe::ResourceKind::Cube);
    for (unsigned f = 0; f < t.faces() && together; ++f)
        for (unsigned l = 0; l < levels && together; ++l)
            together = at_home(*t.image(f, l), home, base.level + l, base.layer + f);
    if (together) return true;

    const Storage s = choose_storage(ctx.screen, *base.format, chain_kind(t), 1, pipe::bind::kSampled);
    if (s.resource == pipe::Format::None) return false;
    pipe::Ref<pipe::Resource> chain = t.chain;
    if (!chain || !fits(*chain, s, 0, base.width, base.height) || chain->desc.levels < min_levels ||
        (base.shared && base.resource == chain)) {
        const uint32_t count = min_levels > 1 ? full_level_count(base.width, base.height) : 1;
        chain = create_chain(ctx, t, s, base.width, base.height, count);
        if (!chain) return false;
    }
    end_rendering(ctx);
    for (unsigned f = 0; f < t.faces(); ++f)
        for (unsigned l = 0; l < levels; ++l) {
            TextureImage& i = *t.image(f, l);
            if (at_home(i, *chain, l, f)) continue;
            if (!copy_texels(ctx, {chain.get(), s.layout, l, f, 0, 0},
                             {i.resource.get(), i.layout, i.level, i.layer, 0, 0}, i.width, i.height))
                return false;
            i.resource = chain;
            i.layout = s.layout;
            i.level = l;
            i.layer = f;
            i.shared = false;
        }
    t.chain = std::move(chain);
    t.touch();
    return true;
}

bool copy_texels(Context& ctx, const TexelPlace& dst, const TexelPlace& src, uint32_t width,
                 uint32_t height) {
    if (width == 0 || height == 0) return true;
    before_cpu_access(ctx, *src.resource);
    before_cpu_access(ctx, *dst.resource);
    auto side = [&](const TexelPlace& p) {
        pipe::BlitSide s;
        s.resource = p.resource;
        s.format = p.layout;
        s.level = p.level;
        s.box = {p.x, p.y, int32_t(p.layer), int32_t(width), int32_t(height), 1};
        return s;
    };
    pipe::BlitInfo info;
    info.src = side(src);
    info.dst = side(dst);
    info.depth = info.stencil = true;
    return pipe::blit(*ctx.pipe, info) == pipe::BlitStatus::Ok;
}

}  // namespace terrazzo::st
