// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/render_pass.h"

#include <algorithm>

namespace terrazzo::st {

using namespace pipe::attachment_bit;

namespace {

/// The current buffers of a surface. Null: they could not be acquired.
const Drawable::Buffers* acquire(DrawableCache& cache, const pipe::Ref<Drawable>& drawable) {
    if (cache.drawable == drawable && cache.stamp == drawable->stamp && cache.buffers.color)
        return &cache.buffers;
    Drawable::Buffers buffers;
    if (!drawable->acquire(&buffers) || !buffers.color) return nullptr;
    cache.drawable = drawable;
    cache.stamp = drawable->stamp;  // acquire() may have changed it
    cache.buffers = std::move(buffers);
    return &cache.buffers;
}

FramebufferInfo drawable_info(const Drawable& d) {
    FramebufferInfo i;
    i.samples = d.samples;
    i.depth_bits = d.depth_bits;
    i.stencil_bits = d.stencil_bits;
    i.color_bits[0] = d.red_bits;
    i.color_bits[1] = d.green_bits;
    i.color_bits[2] = d.blue_bits;
    i.color_bits[3] = d.alpha_bits;
    i.is_default = true;
    i.top_down = d.top_down;
    return i;
}

Surface drawable_color(const Drawable& d, const Drawable::Buffers& b) {
    Surface s{b.color, d.color_format, 0, 0, b.width_px, b.height_px, d.samples};
    s.top_down = d.top_down;
    const uint8_t bits[4] = {d.red_bits, d.green_bits, d.blue_bits, d.alpha_bits};
    std::copy_n(bits, 4, s.bits);
    if (s.layout == pipe::Format::None) s.layout = b.color->desc.format;
    if (!d.alpha_bits) s.layout = opaque_format(s.layout);  // reads alpha as 1
    return s;
}

/// The planes of a surface. `drawn`: its colour is drawn to. False: its buffers could not be acquired.
bool default_planes(DrawableCache& cache, const pipe::Ref<Drawable>& drawable, bool drawn, Planes* out) {
    Drawable& d = *drawable;
    const Drawable::Buffers* b = acquire(cache, drawable);
    if (!b) return false;
    Planes p;
    p.color[0] = drawable_color(d, *b);
    p.color_count = 1;
    p.info = drawable_info(d);
    p.info.width_px = b->width_px;
    p.info.height_px = b->height_px;
    p.info.undrawn = drawn ? 0 : 1;
    if (b->depth_stencil) {
        const pipe::Format f = b->depth_stencil->desc.format;
        p.depth_stencil = {b->depth_stencil, f, 0, 0, b->width_px, b->height_px, d.samples};
        p.depth_stencil.top_down = d.top_down;
        p.has_depth = d.depth_bits && pipe::format_info(f).has_depth;
        p.has_stencil = d.stencil_bits && pipe::format_info(f).has_stencil;
    }
    if (!p.has_depth) p.info.depth_bits = 0;
    if (!p.has_stencil) p.info.stencil_bits = 0;
    *out = std::move(p);
    return true;
}

/// `srgb`: sRGB colours are decoded when read and encoded when written (GL_FRAMEBUFFER_SRGB).
pipe::Attachment attachment(const Surface& s, bool srgb) {
    pipe::Attachment a;
    a.resource = s.resource.get();
    if (!a.resource) return a;
    a.format = srgb ? s.format() : pipe::format_to_linear(s.format());
    a.level = s.level;
    a.first_layer = s.layer;
    a.layer_count = s.layers;
    a.samples = s.samples;
    return a;
}

/// The part of the surface that the frame draws to, with rows counted as in memory.
pipe::Scissor damaged(const Drawable& d, const FramebufferInfo& i) {
    pipe::Scissor s = d.damage;
    if (!i.top_down || s == pipe::kEverywhere) return s;
    const int32_t height = int32_t(i.height_px);
    const int32_t top = std::min(s.y1, height);
    return {s.x0, height - top, s.x1, height - std::min(s.y0, top)};
}

void open_pass(Context& ctx) {
    Context::RenderPass& rp = *ctx.render_pass;
    auto load = [&](uint32_t bit) {
        return rp.clears & bit      ? pipe::LoadOp::Clear
               : rp.undefined & bit ? pipe::LoadOp::DontCare
                                    : pipe::LoadOp::Load;
    };
    pipe::RenderPassDesc d;
    d.color_count = rp.planes.color_count;
    for (uint32_t i = 0; i < d.color_count; ++i) {
        d.color[i] = attachment(rp.planes.color[i], ctx.state.framebuffer_srgb);
        d.color[i].load = load(kColor0 << i);
        d.clear_color[i] = rp.color[i];
    }
    // An aspect that the format has and the framebuffer lacks (only the depth of a packed image is attached)
    // is kept.
    d.depth_stencil = attachment(rp.planes.depth_stencil, true);
    if (rp.planes.has_depth) d.depth_stencil.load = load(kDepth);
    if (rp.planes.has_stencil) d.stencil_load = load(kStencil);
    d.clear_depth = rp.depth;
    d.clear_stencil = rp.stencil;
    // A pass has at least one pixel. A surface of no size has storage of one, which is never read.
    d.width = std::max(rp.planes.info.width_px, 1u);
    d.height = std::max(rp.planes.info.height_px, 1u);
    d.samples = std::max<uint32_t>(rp.planes.info.samples, 1);
    d.layers = rp.planes.layers;
    if (rp.planes.info.is_default && rp.draw.drawable) d.area = damaged(*rp.draw.drawable, rp.planes.info);
    ctx.pipe->begin_render_pass(d);
    rp.open = true;
    rp.clears = rp.undefined = rp.discards = 0;
}

void forget(Context::RenderPass& rp) {
    rp.open = rp.resolved = false;
    rp.clears = rp.undefined = rp.discards = 0;
    rp.planes = {};
}

}  // namespace

uint32_t present_attachments(const Planes& p) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < p.color_count; ++i)
        if (p.color[i].resource) bits |= kColor0 << i;
    return bits | (p.has_depth ? kDepth : 0) | (p.has_stencil ? kStencil : 0);
}

