// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Framebuffer objects: names, attachments and queries (OpenGL ES 2.0 sections 4.4.1 to 4.4.5 and 6.1.3).
#include "state_tracker/images/framebuffer.h"

#include "state_tracker/images/render_pass.h"

namespace terrazzo::st {

bool Framebuffer::holds(const Texture* t, const Renderbuffer* r) const {
    auto is = [&](const AttachmentPoint& a) {
        return (t && a.texture.get() == t) || (r && a.renderbuffer.get() == r);
    };
    for (const AttachmentPoint& a : color)
        if (is(a)) return true;
    return is(depth) || is(stencil);
}

void detach_from_bound_framebuffer(Context& ctx, const Texture* t, const Renderbuffer* r) {
    if (!ctx.framebuffer || !ctx.framebuffer->holds(t, r)) return;
    end_rendering(ctx);
    ctx.framebuffer->for_each([&](AttachmentPoint& a) {
        if ((t && a.texture.get() == t) || (r && a.renderbuffer.get() == r)) a = {};
    });
    ctx.dirty |= dirty::kFramebuffer;
}

namespace {

void bind(Context& ctx, pipe::Ref<Framebuffer> fb) {
    if (ctx.framebuffer == fb) return;
    end_rendering(ctx);
    ctx.framebuffer = std::move(fb);
    ctx.dirty |= dirty::kFramebuffer;
}

/// Checks target and attachment point of the commands that attach. Null: the error is recorded.
AttachmentPoint* attachment_point(Context& ctx, const char* command, GLenum target, GLenum attachment) {
    if (target != GL_FRAMEBUFFER) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return nullptr;
    }
    Framebuffer* fb = ctx.framebuffer.get();
    const GLenum n = attachment - GL_COLOR_ATTACHMENT0;
    const bool is_color = attachment >= GL_COLOR_ATTACHMENT0 && n < GLenum(ctx.limits.max_color_attachments);
    if (!is_color && attachment != GL_DEPTH_ATTACHMENT && attachment != GL_STENCIL_ATTACHMENT) {
        ctx.error(GL_INVALID_ENUM, command, "attachment 0x%04x", attachment);
        return nullptr;
    }
    if (!fb) {
        ctx.error(GL_INVALID_OPERATION, command, "the default framebuffer is bound");
        return nullptr;
    }
    if (is_color) return &fb->color[n];
    return attachment == GL_DEPTH_ATTACHMENT ? &fb->depth : &fb->stencil;
}

void attach(Context& ctx, AttachmentPoint& point, AttachmentPoint&& what) {
    end_rendering(ctx);
    point = std::move(what);
    ctx.dirty |= dirty::kFramebuffer;
}

}  // namespace

void GenFramebuffers(Context& ctx, GLsizei n, GLuint* framebuffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenFramebuffers", "n %d is negative", n);
    if (!framebuffers) return;
    for (GLsizei i = 0; i < n; ++i)
        framebuffers[i] = ctx.framebuffers.reserve();
}

GLboolean IsFramebuffer(Context& ctx, GLuint framebuffer) {
    return framebuffer && ctx.framebuffers.find(framebuffer);
}

void BindFramebuffer(Context& ctx, GLenum target, GLuint framebuffer) {
    if (target != GL_FRAMEBUFFER)
        return ctx.error(GL_INVALID_ENUM, "glBindFramebuffer", "target 0x%04x", target);
    pipe::Ref<Framebuffer> fb;
    if (framebuffer) {
        fb = pipe::Ref<Framebuffer>(ctx.framebuffers.find(framebuffer));
        if (!fb) {
            fb = pipe::Ref<Framebuffer>::adopt(new Framebuffer(framebuffer));
            ctx.framebuffers.set(framebuffer, fb);
        }
    }
    bind(ctx, std::move(fb));
}

void DeleteFramebuffers(Context& ctx, GLsizei n, const GLuint* framebuffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteFramebuffers", "n %d is negative", n);
    if (!framebuffers) return;
    for (GLsizei i = 0; i < n; ++i) {
        if (!framebuffers[i]) continue;
        pipe::Ref<Framebuffer> fb = ctx.framebuffers.remove(framebuffers[i]);
        if (fb && ctx.framebuffer == fb) bind(ctx, nullptr);
    }
}

GLenum CheckFramebufferStatus(Context& ctx, GLenum target) {
    if (target != GL_FRAMEBUFFER) {
        ctx.error(GL_INVALID_ENUM, "glCheckFramebufferStatus", "target 0x%04x", target);
        return 0;
    }
    if (!ctx.framebuffer) return ctx.draw_drawable ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED_OES;
    std::lock_guard lock(ctx.share->mutex);
    return framebuffer_status(ctx, *ctx.framebuffer, nullptr);
}

