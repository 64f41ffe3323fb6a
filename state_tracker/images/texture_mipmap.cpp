// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GenerateMipmap (OpenGL ES 2.0 section 3.7.11).
#include "pipe/blit/blit.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

namespace {

/// Defines levels [1, levels) of all faces as their places in the chain of level 0.
void define_levels(Texture& t, uint32_t levels) {
    for (unsigned f = 0; f < t.faces(); ++f)
        for (uint32_t l = 1; l < levels; ++l) {
            TextureImage i = *t.image(f, 0);
            i.width = minify(i.width, l);
            i.height = minify(i.height, l);
            i.level += l;
            i.shared = false;
            t.set_image(f, l, std::move(i));
        }
}

}  // namespace

void GenerateMipmap(Context& ctx, GLenum target) {
    static constexpr char kName[] = "glGenerateMipmap";
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt) || tt == TextureTarget::External)
        return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, tt);
    const TextureImage* base = t.image(0, 0);
    if (tt == TextureTarget::Cube && !cube_complete(t))
        return ctx.error(GL_INVALID_OPERATION, kName, "cube map %u is not cube complete", t.name);
    if (base && !base->format->has(format_flag::kMipmap))
        return ctx.error(GL_INVALID_OPERATION, kName, "internal format 0x%04x has no generated mipmaps",
                         base->internal_format);
    if (!base || !base->resource) return;  // nothing to make mipmaps of, and no error in OpenGL ES 2.0
    const uint32_t levels = t.immutable ? t.immutable_levels : full_level_count(base->width, base->height);
    if (levels == 1) return;
    end_rendering(ctx);
    for (unsigned f = 0; f < t.faces(); ++f)
        t.reserve_level(f, levels - 1);
    // An EGLImage's level 0 keeps its storage only where that has room for the levels.
    if (!consolidate(ctx, t, 1, levels)) return ctx.out_of_memory(kName);
    base = t.image(0, 0);
    pipe::MipmapInfo info;
    info.resource = base->resource.get();
    info.format = base->layout;
    info.base_level = base->level;
    info.last_level = base->level + levels - 1;
    info.first_layer = base->layer;
    info.layer_count = t.faces();
    const pipe::BlitStatus status = pipe::generate_mipmap(*ctx.pipe, info);
    if (status != pipe::BlitStatus::Ok) return ctx.out_of_memory(kName);
    define_levels(t, levels);
    texture_changed(ctx, t);
}

}  // namespace terrazzo::st
