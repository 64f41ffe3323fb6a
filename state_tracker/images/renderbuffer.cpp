// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Renderbuffers (OpenGL ES 2.0 section 4.4.3, ES 3.0 section 4.4.2; OES_rgb8_rgba8, OES_depth24,
// OES_packed_depth_stencil, EXT_texture_format_BGRA8888).
#include "state_tracker/images/framebuffer.h"

namespace terrazzo::st {

void GenRenderbuffers(Context& ctx, GLsizei n, GLuint* renderbuffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenRenderbuffers", "n %d is negative", n);
    if (!renderbuffers) return;
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; i < n; ++i)
        renderbuffers[i] = ctx.share->renderbuffers.reserve();
}

GLboolean IsRenderbuffer(Context& ctx, GLuint renderbuffer) {
    std::lock_guard lock(ctx.share->mutex);
    return renderbuffer && ctx.share->renderbuffers.find(renderbuffer);
}

void BindRenderbuffer(Context& ctx, GLenum target, GLuint renderbuffer) {
    if (target != GL_RENDERBUFFER)
        return ctx.error(GL_INVALID_ENUM, "glBindRenderbuffer", "target 0x%04x", target);
    pipe::Ref<Renderbuffer> object;
    if (renderbuffer) {
        std::lock_guard lock(ctx.share->mutex);
        object = pipe::Ref<Renderbuffer>(ctx.share->renderbuffers.find(renderbuffer));
        if (!object) {
            object = pipe::Ref<Renderbuffer>::adopt(new Renderbuffer(renderbuffer));
            ctx.share->renderbuffers.set(renderbuffer, object);
        }
    }
    ctx.renderbuffer = std::move(object);
}

void DeleteRenderbuffers(Context& ctx, GLsizei n, const GLuint* renderbuffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteRenderbuffers", "n %d is negative", n);
    if (!renderbuffers) return;
    for (GLsizei i = 0; i < n; ++i) {
        pipe::Ref<Renderbuffer> r;
        {
            std::lock_guard lock(ctx.share->mutex);
            r = renderbuffers[i] ? ctx.share->renderbuffers.remove(renderbuffers[i]) : nullptr;
        }
        if (!r) continue;
        r->name_deleted = true;
        if (ctx.renderbuffer == r) ctx.renderbuffer = nullptr;
        detach_from_bound_framebuffer(ctx, nullptr, r.get());
    }
}

namespace {

/// `samples`: the requested number, 0 or more; null: RenderbufferStorage. `implicit_resolve`: see Surface.
void storage(Context& ctx, const char* command, GLenum target, const GLsizei* samples, GLenum internal_format,
             GLsizei width, GLsizei height, bool implicit_resolve = false) {
    if (target != GL_RENDERBUFFER) return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    // EXT_texture_format_BGRA8888 adds the unsized name to table 4.5.
    const InternalFormat* f =
        find_internal_format(ctx, internal_format == GL_BGRA_EXT ? GLenum(GL_BGRA8_EXT) : internal_format);
    if (!f || !renderbuffer_format(ctx, *f))
        return ctx.error(GL_INVALID_ENUM, command, "internal format 0x%04x", internal_format);
    const GLint max = ctx.limits.max_renderbuffer_size;
    if (width < 0 || height < 0 || width > max || height > max)
        return ctx.error(GL_INVALID_VALUE, command, "size %d x %d; at most %d", width, height, max);
    uint32_t count = 1;
    if (samples) {
        if (*samples < 0) return ctx.error(GL_INVALID_VALUE, command, "%d samples are negative", *samples);
        if (implicit_resolve && *samples > ctx.limits.max_samples)
            return ctx.error(GL_INVALID_VALUE, command, "%d samples; at most %d", *samples,
                             ctx.limits.max_samples);
        // In OpenGL ES 3.0, integer formats have one sample (section 4.4.2.1).
        const bool integer = pipe::format_info(f->storage).is_pure_int() && f->has(format_flag::kColor30);
        const bool single = integer && ctx.config.version < 31;
        // A request for one sample gets several: a multisampled image must not match a texture without
        // samples (section 4.4.4.2).
        if (*samples > 0) count = single ? 0 : least_samples(ctx, *f, uint32_t(*samples));
        if (!count) {
            const uint32_t most = single ? 1 : max_samples(ctx, *f);
            return ctx.error(GL_INVALID_OPERATION, command,
                             "%d samples of internal format 0x%04x; at most %u", *samples, internal_format,
                             most > 1 ? most : 0);
        }
    }
    Renderbuffer* r = ctx.renderbuffer.get();
    if (!r) return ctx.error(GL_INVALID_OPERATION, command, "no renderbuffer is bound");

    std::lock_guard lock(ctx.share->mutex);
    pipe::Ref<pipe::Resource> resource;
    pipe::Format layout = pipe::Format::None;
    if (width && height) {
        const Storage s = choose_storage(ctx, *f, pipe::ResourceKind::Tex2D, count, 0);
        if (s.resource == pipe::Format::None) return ctx.out_of_memory(command);
        pipe::ResourceDesc d;
        d.format = s.resource;
        d.width = uint32_t(width);
        d.height = uint32_t(height);
        d.samples = count;
        d.bind = s.bind;
        resource = ctx.screen.create_resource(d);
        if (!resource) return ctx.out_of_memory(command);
        layout = s.layout;
    }
    for (const Framebuffer* fb : {ctx.framebuffer.get(), ctx.read_framebuffer.get()})
        if (fb && fb->holds(nullptr, r)) {
            end_rendering(ctx);
            ctx.dirty |= dirty::kFramebuffer;
        }
    r->internal_format = internal_format;
    r->format = f;
    r->width = uint32_t(width);
    r->height = uint32_t(height);
    r->samples = count;
    r->implicit_resolve = implicit_resolve && count > 1;
    r->layout = layout;
    r->resource = std::move(resource);
    r->level = r->layer = 0;
    r->shared = false;
}

}  // namespace

