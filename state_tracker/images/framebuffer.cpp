// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Framebuffer objects: names, bindings and status (OpenGL ES 2.0 sections 4.4.1 and 4.4.5, ES 3.0 sections
// 4.4.1 and 4.4.4).
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

bool is_framebuffer_target(const Context& ctx, GLenum target) {
    if (target == GL_FRAMEBUFFER) return true;
    return ctx.config.version >= 30 && (target == GL_DRAW_FRAMEBUFFER || target == GL_READ_FRAMEBUFFER);
}

Framebuffer* bound_framebuffer(const Context& ctx, GLenum target) {
    return target == GL_READ_FRAMEBUFFER ? ctx.read_framebuffer.get() : ctx.framebuffer.get();
}

void detach_from_bound_framebuffer(Context& ctx, const Texture* t, const Renderbuffer* r) {
    for (Framebuffer* fb : {ctx.framebuffer.get(), ctx.read_framebuffer.get()}) {
        if (!fb || !fb->holds(t, r)) continue;
        end_rendering(ctx);
        fb->for_each([&](AttachmentPoint& a) {
            if ((t && a.texture.get() == t) || (r && a.renderbuffer.get() == r)) a = {};
        });
        ctx.dirty |= dirty::kFramebuffer;
    }
}

namespace {

void bind(Context& ctx, pipe::Ref<Framebuffer> fb) {
    if (ctx.framebuffer == fb) return;
    end_rendering(ctx);
    ctx.framebuffer = std::move(fb);
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
    if (!is_framebuffer_target(ctx, target))
        return ctx.error(GL_INVALID_ENUM, "glBindFramebuffer", "target 0x%04x", target);
    pipe::Ref<Framebuffer> fb;
    if (framebuffer) {
        fb = pipe::Ref<Framebuffer>(ctx.framebuffers.find(framebuffer));
        if (!fb) {
            fb = pipe::Ref<Framebuffer>::adopt(new Framebuffer(framebuffer));
            ctx.framebuffers.set(framebuffer, fb);
        }
    }
    if (target != GL_DRAW_FRAMEBUFFER) ctx.read_framebuffer = fb;
    if (target != GL_READ_FRAMEBUFFER) bind(ctx, std::move(fb));
}

void DeleteFramebuffers(Context& ctx, GLsizei n, const GLuint* framebuffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteFramebuffers", "n %d is negative", n);
    if (!framebuffers) return;
    for (GLsizei i = 0; i < n; ++i) {
        if (!framebuffers[i]) continue;
        pipe::Ref<Framebuffer> fb = ctx.framebuffers.remove(framebuffers[i]);
        if (!fb) continue;
        if (ctx.read_framebuffer == fb) ctx.read_framebuffer = nullptr;
        if (ctx.framebuffer == fb) bind(ctx, nullptr);
    }
}

GLenum CheckFramebufferStatus(Context& ctx, GLenum target) {
    if (!is_framebuffer_target(ctx, target)) {
        ctx.error(GL_INVALID_ENUM, "glCheckFramebufferStatus", "target 0x%04x", target);
        return 0;
    }
    const bool reads = target == GL_READ_FRAMEBUFFER;
    const Framebuffer* fb = bound_framebuffer(ctx, target);
    if (!fb) {
        const bool defined = bool(reads ? ctx.read_drawable : ctx.draw_drawable);
        return defined ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED_OES;
    }
    std::lock_guard lock(ctx.share->mutex);
    return framebuffer_status(ctx, *fb, nullptr);
}

}  // namespace terrazzo::st
