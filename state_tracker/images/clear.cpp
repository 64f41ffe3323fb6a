// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clear (OpenGL ES 2.0 section 4.2.3) and DiscardFramebufferEXT (EXT_discard_framebuffer).
#include <algorithm>

#include "state_tracker/core/debug.h"
#include "state_tracker/images/render_pass.h"

namespace terrazzo::st {

using namespace pipe::attachment_bit;

namespace {

/// Whether the scissor lets all of the framebuffer through.
bool scissor_covers(const State& s, const FramebufferInfo& info) {
    if (!s.scissor_test) return true;
    return s.scissor[0] <= 0 && s.scissor[1] <= 0 && int64_t(s.scissor[0]) + s.scissor[2] >= info.width_px &&
           int64_t(s.scissor[1]) + s.scissor[3] >= info.height_px;
}

uint8_t color_mask(const State& s) {
    uint8_t mask = 0;
    for (unsigned c = 0; c < 4; ++c)
        mask |= uint8_t(s.color_mask[c] << c);
    return mask;
}

/// Splits the attachments that a clear changes into those it sets whole, and others.
void classify(const Context& ctx, GLbitfield mask, const Planes& p, uint32_t* whole, uint32_t* part) {
    const State& s = ctx.state;
    const bool covered = scissor_covers(s, p.info);
    auto add = [&](uint32_t bits, bool unmasked) { *(covered && unmasked ? whole : part) |= bits; };
    const uint32_t present = present_attachments(p);
    const uint8_t write = color_mask(s);
    if (mask & GL_COLOR_BUFFER_BIT && write)
        for (uint32_t i = 0; i < p.color_count; ++i) {
            uint8_t stored = 0;  // components that are there to be masked
            for (unsigned c = 0; c < 4; ++c)
                stored |= uint8_t((p.color[i].bits[c] != 0) << c);
            if (present & ~p.info.undrawn & kColor0 << i) add(kColor0 << i, (write & stored) == stored);
        }
    if (mask & GL_DEPTH_BUFFER_BIT && s.depth_mask) add(present & kDepth, true);
    const uint32_t stencil_max = (1u << p.info.stencil_bits) - 1;
    const uint32_t stencil_mask = s.stencil[0].write_mask & stencil_max;
    if (mask & GL_STENCIL_BUFFER_BIT && stencil_mask) add(present & kStencil, stencil_mask == stencil_max);
}

pipe::Scissor clamp_scissor(const State& s, const FramebufferInfo& info) {
    auto clamp = [](int64_t v, uint32_t size) { return int32_t(std::clamp<int64_t>(v, 0, size)); };
    return {clamp(s.scissor[0], info.width_px), clamp(s.scissor[1], info.height_px),
            clamp(int64_t(s.scissor[0]) + s.scissor[2], info.width_px),
            clamp(int64_t(s.scissor[1]) + s.scissor[3], info.height_px)};
}

}  // namespace

void Clear(Context& ctx, GLbitfield mask) {
    static constexpr char kName[] = "glClear";
    if (mask & ~GLbitfield(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT))
        return ctx.error(GL_INVALID_VALUE, kName, "mask 0x%x", mask);
    if (!resolve_draw_planes(ctx, kName)) return;
    Context::RenderPass& rp = *ctx.render_pass;
    const State& s = ctx.state;
    uint32_t whole = 0, part = 0;
    classify(ctx, mask, rp.planes, &whole, &part);
    pipe::ClearColor color;
    std::copy_n(s.clear_color, 4, color.f);
    if (!rp.open && whole) {
        rp.clears |= whole;
        if (whole & ~(kDepth | kStencil)) rp.color = color;
        if (whole & kDepth) rp.depth = s.clear_depth;
        if (whole & kStencil) rp.stencil = uint8_t(s.clear_stencil);
        whole = 0;
    }
    if (!(whole | part)) return;
    pipe::ClearInfo info;
    info.scissored = !scissor_covers(s, rp.planes.info);
    if (info.scissored) {
        info.scissor = clamp_scissor(s, rp.planes.info);
        if (info.scissor.x0 >= info.scissor.x1 || info.scissor.y0 >= info.scissor.y1) return;
    }
    if (!begin_rendering(ctx, kName)) return;
    info.color.fill(color);
    info.depth = s.clear_depth;
    info.stencil = uint8_t(s.clear_stencil);
    info.color_mask.fill(color_mask(s));
    info.stencil_mask = uint8_t(s.stencil[0].write_mask);
    info.attachments = whole | part;
    ctx.pipe->clear(info);
    after_submission(ctx, kName);
}

void DiscardFramebuffer(Context& ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments) {
    static constexpr char kName[] = "glDiscardFramebufferEXT";
    if (target != GL_FRAMEBUFFER) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    if (numAttachments < 0)
        return ctx.error(GL_INVALID_VALUE, kName, "numAttachments %d is negative", numAttachments);
    if (!attachments) return;
    uint32_t bits = 0;
    for (GLsizei i = 0; i < numAttachments; ++i) {
        const GLenum a = attachments[i];
        const GLenum n = a - GL_COLOR_ATTACHMENT0;
        if (ctx.framebuffer && a >= GL_COLOR_ATTACHMENT0 && n < GLenum(ctx.limits.max_color_attachments))
            bits |= kColor0 << n;
        else if (!ctx.framebuffer && a == GL_COLOR_EXT)
            bits |= kColor0;
        else if (a == GLenum(ctx.framebuffer ? GL_DEPTH_ATTACHMENT : GL_DEPTH_EXT))
            bits |= kDepth;
        else if (a == GLenum(ctx.framebuffer ? GL_STENCIL_ATTACHMENT : GL_STENCIL_EXT))
            bits |= kStencil;
        else
            return ctx.error(GL_INVALID_ENUM, kName, "attachment 0x%04x", a);
    }
    // A hint: an incomplete framebuffer has nothing to discard, and that is no error.
    Context::RenderPass& rp = *ctx.render_pass;
    if (!rp.resolved) {
        if (ctx.framebuffer) {
            std::lock_guard lock(ctx.share->mutex);
            if (framebuffer_status(ctx, *ctx.framebuffer, nullptr) != GL_FRAMEBUFFER_COMPLETE) return;
        } else if (!ctx.draw_drawable) {
            return;
        }
        if (!resolve_draw_planes(ctx, kName)) return;
    }
    bits &= present_attachments(rp.planes);
    rp.clears &= ~bits;
    if (rp.open)
        rp.discards |= bits;
    else
        rp.undefined |= bits;
}

}  // namespace terrazzo::st