void RenderbufferStorage(Context& ctx, GLenum target, GLenum internalformat, GLsizei width, GLsizei height) {
    storage(ctx, "glRenderbufferStorage", target, nullptr, internalformat, width, height);
}

void RenderbufferStorageMultisample(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat,
                                    GLsizei width, GLsizei height) {
    storage(ctx, "glRenderbufferStorageMultisample", target, &samples, internalformat, width, height);
}

void RenderbufferStorageMultisampleEXT(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat,
                                       GLsizei width, GLsizei height) {
    storage(ctx, "glRenderbufferStorageMultisampleEXT", target, &samples, internalformat, width, height,
            true);
}

void GetRenderbufferParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    static constexpr char kName[] = "glGetRenderbufferParameteriv";
    if (target != GL_RENDERBUFFER) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    const Renderbuffer* r = ctx.renderbuffer.get();
    if (!r) return ctx.error(GL_INVALID_OPERATION, kName, "no renderbuffer is bound");
    std::lock_guard lock(ctx.share->mutex);
    const pipe::FormatInfo& info = pipe::format_info(r->layout);
    auto color_bits = [&](unsigned c) {
        return r->format && r->format->has_component(c) ? info.component_bits(c) : 0;
    };
    unsigned value = 0;
    switch (pname) {
        case GL_RENDERBUFFER_WIDTH:
            value = r->width;
            break;
        case GL_RENDERBUFFER_HEIGHT:
            value = r->height;
            break;
        case GL_RENDERBUFFER_INTERNAL_FORMAT:
            value = r->internal_format;
            break;
        case GL_RENDERBUFFER_SAMPLES:
            if (ctx.config.version < 30) return ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x", pname);
            value = r->samples > 1 ? r->samples : 0;
            break;
        case GL_RENDERBUFFER_RED_SIZE:
            value = color_bits(0);
            break;
        case GL_RENDERBUFFER_GREEN_SIZE:
            value = color_bits(1);
            break;
        case GL_RENDERBUFFER_BLUE_SIZE:
            value = color_bits(2);
            break;
        case GL_RENDERBUFFER_ALPHA_SIZE:
            value = color_bits(3);
            break;
        case GL_RENDERBUFFER_DEPTH_SIZE:
            value = r->format && r->format->has(format_flag::kDepth) ? info.depth_bits() : 0;
            break;
        case GL_RENDERBUFFER_STENCIL_SIZE:
            value = r->format && r->format->has(format_flag::kStencil) ? info.stencil_bits() : 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x", pname);
    }
    if (params) *params = GLint(value);
}

}  // namespace terrazzo::st
