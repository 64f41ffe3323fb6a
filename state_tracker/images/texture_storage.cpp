// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/texture_storage.h"

#include "pipe/blit/blit.h"
#include "state_tracker/sync/external.h"

namespace terrazzo::st {

pipe::ResourceKind chain_kind(const Texture& t) {
    switch (t.target) {
        case TextureTarget::Cube:
            return pipe::ResourceKind::Cube;
        case TextureTarget::Tex3D:
            return pipe::ResourceKind::Tex3D;
        case TextureTarget::Tex2DArray:
        case TextureTarget::Tex2DMSArray:
            return pipe::ResourceKind::Tex2DArray;
        case TextureTarget::Buffer:
            return pipe::ResourceKind::Buffer;
        case TextureTarget::CubeArray:
            return pipe::ResourceKind::CubeArray;
        case TextureTarget::Tex2D:
        case TextureTarget::External:
        case TextureTarget::Tex2DMS:
        case TextureTarget::Count_:
            break;
    }
    return pipe::ResourceKind::Tex2D;
}

namespace {

pipe::ResourceDesc storage_desc(pipe::ResourceKind kind, const Storage& s, const Extent& size, uint32_t faces,
                                uint32_t levels, uint32_t samples = 1) {
    pipe::ResourceDesc d;
    d.kind = kind;
    d.format = s.resource;
    d.width = size.width;
    d.height = size.height;
    d.depth = kind == pipe::ResourceKind::Tex3D ? size.depth : 1;
    d.layers = kind == pipe::ResourceKind::Tex3D ? 1 : size.depth * faces;
    d.levels = levels;
    d.samples = samples;
    d.bind = s.bind;
    return d;
}

pipe::Ref<pipe::Resource> create_chain(Context& ctx, const Texture& t, const Storage& s, const Extent& size,
                                       uint32_t levels) {
    return ctx.screen.create_resource(storage_desc(chain_kind(t), s, size, t.faces(), levels, t.samples));
}

/// Number of slices or layers of one face in a chain's level.
uint32_t chain_depth(const Texture& t, const pipe::Resource& chain, uint32_t level) {
    return t.is_volume() ? minify(chain.desc.depth, level) : chain.desc.layers / t.faces();
}

/// Whether an image of this size fits into level `level` of `chain`.
bool fits(const Texture& t, const pipe::Resource& chain, const Storage& s, uint32_t level,
          const Extent& size) {
    return chain.desc.kind == chain_kind(t) && chain.desc.format == s.resource &&
           (chain.desc.bind & s.bind) == s.bind && level < chain.desc.levels &&
           minify(chain.desc.width, level) == size.width && minify(chain.desc.height, level) == size.height &&
           chain_depth(t, chain, level) == size.depth;
}

/// A level-0 image with which an image of this level and size could share a mip chain.
const TextureImage* find_base(const Texture& t, unsigned level, const TextureImage& image) {
    for (unsigned f = 0; f < t.faces(); ++f) {
        const TextureImage* base = t.image(f, 0);
        if (base && base->resource && !base->shared && base->format == image.format &&
            level < full_level_count(t, extent_of(*base)) &&
            minify(t, extent_of(*base), level) == extent_of(image))
            return base;
    }
    return nullptr;
}

bool wants_full_chain(const Texture& t) {
    return (t.min_filter_set && t.params.mipmapped()) || (t.chain && t.chain->desc.levels > 1);
}

}  // namespace

bool plan_image(Context& ctx, Texture& t, unsigned face, unsigned level, const Extent& size,
                const InternalFormat& format, NewImage* out) {
    t.reserve_level(face, level);
    NewImage n;
    TextureImage& image = n.image;
    image.format = &format;
    image.internal_format = format.base;
    image.width = size.width;
    image.height = size.height;
    image.depth = size.depth;
    n.chain = t.chain;
    const TextureImage* old = t.image(face, level);
    // If an EGLImage shares the chain's storage, the texture gives up the chain.
    if (old && old->shared && old->resource == n.chain) n.chain = nullptr;
    if (size.empty()) {
        *out = std::move(n);
        return true;
    }
    const Storage s = choose_storage(ctx, format, chain_kind(t), 1, pipe::bind::kSampled);
    if (s.resource == pipe::Format::None) return false;
    image.layout = s.layout;
    if (n.chain && fits(t, *n.chain, s, level, size)) {
        image.resource = n.chain;
        image.level = level;
        image.layer = face;
    } else if (old && !old->shared && old->resource && old->resource->desc.format == s.resource &&
               (old->resource->desc.bind & s.bind) == s.bind && old->layout == s.layout &&
               extent_of(*old) == size) {
        image.resource = old->resource;
        image.level = old->level;
        image.layer = old->layer;
    } else {
        const TextureImage* base = level ? find_base(t, level, image) : nullptr;
        if (level == 0 || base) {
            const Extent whole = base ? extent_of(*base) : size;
            const uint32_t levels = base || wants_full_chain(t) ? full_level_count(t, whole) : 1;
            n.chain = image.resource = create_chain(ctx, t, s, whole, levels);
            image.level = level;
            image.layer = face;
        } else {
            const pipe::ResourceKind kind = t.faces() == 6 ? pipe::ResourceKind::Tex2D : chain_kind(t);
            image.resource = ctx.screen.create_resource(storage_desc(kind, s, size, 1, 1));
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

Storage immutable_storage(const Context& ctx, const InternalFormat& format, pipe::ResourceKind kind,
                          uint32_t samples) {
    // Some formats with 6-byte texels are stored with 8-byte texels. For compatible views, all of them are.
    constexpr uint32_t kPadded_B = 6;
    InternalFormat padded = format;
    if (pipe::format_info(format.storage).block_B == kPadded_B) std::swap(padded.storage, padded.second);
    const Storage s = choose_storage(ctx, padded, kind, samples, pipe::bind::kSampled);
    // A view may be renderable even if this format is not, so storage that allows it is preferred.
    const Storage drawn =
        choose_storage(ctx, padded, kind, samples, pipe::bind::kSampled | pipe::bind::kColor);
    return drawn.resource == s.resource && drawn.layout == s.layout ? drawn : s;
}

bool has_tiling(const InternalFormat& format, uint32_t samples, GLenum tiling) {
    return tiling == GL_OPTIMAL_TILING_EXT ||
           (samples == 1 && !format.has(format_flag::kDepth | format_flag::kStencil));
}

bool define_all(Context& ctx, const char* command, Texture& t, uint32_t levels, const Extent& size,
                const InternalFormat& format, const MemoryPlace* place) {
    const Storage s = immutable_storage(ctx, format, chain_kind(t), t.samples);
    pipe::Ref<pipe::Resource> chain;
    if (s.resource != pipe::Format::None && place) {
        pipe::ResourceDesc d = storage_desc(chain_kind(t), s, size, t.faces(), levels, t.samples);
        if (t.tiling == GL_LINEAR_TILING_EXT) d.bind |= pipe::bind::kLinear;
        if (!(chain = create_in_place(ctx, command, d, *place))) return false;
    } else if (s.resource != pipe::Format::None) {
        chain = create_chain(ctx, t, s, size, levels);
    }
    if (!chain) return ctx.out_of_memory(command), false;
    for (unsigned f = 0; f < t.faces(); ++f)
        t.reserve_level(f, levels - 1);
    t.forget_images();
    for (unsigned f = 0; f < t.faces(); ++f)
        for (uint32_t l = 0; l < levels; ++l) {
            const Extent e = minify(t, size, l);
            TextureImage i;
            i.format = &format;
            i.internal_format = format.sized;
            i.width = e.width;
            i.height = e.height;
            i.depth = e.depth;
            i.layout = s.layout;
            i.resource = chain;
            i.level = l;
            i.layer = f;
            t.set_image(f, l, std::move(i));
        }
    t.chain = std::move(chain);
    return true;
}

bool consolidate(Context& ctx, Texture& t, unsigned first, unsigned levels, unsigned min_levels) {
    const TextureImage& base = *t.image(0, first);
    const pipe::Resource& home = *base.resource;
    auto at_home = [&](const TextureImage& i, const pipe::Resource& r, uint32_t level, uint32_t layer) {
        return i.resource.get() == &r && i.level == level && i.layer == layer;
    };
    bool together = home.desc.levels >= base.level + min_levels && home.desc.layers >= base.layer + t.faces();
    for (unsigned f = 0; f < t.faces() && together; ++f)
        for (unsigned n = 0; n < levels && together; ++n)
            together = at_home(*t.image(f, first + n), home, base.level + n, base.layer + f);
    if (together) return true;

    const Extent size = extent_of(base);
    const Storage s = choose_storage(ctx, *base.format, chain_kind(t), 1, pipe::bind::kSampled);
    if (s.resource == pipe::Format::None) return false;
    // The texture's chain has level n at its own level n. A new chain begins with level `first`.
    pipe::Ref<pipe::Resource> chain = t.chain;
    uint32_t begin = first;
    if (!chain || !fits(t, *chain, s, first, size) || chain->desc.levels < first + min_levels ||
        (base.shared && base.resource == chain)) {
        const uint32_t count = min_levels > 1 ? full_level_count(t, size) : 1;
        chain = create_chain(ctx, t, s, size, count);
        begin = 0;
        if (!chain) return false;
    }
    end_rendering(ctx);
    for (unsigned f = 0; f < t.faces(); ++f)
        for (unsigned n = 0; n < levels; ++n) {
            TextureImage& i = *t.image(f, first + n);
            if (at_home(i, *chain, begin + n, f)) continue;
            if (!copy_texels(ctx, {chain.get(), s.layout, begin + n, f, 0, 0},
                             {i.resource.get(), i.layout, i.level, i.layer, 0, 0}, extent_of(i)))
                return false;
            i.resource = chain;
            i.layout = s.layout;
            i.level = begin + n;
            i.layer = f;
            i.shared = false;
        }
    if (begin == first) t.chain = std::move(chain);
    t.touch();
    return true;
}

bool copy_texels(Context& ctx, const TexelPlace& dst, const TexelPlace& src, const Extent& size) {
    if (size.empty()) return true;
    before_cpu_access(ctx, *src.resource);
    before_cpu_access(ctx, *dst.resource);
    auto side = [&](const TexelPlace& p) {
        pipe::BlitSide s;
        s.resource = p.resource;
        s.format = p.layout;
        s.level = p.level;
        s.box = {p.x, p.y, int32_t(p.layer), int32_t(size.width), int32_t(size.height), int32_t(size.depth)};
        if (p.turned_rows) {
            s.box.y = int32_t(p.turned_rows) - p.y;
            s.box.height = -s.box.height;
        }
        return s;
    };
    pipe::BlitInfo info;
    info.src = side(src);
    info.dst = side(dst);
    info.depth = info.stencil = true;
    return pipe::blit(*ctx.pipe, info) == pipe::BlitStatus::Ok;
}

}  // namespace terrazzo::st