void init_framebuffers(Context& ctx) {
    ctx.render_pass = {new Context::RenderPass, [](Context::RenderPass* p) { delete p; }};
}

bool resolve_draw_planes(Context& ctx, const char* command) {
    Context::RenderPass& rp = *ctx.render_pass;
    if (rp.resolved) return true;
    if (ctx.framebuffer) {
        std::lock_guard lock(ctx.share->mutex);
        const GLenum status = framebuffer_status(ctx, *ctx.framebuffer, &rp.planes);
        if (status != GL_FRAMEBUFFER_COMPLETE) {
            ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, command, "framebuffer %u is %s",
                      ctx.framebuffer->name, status_name(status));
            return false;
        }
    } else if (!ctx.draw_drawable) {
        ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, command, "the default framebuffer is %s",
                  status_name(GL_FRAMEBUFFER_UNDEFINED_OES));
        return false;
    } else {
        if (!default_planes(rp.draw, ctx.draw_drawable, ctx.state.default_draw_buffers & 1, &rp.planes)) {
            ctx.error(GL_OUT_OF_MEMORY, command, "the surface's buffers could not be had");
            return false;
        }
        if (rp.draw.fresh) rp.undefined |= kDepth | kStencil;
        rp.draw.fresh = false;
    }
    rp.resolved = true;
    const FramebufferInfo &now = rp.planes.info, &last = rp.last_info;
    if (!(now == last)) ctx.dirty |= dirty::kFramebuffer;
    // All state with a position or direction must be sent again, since the image is flipped.
    if (now.top_down != last.top_down || (now.top_down && now.height_px != last.height_px))
        ctx.dirty |= dirty::kViewport | dirty::kScissor | dirty::kRaster | dirty::kUniforms;
    rp.last_info = rp.planes.info;
    return true;
}

bool begin_rendering(Context& ctx, const char* command) {
    Context::RenderPass& rp = *ctx.render_pass;
    if (!rp.open) {
        if (!resolve_draw_planes(ctx, command)) return false;
        open_pass(ctx);
    }
    rp.discards = 0;  // subsequent work draws to them again
    return true;
}

void end_rendering(Context& ctx) {
    if (!ctx.render_pass) return;
    Context::RenderPass& rp = *ctx.render_pass;
    if (!rp.resolved) return;
    if (!rp.open && rp.clears) open_pass(ctx);
    if (rp.open) {
        if (rp.discards) ctx.pipe->discard_attachments(rp.discards);
        ctx.pipe->end_render_pass();
    }
    forget(rp);
}

