// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Discarding contents of framebuffers: DiscardFramebufferEXT (EXT_discard_framebuffer), InvalidateFramebuffer
// and InvalidateSubFramebuffer (OpenGL ES 3.0 section 4.5).
#include "state_tracker/images/render_pass.h"

namespace terrazzo::st {

using namespace pipe::attachment_bit;

namespace {

/// The attachments of a list as bits. False: the error is recorded.
bool list_bits(Context& ctx, const char* command, bool object, GLsizei count, const GLenum* attachments,
               uint32_t* out) {
    const bool es3 = ctx.config.version >= 30;
    uint32_t bits = 0;
    for (GLsizei i = 0; i < count; ++i) {
        const GLenum a = attachments[i];
        const GLenum n = a - GL_COLOR_ATTACHMENT0;
        if (object && a >= GL_COLOR_ATTACHMENT0 && n < GLenum(ctx.limits.max_color_attachments)) {
            bits |= kColor0 << n;
        } else if (!object && a == GL_COLOR_EXT) {
            bits |= kColor0;
        } else if (a == GLenum(object ? GL_DEPTH_ATTACHMENT : GL_DEPTH_EXT)) {
            bits |= kDepth;
        } else if (a == GLenum(object ? GL_STENCIL_ATTACHMENT : GL_STENCIL_EXT)) {
            bits |= kStencil;
        } else if (es3 && object && a == GL_DEPTH_STENCIL_ATTACHMENT) {
            bits |= kDepth | kStencil;
        } else {
            const bool beyond = es3 && object && a >= GL_COLOR_ATTACHMENT0 && n < 32;
            ctx.error(beyond ? GL_INVALID_OPERATION : GL_INVALID_ENUM, command, "attachment 0x%04x", a);
            return false;
        }
    }
    *out = bits;
    return true;
}

/// Only a hint: an incomplete framebuffer has nothing to discard, and that is not an error.
void discard(Context& ctx, const char* command, uint32_t bits) {
    Context::RenderPass& rp = *ctx.render_pass;
    if (!rp.resolved) {
        if (ctx.framebuffer) {
            std::lock_guard lock(ctx.share->mutex);
            if (framebuffer_status(ctx, *ctx.framebuffer, nullptr) != GL_FRAMEBUFFER_COMPLETE) return;
        } else if (!ctx.draw_drawable) {
            return;
        }
        if (!resolve_draw_planes(ctx, command)) return;
    }
    bits &= present_attachments(rp.planes);
    rp.clears &= ~bits;
    if (rp.open)
        rp.discards |= bits;
    else
        rp.undefined |= bits;
}

void invalidate(Context& ctx, const char* command, GLenum target, GLsizei count, const GLenum* attachments,
                bool all) {
    if (!is_framebuffer_target(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    if (count < 0) return ctx.error(GL_INVALID_VALUE, command, "numAttachments %d is negative", count);
    if (!attachments) return;
    uint32_t bits = 0;
    const bool reads = target == GL_READ_FRAMEBUFFER;
    const Framebuffer* fb = bound_framebuffer(ctx, target);
    if (!list_bits(ctx, command, fb, count, attachments, &bits)) return;
    // Only the draw framebuffer is discarded, since its planes are those of the pass. Keeping the contents of
    // another one is allowed.
    const bool drawn = !reads || (fb ? ctx.framebuffer == ctx.read_framebuffer
                                     : !ctx.framebuffer && ctx.read_drawable == ctx.draw_drawable);
    if (all && drawn) discard(ctx, command, bits);
}

}  // namespace

void DiscardFramebuffer(Context& ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments) {
    invalidate(ctx, "glDiscardFramebufferEXT", target, numAttachments, attachments, true);
}

void InvalidateFramebuffer(Context& ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments) {
    invalidate(ctx, "glInvalidateFramebuffer", target, numAttachments, attachments, true);
}

void InvalidateSubFramebuffer(Context& ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments,
                              GLint x, GLint y, GLsizei width, GLsizei height) {
    static constexpr char kName[] = "glInvalidateSubFramebuffer";
    if (width < 0 || height < 0)
        return ctx.error(GL_INVALID_VALUE, kName, "size %d x %d is negative", width, height);
    // If only a part is invalidated, the contents are kept.
    const FramebufferInfo info =
        target == GL_READ_FRAMEBUFFER ? FramebufferInfo{} : bound_framebuffer_info(ctx);
    const bool all = info.width_px && x <= 0 && y <= 0 && int64_t(x) + width >= info.width_px &&
                     int64_t(y) + height >= info.height_px;
    invalidate(ctx, kName, target, numAttachments, attachments, all);
}

}  // namespace terrazzo::st
