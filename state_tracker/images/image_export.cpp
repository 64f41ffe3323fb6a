// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGLImages of textures and renderbuffers (EGL_KHR_gl_texture_2D_image, _cubemap_image, _renderbuffer_image).
#include "state_tracker/image_export.h"

#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {
namespace {

ImageResult fail(ImageResult r, const char* rule, std::string* why) {
    *why = rule;
    return r;
}

/// The rule of EGL_KHR_gl_image that the level breaks; null: none. The level must be level 0 of a texture
/// that has no other levels, or belong to a complete mip chain.
const char* broken_rule(const Texture& t, unsigned face, unsigned level) {
    if (t.target == TextureTarget::Cube && !cube_complete(t)) return "the cube map is not cube complete";
    const TextureImage* base = t.image(face, 0);
    if (!base) return "the texture has no level 0";
    const uint32_t count = full_level_count(base->width, base->height, base->depth);
    bool more = level != 0;
    for (unsigned l = 1; l < t.level_count(face); ++l)
        more = more || t.image(face, l);
    for (uint32_t l = 1; more && l < count; ++l) {
        const TextureImage* i = t.image(face, l);
        if (!i || i->format != base->format || i->width != minify(base->width, l) ||
            i->height != minify(base->height, l))
            return "the texture's mip chain is not complete";
    }
    return nullptr;
}

pipe::Ref<Image> make_image(Context& ctx, const pipe::Ref<pipe::Resource>& resource, uint32_t level,
                            uint32_t layer, uint32_t width, uint32_t height, pipe::Format layout,
                            GLenum internal_format) {
    auto image = pipe::Ref<Image>::adopt(new Image);
    image->note_group(ctx.share.get());
    image->resource = resource;
    image->format = layout;
    image->level = level;
    image->layer = layer;
    image->width_px = width;
    image->height_px = height;
    image->gl_internal_format = internal_format;
    return image;
}

}  // namespace

ImageResult export_image(Context& ctx, ImageSource source, GLuint name, unsigned face, unsigned level,
                         unsigned z, pipe::Ref<Image>* out, std::string* why) {
    std::lock_guard lock(ctx.share->mutex);
    if (name == 0) return fail(ImageResult::BadParameter, "the object is the default one (name 0)", why);
    if (source == ImageSource::Renderbuffer) {
        Renderbuffer* r = ctx.share->renderbuffers.find(name);
        if (!r || !r->resource)
            return fail(ImageResult::BadParameter, "there is no renderbuffer of that name with storage", why);
        if (r->samples > 1) return fail(ImageResult::BadParameter, "the renderbuffer is multisampled", why);
        *out = make_image(ctx, r->resource, r->level, r->layer, r->width, r->height, r->layout,
                          r->internal_format);
        r->shared = true;
        return ImageResult::Ok;
    }
    Texture* t = ctx.share->textures.find(name);
    const TextureTarget wanted = source == ImageSource::CubeFace    ? TextureTarget::Cube
                                 : source == ImageSource::Texture3D ? TextureTarget::Tex3D
                                                                    : TextureTarget::Tex2D;
    if (!t || t->target != wanted)
        return fail(ImageResult::BadParameter, "there is no texture of that name and target", why);
    if (const char* rule = broken_rule(*t, face, level)) return fail(ImageResult::BadParameter, rule, why);
    TextureImage* i = t->image(face, level);
    if (!i || !i->resource) return fail(ImageResult::BadMatch, "the texture has no such level", why);
    // Moves all levels into one resource first. If a level moved later, the image would keep the old storage.
    const uint32_t levels = consistent_levels(*t);
    if (!i->shared && level < levels && !consolidate(ctx, *t, 0, levels, levels))
        return fail(ImageResult::OutOfMemory, "the texture's levels could not be brought together", why);
    if (source == ImageSource::Texture3D && z >= i->depth)
        return fail(ImageResult::BadParameter, "the z offset is outside the texture", why);
    *out = make_image(ctx, i->resource, i->level, i->layer + z, i->width, i->height, i->layout,
                      i->internal_format);
    i->shared = true;
    return ImageResult::Ok;
}

}  // namespace terrazzo::st