void drop_rendering(Context& ctx) {
    forget(*ctx.render_pass);
}

void end_frame(Context& ctx) {
    Context::RenderPass& rp = *ctx.render_pass;
    if (rp.resolved && rp.planes.info.is_default) {
        const uint32_t ancillary = present_attachments(rp.planes) & (kDepth | kStencil);
        rp.clears &= ~ancillary;
        if (rp.open) rp.discards |= ancillary;
    }
    end_rendering(ctx);
    rp.draw.fresh = true;
}

void drawables_changed(Context& ctx) {
    Context::RenderPass& rp = *ctx.render_pass;
    if (!(rp.draw.drawable == ctx.draw_drawable)) rp.draw = {};
    if (!(rp.read.drawable == ctx.read_drawable)) rp.read = {};
}

const FramebufferInfo& rendering_info(const Context& ctx) {
    return ctx.render_pass->planes.info;
}

FramebufferInfo bound_framebuffer_info(Context& ctx) {
    const Context::RenderPass& rp = *ctx.render_pass;
    if (rp.resolved) return rp.planes.info;
    if (ctx.framebuffer) {
        std::lock_guard lock(ctx.share->mutex);
        Planes p;
        return framebuffer_status(ctx, *ctx.framebuffer, &p) == GL_FRAMEBUFFER_COMPLETE ? p.info
                                                                                        : FramebufferInfo{};
    }
    return ctx.draw_drawable ? drawable_info(*ctx.draw_drawable) : FramebufferInfo{};
}

void before_cpu_access(Context& ctx, pipe::Resource& r) {
    const Context::RenderPass& rp = *ctx.render_pass;
    if (!rp.resolved) return;
    // Maps and copies must happen outside passes. If no pass is open, only pending clears of this resource
    // matter.
    bool used = rp.open || rp.planes.depth_stencil.resource.get() == &r;
    for (uint32_t i = 0; i < rp.planes.color_count && !used; ++i)
        used = rp.planes.color[i].resource.get() == &r;
    if (used) end_rendering(ctx);
}

bool resolve_read_planes(Context& ctx, const char* command, Planes* out) {
    if (Framebuffer* fb = ctx.read_framebuffer.get()) {
        std::lock_guard lock(ctx.share->mutex);
        const GLenum status = framebuffer_status(ctx, *fb, out);
        if (status != GL_FRAMEBUFFER_COMPLETE)
            ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, command, "framebuffer %u is %s", fb->name,
                      status_name(status));
        else if (out->info.views > 1)
            ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, command, "framebuffer %u has %u views, and is read",
                      fb->name, unsigned(out->info.views));
        else
            return true;
        return false;
    }
    if (!ctx.read_drawable) {
        ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, command, "the default framebuffer is %s",
                  status_name(GL_FRAMEBUFFER_UNDEFINED_OES));
        return false;
    }
    DrawableCache& cache =
        ctx.read_drawable == ctx.draw_drawable ? ctx.render_pass->draw : ctx.render_pass->read;
    if (default_planes(cache, ctx.read_drawable, true, out)) return true;
    ctx.error(GL_OUT_OF_MEMORY, command, "the surface's buffers could not be had");
    return false;
}

bool resolve_read_plane(Context& ctx, const char* command, Surface* out) {
    Planes p;
    if (!resolve_read_planes(ctx, command, &p)) return false;
    const Framebuffer* const fb = ctx.read_framebuffer.get();
    const int n = fb ? fb->read_buffer : ctx.state.default_read_buffer ? 0 : -1;
    if (n < 0 || !p.color[size_t(n)].resource) {
        ctx.error(GL_INVALID_OPERATION, command, "framebuffer %u has no colour attachment to read",
                  fb ? fb->name : 0);
        return false;
    }
    if (fb && ctx.config.version >= 30 && p.color[size_t(n)].samples > 1 &&
        !p.color[size_t(n)].implicit_resolve) {
        ctx.error(GL_INVALID_OPERATION, command, "framebuffer %u has more than one sample a pixel", fb->name);
        return false;
    }
    *out = std::move(p.color[size_t(n)]);
    before_cpu_access(ctx, *out->resource);
    return true;
}

}  // namespace terrazzo::st
