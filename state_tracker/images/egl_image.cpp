// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures and renderbuffers of EGLImages (OES_EGL_image, OES_EGL_image_external).
#include "state_tracker/image_export.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

namespace {

/// The image of a handle; null: the error is recorded.
pipe::Ref<Image> find_image(Context& ctx, const char* command, GLeglImageOES handle) {
    pipe::Ref<Image> image;
    if (ctx.config.lookup_image) image = ctx.config.lookup_image(ctx.config.image_user, handle);
    if (image) {
        {
            const std::lock_guard lock(image_move_mutex());
            image->note_group(ctx.share.get());
        }
        image = snapshot(*image);
    }
    if (!image || !image->resource) ctx.error(GL_INVALID_VALUE, command, "%p is not an EGLImage", handle);
    return image && image->resource ? image : nullptr;
}

}  // namespace

void EGLImageTargetTexture2D(Context& ctx, GLenum target, GLeglImageOES image) {
    static constexpr char kName[] = "glEGLImageTargetTexture2DOES";
    if (target != GL_TEXTURE_2D && target != GL_TEXTURE_EXTERNAL_OES)
        return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    const TextureTarget tt = target == GL_TEXTURE_2D ? TextureTarget::Tex2D : TextureTarget::External;
    pipe::Ref<Image> source = find_image(ctx, kName, image);
    if (!source) return;
    const pipe::ResourceDesc& d = source->resource->desc;
    // Images of Y, U and V are sampled as three colour channels.
    const GLenum named = source->yuv ? GLenum(GL_RGB8_OES) : source->gl_internal_format;
    const InternalFormat* f = describe_image_format(named, source->format);
    if (!f || d.samples > 1 || (source->external_only && tt != TextureTarget::External) ||
        !ctx.screen.format_supported(d.format, d.kind, 1, pipe::bind::kSampled))
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "an image of format %s cannot be a texture of target 0x%04x",
                         pipe::format_name(source->format), target);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, tt);
    if (t.immutable)
        return ctx.error(GL_INVALID_OPERATION, kName, "texture %u has immutable storage", t.name);
    before_redefinition(ctx, t);
    TextureImage i;
    i.format = f;
    i.internal_format = named ? named : f->base;
    i.width = source->width_px;
    i.height = source->height_px;
    i.layout = source->format;
    i.resource = source->resource;
    i.level = source->level;
    i.layer = source->layer;
    i.shared = true;
    if (source->yuv) i.yuv = std::make_shared<YuvPlanes>(*source->yuv);
    t.drop_images();
    t.reserve_level(0, 0);
    t.chain = nullptr;
    t.set_image(0, 0, std::move(i));
    texture_changed(ctx, t);
}

void EGLImageTargetRenderbufferStorage(Context& ctx, GLenum target, GLeglImageOES image) {
    static constexpr char kName[] = "glEGLImageTargetRenderbufferStorageOES";
    if (target != GL_RENDERBUFFER) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    pipe::Ref<Image> source = find_image(ctx, kName, image);
    if (!source) return;
    Renderbuffer* r = ctx.renderbuffer.get();
    if (!r) return ctx.error(GL_INVALID_OPERATION, kName, "no renderbuffer is bound");
    if (!check_writable(ctx, kName, source->resource.get())) return;
    const InternalFormat* f = describe_image_format(source->gl_internal_format, source->format);
    const uint32_t bind = source->resource->desc.bind;
    if (!f || source->external_only || !(bind & (pipe::bind::kColor | pipe::bind::kDepthStencil)))
        return ctx.error(GL_INVALID_OPERATION, kName, "an image of format %s cannot be rendered to",
                         pipe::format_name(source->format));
    std::lock_guard lock(ctx.share->mutex);
    if (ctx.framebuffer && ctx.framebuffer->holds(nullptr, r)) {
        end_rendering(ctx);
        ctx.dirty |= dirty::kFramebuffer;
    }
    r->format = f;
    r->internal_format = source->gl_internal_format ? source->gl_internal_format : f->sized;
    r->width = source->width_px;
    r->height = source->height_px;
    r->samples = source->resource->desc.samples;
    r->layout = source->format;
    r->resource = source->resource;
    r->level = source->level;
    r->layer = source->layer;
    r->shared = true;
}

}  // namespace terrazzo::st
