// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// BlitFramebuffer (OpenGL ES 3.0 section 4.3.3).
#include <algorithm>

#include "pipe/blit/blit.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/state/state_cache.h"

namespace terrazzo::st {

namespace {

/// Corners of the rectangles, as passed to the command.
struct Corners {
    GLint src[4], dst[4];  // x0, y0, x1, y1
};

struct Blit {
    Context& ctx;
    const char* command;
    Planes read, draw;
    int read_color = -1;  // index in read.color; -1: no colour is read
    GLbitfield mask = 0;
    GLenum filter = GL_NEAREST;

    bool fail(const char* rule) {
        ctx.error(GL_INVALID_OPERATION, command, "%s", rule);
        return false;
    }
    [[nodiscard]] bool is_drawn(uint32_t n) const {
        return draw.color[n].resource && !(draw.info.undrawn >> n & 1);
    }
};

bool same_place(const Surface& a, const Surface& b) {
    return a.resource == b.resource && a.level == b.level && a.layer == b.layer;
}

/// Formats with the same class can be blitted: fixed point and floats have one, signed and unsigned integers
/// two more.
unsigned value_class(const Surface& s) {
    const pipe::FormatInfo& f = pipe::format_info(s.layout);
    return f.is_pure_uint ? 1 : f.is_pure_sint ? 2 : 0;
}

/// Whether GL considers the formats equal. A surface of EGL may have its colours in another order.
bool same_format(const Surface& a, const Surface& b) {
    const pipe::FormatInfo &f = pipe::format_info(a.layout), &g = pipe::format_info(b.layout);
    return std::equal(a.bits, a.bits + 4, b.bits) && f.is_srgb == g.is_srgb &&
           f.channel[0].type == g.channel[0].type;
}

bool check_colors(Blit& b) {
    const Surface& from = b.read.color[size_t(b.read_color)];
    if (b.filter == GL_LINEAR && value_class(from)) return b.fail("integers are not filtered");
    for (uint32_t i = 0; i < b.draw.color_count; ++i) {
        if (!b.is_drawn(i)) continue;
        const Surface& to = b.draw.color[i];
        if (value_class(from) != value_class(to)) return b.fail("the colours are of other kinds of numbers");
        if (same_place(from, to)) return b.fail("it reads and writes one image");
        if (from.samples > 1 && !same_format(from, to))
            return b.fail("more than one sample a pixel, and the formats differ");
    }
    return true;
}

bool check_depth_stencil(Blit& b) {
    const Surface &from = b.read.depth_stencil, &to = b.draw.depth_stencil;
    if (from.layout != to.layout) return b.fail("the formats of depth or stencil differ");
    if (same_place(from, to)) return b.fail("it reads and writes one image");
    return true;
}

bool check_samples(Blit& b, const Corners& c) {
    if (b.draw.info.samples > 1) return b.fail("the draw framebuffer has more than one sample a pixel");
    if (b.read.info.samples <= 1) return true;
    for (int i = 0; i < 4; ++i)
        if (c.src[i] != c.dst[i])
            return b.fail("the read framebuffer has more than one sample a pixel, and the rectangles differ");
    return true;
}

/// The box of the surface between the corners. It is mirrored if the corners are in reverse order, or the
/// memory is top-down. False: too large for any framebuffer.
bool box(const GLint corners[4], const Surface& s, pipe::Box* out) {
    const int64_t w = int64_t(corners[2]) - corners[0], h = int64_t(corners[3]) - corners[1];
    const int64_t y = s.top_down ? int64_t(s.height) - corners[1] : corners[1];
    if (w != int32_t(w) || h != int32_t(h) || y != int32_t(y) || h == INT32_MIN) return false;
    *out = {corners[0], int32_t(y), int32_t(s.layer), int32_t(w), int32_t(s.top_down ? -h : h), 1};
    return true;
}

bool blit_plane(Blit& b, const Corners& c, const Surface& from, const Surface& to, GLbitfield what) {
    pipe::BlitInfo info;
    info.src.resource = from.resource.get();
    info.src.format = from.layout;
    info.src.level = from.level;
    info.dst.resource = to.resource.get();
    info.dst.format = b.ctx.state.framebuffer_srgb ? to.layout : pipe::format_to_linear(to.layout);
    info.dst.level = to.level;
    if (!box(c.src, from, &info.src.box) || !box(c.dst, to, &info.dst.box)) {
        b.ctx.error(GL_INVALID_VALUE, b.command, "a rectangle is larger than 2^31 pixels");
        return false;
    }
    info.filter = b.filter == GL_LINEAR ? pipe::Filter::Linear : pipe::Filter::Nearest;
    info.color = what & GL_COLOR_BUFFER_BIT;
    info.depth = what & GL_DEPTH_BUFFER_BIT;
    info.stencil = what & GL_STENCIL_BUFFER_BIT;
    const ViewportState& s = b.ctx.state.viewports[0];
    // Attachments may be larger than the framebuffer, whose size is the smallest of theirs.
    const int32_t width = int32_t(b.draw.info.width_px), height = int32_t(b.draw.info.height_px);
    info.scissored = true;
    info.scissor = {0, 0, width, height};
    if (s.scissor_test) {
        const auto clamp = [](int64_t v, int32_t most) { return int32_t(v < 0 ? 0 : v < most ? v : most); };
        info.scissor = {clamp(s.scissor[0], width), clamp(s.scissor[1], height),
                        clamp(int64_t(s.scissor[0]) + s.scissor[2], width),
                        clamp(int64_t(s.scissor[1]) + s.scissor[3], height)};
    }
    if (to.top_down) info.scissor = in_memory(info.scissor, b.draw.info);
    const pipe::BlitStatus status = pipe::blit(*b.ctx.pipe, info);
    if (status == pipe::BlitStatus::Ok) return true;
    b.ctx.out_of_memory(b.command);
    return false;
}

}  // namespace

void BlitFramebuffer(Context& ctx, GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0,
                     GLint dstY0, GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) {
    static constexpr char kName[] = "glBlitFramebuffer";
    const GLbitfield ancillary = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if (mask & ~GLbitfield(GL_COLOR_BUFFER_BIT | ancillary))
        return ctx.error(GL_INVALID_VALUE, kName, "mask 0x%x", mask);
    if (filter != GL_NEAREST && filter != GL_LINEAR)
        return ctx.error(GL_INVALID_ENUM, kName, "filter 0x%04x", filter);
    if ((mask & ancillary) && filter == GL_LINEAR)
        return ctx.error(GL_INVALID_OPERATION, kName, "depth and stencil are not filtered");
    Blit b{ctx, kName, {}, {}};
    if (!resolve_draw_planes(ctx, kName) || !resolve_read_planes(ctx, kName, &b.read)) return;
    b.draw = ctx.render_pass->planes;
    b.filter = filter;
    const Corners c = {{srcX0, srcY0, srcX1, srcY1}, {dstX0, dstY0, dstX1, dstY1}};
    const Framebuffer* const fb = ctx.read_framebuffer.get();
    b.read_color = fb ? fb->read_buffer : ctx.state.default_read_buffer ? 0 : -1;
    if (b.read_color >= 0 && !b.read.color[size_t(b.read_color)].resource) b.read_color = -1;
    // A buffer that only one of the framebuffers has is ignored.
    b.mask = mask;
    if (b.read_color < 0) b.mask &= ~GLbitfield(GL_COLOR_BUFFER_BIT);
    if (!b.read.has_depth || !b.draw.has_depth) b.mask &= ~GLbitfield(GL_DEPTH_BUFFER_BIT);
    if (!b.read.has_stencil || !b.draw.has_stencil) b.mask &= ~GLbitfield(GL_STENCIL_BUFFER_BIT);
    if (!check_samples(b, c)) return;
    if ((b.mask & GL_COLOR_BUFFER_BIT) && !check_colors(b)) return;
    if ((b.mask & ancillary) && !check_depth_stencil(b)) return;
    end_rendering(ctx);
    for (uint32_t i = 0; (b.mask & GL_COLOR_BUFFER_BIT) && i < b.draw.color_count; ++i)
        if (b.is_drawn(i) &&
            !blit_plane(b, c, b.read.color[size_t(b.read_color)], b.draw.color[i], GL_COLOR_BUFFER_BIT))
            return;
    if (b.mask & ancillary)
        (void)blit_plane(b, c, b.read.depth_stencil, b.draw.depth_stencil, b.mask & ancillary);
}

}  // namespace terrazzo::st
