// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GenerateMipmap (OpenGL ES 2.0 section 3.7.11, ES 3.0 section 3.8.9).
#include <algorithm>

#include "pipe/blit/blit.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

namespace {

/// Defines the levels after `first` of all faces, `levels` - 1 of them, as levels of the chain of `first`.
void define_levels(Texture& t, uint32_t first, uint32_t levels) {
    for (unsigned f = 0; f < t.faces(); ++f)
        for (uint32_t n = 1; n < levels; ++n) {
            TextureImage i = *t.image(f, first);
            const Extent e = minify(t, extent_of(i), n);
            i.width = e.width;
            i.height = e.height;
            i.depth = e.depth;
            i.level += n;
            i.shared = false;
            t.set_image(f, first + n, std::move(i));
        }
}

}  // namespace

void GenerateMipmap(Context& ctx, GLenum target) {
    static constexpr char kName[] = "glGenerateMipmap";
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt) || tt == TextureTarget::External || tt == TextureTarget::Tex2DMS ||
        tt == TextureTarget::Tex2DMSArray || tt == TextureTarget::Buffer)
        return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, tt);
    const bool es3 = ctx.config.version >= 30;
    const uint32_t first = t.first_level();
    const TextureImage* base = t.image(0, first);
    if (es3 && !base)
        return ctx.error(GL_INVALID_OPERATION, kName, "base level %u of texture %u is not defined", first,
                         t.name);
    if (tt == TextureTarget::Cube && !cube_complete(t, first))
        return ctx.error(GL_INVALID_OPERATION, kName, "cube map %u is not cube complete", t.name);
    if (base && !mipmap_format(ctx, *base->format, base->internal_format))
        return ctx.error(GL_INVALID_OPERATION, kName, "internal format 0x%04x has no generated mipmaps",
                         base->internal_format);
    if (!base || !base->resource) return;  // no error in OpenGL ES 2.0
    if (first > t.last_level()) return;
    const uint32_t levels = std::min(full_level_count(t, extent_of(*base)), t.last_level() - first + 1);
    if (levels == 1) return;
    end_rendering(ctx);
    for (unsigned f = 0; f < t.faces(); ++f)
        t.reserve_level(f, first + levels - 1);
    // Level 0 of an EGLImage keeps its storage only if that has levels for the mipmaps.
    if (!consolidate(ctx, t, first, 1, levels)) return ctx.out_of_memory(kName);
    base = t.image(0, first);
    pipe::MipmapInfo info;
    info.resource = base->resource.get();
    info.format = base->layout;
    info.base_level = base->level;
    info.last_level = base->level + levels - 1;
    info.first_layer = base->layer;
    info.layer_count = t.is_volume() ? 1 : t.faces() * base->depth;
    const pipe::BlitStatus status = pipe::generate_mipmap(*ctx.pipe, info);
    if (status != pipe::BlitStatus::Ok) return ctx.out_of_memory(kName);
    define_levels(t, first, levels);
    texture_changed(ctx, t);
}

}  // namespace terrazzo::st
