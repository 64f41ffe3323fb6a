// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clear (OpenGL ES 2.0 section 4.2.3) and ClearBuffer* (ES 3.0 section 4.2.3).
#include <algorithm>
#include <cstring>

#include "state_tracker/debug/debug.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/state/state_cache.h"

namespace terrazzo::st {

using namespace pipe::attachment_bit;

namespace {

/// Whether the scissor includes the whole framebuffer.
bool scissor_covers(const State& s, const FramebufferInfo& info) {
    const ViewportState& v = s.viewports[0];
    if (!v.scissor_test) return true;
    return v.scissor[0] <= 0 && v.scissor[1] <= 0 && int64_t(v.scissor[0]) + v.scissor[2] >= info.width_px &&
           int64_t(v.scissor[1]) + v.scissor[3] >= info.height_px;
}

/// A clear command's arguments: the attachments that exist and are drawn to, and their values.
struct ClearCall {
    uint32_t attachments = 0;
    std::array<pipe::ClearColor, kMaxColorAttachments> color{};
    float depth = 1;
    uint8_t stencil = 0;
};

/// Splits the attachments of a clear into those that it sets completely, and others.
void classify(const Context& ctx, uint32_t attachments, const Planes& p, uint32_t* whole, uint32_t* part) {
    const State& s = ctx.state;
    const bool covered = scissor_covers(s, p.info);
    auto add = [&](uint32_t bits, bool unmasked) { *(covered && unmasked ? whole : part) |= bits; };
    for (uint32_t i = 0; i < p.color_count; ++i) {
        const uint8_t write = color_mask_bits(s.blend[i]);
        if (!write || !(attachments & kColor0 << i)) continue;
        uint8_t stored = 0;  // components that exist, and so may be masked
        for (unsigned c = 0; c < 4; ++c)
            stored |= uint8_t((p.color[i].bits[c] != 0) << c);
        const bool same_size = p.color[i].width == p.info.width_px && p.color[i].height == p.info.height_px;
        add(kColor0 << i, (write & stored) == stored && same_size);
    }
    const bool same_size =
        p.depth_stencil.width == p.info.width_px && p.depth_stencil.height == p.info.height_px;
    if (s.depth_mask) add(attachments & kDepth, same_size);
    const uint32_t stencil_max = (1u << p.info.stencil_bits) - 1;
    const uint32_t stencil_mask = s.stencil[0].write_mask & stencil_max;
    if (stencil_mask) add(attachments & kStencil, stencil_mask == stencil_max && same_size);
}

pipe::Scissor clamp_scissor(const ViewportState& s, const FramebufferInfo& info) {
    auto clamp = [](int64_t v, uint32_t size) { return int32_t(std::clamp<int64_t>(v, 0, size)); };
    return {clamp(s.scissor[0], info.width_px), clamp(s.scissor[1], info.height_px),
            clamp(int64_t(s.scissor[0]) + s.scissor[2], info.width_px),
            clamp(int64_t(s.scissor[1]) + s.scissor[3], info.height_px)};
}

/// Executes a clear, or leaves it to the next pass's load operations. The draw planes must be resolved.
void clear(Context& ctx, const char* command, const ClearCall& c) {
    Context::RenderPass& rp = *ctx.render_pass;
    const State& s = ctx.state;
    if (s.rasterizer_discard) return;
    uint32_t whole = 0, part = 0;
    classify(ctx, c.attachments & present_attachments(rp.planes), rp.planes, &whole, &part);
    if (!rp.open && whole) {
        rp.clears |= whole;
        for (uint32_t i = 0; i < kMaxColorAttachments; ++i)
            if (whole & kColor0 << i) rp.color[i] = c.color[i];
        if (whole & kDepth) rp.depth = c.depth;
        if (whole & kStencil) rp.stencil = c.stencil;
        whole = 0;
    }
    if (!(whole | part)) return;
    pipe::ClearInfo info;
    info.scissored = !scissor_covers(s, rp.planes.info);
    if (info.scissored) {
        info.scissor = clamp_scissor(s.viewports[0], rp.planes.info);
        if (info.scissor.x0 >= info.scissor.x1 || info.scissor.y0 >= info.scissor.y1) return;
        info.scissor = in_memory(info.scissor, rp.planes.info);
    }
    if (!begin_rendering(ctx, command)) return;
    info.color = c.color;
    info.depth = c.depth;
    info.stencil = c.stencil;
    for (size_t i = 0; i < s.blend.size(); ++i)
        info.color_mask[i] = color_mask_bits(s.blend[i]);
    info.stencil_mask = uint8_t(s.stencil[0].write_mask);
    info.attachments = whole | part;
    ctx.pipe->clear(info);
    after_submission(ctx, command);
}

/// Depths are clamped if the buffer has fixed-point values.
float clear_depth(const Planes& p, float depth) {
    const pipe::Format f = p.depth_stencil.layout;
    if (f == pipe::Format::D32_FLOAT || f == pipe::Format::D32_FLOAT_S8X24_UINT) return depth;
    return depth > 0 ? std::min(depth, 1.0f) : 0.0f;
}

/// ClearBuffer* of one colour, whose words are floats or integers. False: `buffer` is not GL_COLOR.
bool clear_color_buffer(Context& ctx, const char* command, GLenum buffer, GLint drawbuffer,
                        const void* words) {
    if (buffer != GL_COLOR) return false;
    if (drawbuffer < 0 || drawbuffer >= ctx.limits.max_draw_buffers) {
        ctx.error(GL_INVALID_VALUE, command, "drawbuffer %d is none of %d", drawbuffer,
                  ctx.limits.max_draw_buffers);
        return true;
    }
    if (!words || !resolve_draw_planes(ctx, command)) return true;
    ClearCall c;
    c.attachments = kColor0 << drawbuffer & ~uint32_t(ctx.render_pass->planes.info.undrawn);
    std::memcpy(&c.color[size_t(drawbuffer)], words, sizeof c.color[0]);
    clear(ctx, command, c);
    return true;
}

/// Checks `buffer` and `drawbuffer` (must be 0) of clears of depth, stencil or both. False: the error is
/// recorded.
bool check_ancillary(Context& ctx, const char* command, GLenum buffer, GLenum expected, GLint drawbuffer) {
    if (buffer != expected) {
        ctx.error(GL_INVALID_ENUM, command, "buffer 0x%04x", buffer);
        return false;
    }
    if (drawbuffer != 0) {
        ctx.error(GL_INVALID_VALUE, command, "drawbuffer %d of depth or stencil is not 0", drawbuffer);
        return false;
    }
    return resolve_draw_planes(ctx, command);
}

}  // namespace

void Clear(Context& ctx, GLbitfield mask) {
    static constexpr char kName[] = "glClear";
    if (mask & ~GLbitfield(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT))
        return ctx.error(GL_INVALID_VALUE, kName, "mask 0x%x", mask);
    if (!resolve_draw_planes(ctx, kName)) return;
    const Planes& p = ctx.render_pass->planes;
    ClearCall c;
    if (mask & GL_COLOR_BUFFER_BIT)
        c.attachments |= ((1u << kMaxColorAttachments) - 1) & ~uint32_t(p.info.undrawn);
    if (mask & GL_DEPTH_BUFFER_BIT) c.attachments |= kDepth;
    if (mask & GL_STENCIL_BUFFER_BIT) c.attachments |= kStencil;
    pipe::ClearColor color;
    std::copy_n(ctx.state.clear_color, 4, color.f);
    c.color.fill(color);
    c.depth = ctx.state.clear_depth;
    c.stencil = uint8_t(ctx.state.clear_stencil);
    clear(ctx, kName, c);
}

void ClearBufferfv(Context& ctx, GLenum buffer, GLint drawbuffer, const GLfloat* value) {
    static constexpr char kName[] = "glClearBufferfv";
    if (clear_color_buffer(ctx, kName, buffer, drawbuffer, value)) return;
    if (!check_ancillary(ctx, kName, buffer, GL_DEPTH, drawbuffer) || !value) return;
    ClearCall c;
    c.attachments = kDepth;
    c.depth = clear_depth(ctx.render_pass->planes, *value);
    clear(ctx, kName, c);
}

void ClearBufferiv(Context& ctx, GLenum buffer, GLint drawbuffer, const GLint* value) {
    static constexpr char kName[] = "glClearBufferiv";
    if (clear_color_buffer(ctx, kName, buffer, drawbuffer, value)) return;
    if (!check_ancillary(ctx, kName, buffer, GL_STENCIL, drawbuffer) || !value) return;
    ClearCall c;
    c.attachments = kStencil;
    c.stencil = uint8_t(*value);
    clear(ctx, kName, c);
}

void ClearBufferuiv(Context& ctx, GLenum buffer, GLint drawbuffer, const GLuint* value) {
    static constexpr char kName[] = "glClearBufferuiv";
    if (!clear_color_buffer(ctx, kName, buffer, drawbuffer, value))
        ctx.error(GL_INVALID_ENUM, kName, "buffer 0x%04x", buffer);
}

void ClearBufferfi(Context& ctx, GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil) {
    static constexpr char kName[] = "glClearBufferfi";
    if (!check_ancillary(ctx, kName, buffer, GL_DEPTH_STENCIL, drawbuffer)) return;
    ClearCall c;
    c.attachments = kDepth | kStencil;
    c.depth = clear_depth(ctx.render_pass->planes, depth);
    c.stencil = uint8_t(stencil);
    clear(ctx, kName, c);
}

}  // namespace terrazzo::st