void FramebufferRenderbuffer(Context& ctx, GLenum target, GLenum attachment, GLenum renderbuffertarget,
                             GLuint renderbuffer) {
    static constexpr char kName[] = "glFramebufferRenderbuffer";
    if (target == GL_FRAMEBUFFER && renderbuffertarget != GL_RENDERBUFFER && renderbuffer)
        return ctx.error(GL_INVALID_ENUM, kName, "renderbuffertarget 0x%04x", renderbuffertarget);
    AttachmentPoint* point = attachment_point(ctx, kName, target, attachment);
    if (!point) return;
    AttachmentPoint what;
    if (renderbuffer) {
        std::lock_guard lock(ctx.share->mutex);
        what.renderbuffer = pipe::Ref<Renderbuffer>(ctx.share->renderbuffers.find(renderbuffer));
        if (!what.renderbuffer)
            return ctx.error(GL_INVALID_OPERATION, kName, "%u is not a renderbuffer", renderbuffer);
    }
    attach(ctx, *point, std::move(what));
}

void FramebufferTexture2D(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                          GLint level) {
    static constexpr char kName[] = "glFramebufferTexture2D";
    ImageTarget it{};
    if (target == GL_FRAMEBUFFER && texture && !image_target(textarget, &it))
        return ctx.error(GL_INVALID_ENUM, kName, "textarget 0x%04x", textarget);
    AttachmentPoint* point = attachment_point(ctx, kName, target, attachment);
    if (!point) return;
    AttachmentPoint what;
    if (texture) {
        std::lock_guard lock(ctx.share->mutex);
        what.texture = pipe::Ref<Texture>(ctx.share->textures.find(texture));
        if (!what.texture) return ctx.error(GL_INVALID_OPERATION, kName, "%u is not a texture", texture);
        if (what.texture->target != it.target)
            return ctx.error(GL_INVALID_OPERATION, kName, "texture %u does not have textarget 0x%04x",
                             texture, textarget);
        const uint32_t max = max_size_px(ctx, it.target);
        if (level < 0 || uint32_t(level) >= full_level_count(max, max))
            return ctx.error(GL_INVALID_VALUE, kName, "level %d; levels are 0 to %u", level,
                             full_level_count(max, max) - 1);
        what.level = uint32_t(level);
        what.face = it.face;
    }
    attach(ctx, *point, std::move(what));
}

void GetFramebufferAttachmentParameteriv(Context& ctx, GLenum target, GLenum attachment, GLenum pname,
                                         GLint* params) {
    static constexpr char kName[] = "glGetFramebufferAttachmentParameteriv";
    const AttachmentPoint* a = attachment_point(ctx, kName, target, attachment);
    if (!a) return;
    GLuint value = 0;
    bool known = pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE;
    if (known) value = a->texture ? GL_TEXTURE : a->renderbuffer ? GL_RENDERBUFFER : GL_NONE;
    if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && !a->empty()) {
        known = true;
        value = a->texture ? a->texture->name : a->renderbuffer->name;
    }
    if (a->texture && pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) {
        known = true;
        value = a->level;
    }
    if (a->texture && pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) {
        known = true;
        value = a->texture->target == TextureTarget::Cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + a->face : 0;
    }
    if (!known)
        return ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x of attachment 0x%04x", pname, attachment);
    if (params) *params = GLint(value);
}

// --- EXT_draw_buffers, NV_draw_buffers

GLenum draw_buffer(const Context& ctx, unsigned n) {
    const unsigned mask = ctx.framebuffer ? ctx.framebuffer->draw_buffers : ctx.state.default_draw_buffers;
    if (!(mask >> n & 1)) return GL_NONE;
    return ctx.framebuffer ? GL_COLOR_ATTACHMENT0 + n : GL_BACK;
}

void DrawBuffers(Context& ctx, GLsizei n, const GLenum* bufs) {
    static constexpr char kName[] = "glDrawBuffersEXT";
    if (n < 0 || n > ctx.limits.max_draw_buffers)
        return ctx.error(GL_INVALID_VALUE, kName, "n %d; at most %d", n, ctx.limits.max_draw_buffers);
    if (!ctx.framebuffer && n != 1)
        return ctx.error(GL_INVALID_OPERATION, kName, "n %d; the default framebuffer has one buffer", n);
    if (!bufs) return;
    uint8_t mask = 0;
    for (GLsizei i = 0; i < n; ++i) {
        const GLenum b = bufs[i];
        if (b == GL_NONE) continue;
        const bool is_color = b >= GL_COLOR_ATTACHMENT0 && b <= GL_COLOR_ATTACHMENT0 + 31;
        if (!is_color && b != GL_BACK) return ctx.error(GL_INVALID_ENUM, kName, "buffer 0x%04x", b);
        if (b != (ctx.framebuffer ? GLenum(GL_COLOR_ATTACHMENT0 + i) : GLenum(GL_BACK)))
            return ctx.error(GL_INVALID_OPERATION, kName, "buffer 0x%04x cannot stand at place %d", b, i);
        mask |= uint8_t(1u << i);
    }
    uint8_t& current = ctx.framebuffer ? ctx.framebuffer->draw_buffers : ctx.state.default_draw_buffers;
    if (current == mask) return;
    end_rendering(ctx);
    current = mask;
    ctx.dirty |= dirty::kFramebuffer;
}

}  // namespace terrazzo::st
