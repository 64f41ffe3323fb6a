// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Framebuffer completeness (OpenGL ES 2.0 section 4.4.5), and the planes of a complete framebuffer.
#include <algorithm>
#include <bit>

#include "state_tracker/images/framebuffer.h"

namespace terrazzo::st {

namespace {

enum class Aspect : uint8_t { Color, Depth, Stencil };

/// An attachment, prepared for the rules.
struct Attached {
    Surface surface;
    const InternalFormat* format = nullptr;
    bool unsized = false;  // the image was defined with an unsized name
    bool fixed_sample_locations = true;
};

Attached look(const Context& ctx, const AttachmentPoint& a) {
    Attached r;
    if (a.renderbuffer) {
        const Renderbuffer& rb = *a.renderbuffer;
        r.format = rb.format;
        r.surface = {rb.resource, rb.layout, rb.level, rb.layer, rb.width, rb.height, rb.samples};
        r.surface.implicit_resolve = rb.implicit_resolve;
    } else if (const TextureImage* i = a.texture->image(a.face, a.level)) {
        r.format = i->format;
        r.fixed_sample_locations = a.texture->fixed_sample_locations;
        r.unsized = i->format && i->internal_format == i->format->base;
        const uint32_t faces = a.texture->target == TextureTarget::Cube ? 6 : i->depth;
        const uint32_t layers = a.whole ? faces : std::max<uint32_t>(a.views, 1);
        r.surface = {i->resource, i->layout, i->level,           i->layer + a.layer,
                     i->width,    i->height, a.texture->samples, layers};
        r.surface.seen_as = i->seen_as;
        if (a.samples) {
            const uint32_t samples = i->format ? least_samples(ctx, *i->format, a.samples) : 0;
            r.surface.samples = samples ? samples : a.samples;
            r.surface.implicit_resolve = true;
        }
        if (a.layer >= i->depth || (a.views && a.views > i->depth - a.layer))
            r.surface.resource = nullptr;  // the image has no such layer
    }
    r.surface.named = r.format;
    if (!r.format || !r.surface.resource) return r;
    for (unsigned c = 0; c < 4; ++c)
        r.surface.bits[c] =
            r.format->has_component(c) ? uint8_t(pipe::format_info(r.surface.layout).component_bits(c)) : 0;
    return r;
}

/// OpenGL ES 3.0 section 4.4.4: the level of a texture that is not immutable must lie between its base level
/// and its maximum level, and a level after the first must belong to a complete chain.
bool level_complete(const Context& ctx, const AttachmentPoint& a) {
    if (ctx.config.version < 30 || !a.texture || a.texture->immutable) return true;
    const Texture& t = *a.texture;
    const uint32_t first = t.first_level();
    if (t.target == TextureTarget::Cube && !cube_complete(t, first)) return false;
    if (a.level == first) return true;
    const Completeness c = texture_completeness(t, true);
    return c.complete && a.level > first && a.level - first < c.levels;
}

/// Float formats that are renderable with EXT_color_buffer_float only. EXT_color_buffer_half_float also
/// accepts unsized textures, those of OES_texture_half_float.
bool only_sized_float(const InternalFormat& f) {
    return f.has(format_flag::kColorFloat) && !f.has(format_flag::kColorHalf);
}

/// The rules of attachment completeness.
bool attachment_complete(const Context& ctx, const Attached& a, Aspect aspect) {
    if (!a.format || !a.surface.resource) return false;  // no image, or one of size 0
    if (a.surface.implicit_resolve && a.surface.samples > max_samples(ctx, *a.format)) return false;
    const uint32_t bind = a.surface.resource->desc.bind;
    switch (aspect) {
        case Aspect::Color:
            // Formats that OpenGL ES 3.0 or EXT_color_buffer_float made renderable need a sized name
            // (EXT_texture_type_2_10_10_10_REV).
            return color_renderable(ctx, *a.format) && (bind & pipe::bind::kColor) &&
                   !(a.unsized && (a.format->has(format_flag::kColor30) || only_sized_float(*a.format)));
        case Aspect::Depth:
            return a.format->has(format_flag::kDepth) && (bind & pipe::bind::kDepthStencil);
        case Aspect::Stencil:
            return a.format->has(format_flag::kStencil) && (bind & pipe::bind::kDepthStencil);
    }
    return false;
}

struct Checker {
    const Context& ctx;
    bool any = false, same_size = true, same_samples = true, fixed = true, complete = true;
    uint32_t width = 0, height = 0, samples = 0;  // sizes: the smallest of all attachments
    uint32_t layers = 1;
    bool layered = false, same_layering = true, implicit_resolve = false;
    TextureTarget layer_target = TextureTarget::Tex2D;
    uint8_t views = 0;
    bool same_views = true;
    Attached check(const AttachmentPoint& a, Aspect aspect) {
        if (a.empty()) return {};
        Attached r = look(ctx, a);
        complete = complete && attachment_complete(ctx, r, aspect) && level_complete(ctx, a);
        const TextureTarget target = a.whole ? a.texture->target : TextureTarget::Tex2D;
        same_layering = same_layering && (!any || (layered == a.whole && layer_target == target));
        layers = any ? std::min(layers, r.surface.layers) : r.surface.layers;
        layered = a.whole;
        same_views = same_views && (!any || views == a.views);
        views = a.views;
        layer_target = target;
        if (any) {
            same_size = same_size && r.surface.width == width && r.surface.height == height;
            // OpenGL ES 3.1 section 9.4.2: renderbuffers count as having fixed sample locations.
            same_samples = same_samples && r.surface.samples == samples &&
                           r.fixed_sample_locations == fixed &&
                           r.surface.implicit_resolve == implicit_resolve;
            width = std::min(width, r.surface.width);
            height = std::min(height, r.surface.height);
        } else {
            any = true;
            width = r.surface.width;
            height = r.surface.height;
            samples = r.surface.samples;
            fixed = r.fixed_sample_locations;
            implicit_resolve = r.surface.implicit_resolve;
        }
        return r;
    }
};

/// OpenGL ES 3.1 section 9.2.1: such framebuffers have parameters for their sizes.
GLenum without_attachments(const Context& ctx, const Framebuffer& fb, Planes* out) {
    if (ctx.config.version < 31 || !fb.defaults.width || !fb.defaults.height)
        return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    Planes p;
    p.info.width_px = uint32_t(fb.defaults.width);
    p.info.height_px = uint32_t(fb.defaults.height);
    const auto samples = uint32_t(std::clamp(fb.defaults.samples, 1, ctx.limits.max_samples));
    p.info.samples = std::min(std::bit_ceil(samples), uint32_t(ctx.limits.max_samples));
    p.layers = uint32_t(std::max(1, fb.defaults.layers));
    p.info.top_down = fb.flip_y;
    if (out) *out = std::move(p);
    return GL_FRAMEBUFFER_COMPLETE;
}

}  // namespace

/// MESA_framebuffer_flip_y: counts rows from the last one that all attachments have.
static void turn_over(Planes* p) {
    p->info.top_down = true;
    const auto turn = [&](Surface& s) {
        s.top_down = true;
        s.height = p->info.height_px;
    };
    std::for_each_n(p->color.begin(), p->color_count, turn);
    turn(p->depth_stencil);
}

GLenum framebuffer_status(const Context& ctx, const Framebuffer& fb, Planes* out) {
    Checker checker{ctx};
    Planes p;
    for (unsigned i = 0; i < kMaxColorAttachments; ++i) {
        p.color[i] = checker.check(fb.color[i], Aspect::Color).surface;
        if (p.color[i].resource) p.color_count = i + 1;
    }
    const Surface depth = checker.check(fb.depth, Aspect::Depth).surface;
    const Surface stencil = checker.check(fb.stencil, Aspect::Stencil).surface;
    if (!checker.complete) return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    if (!checker.any) return without_attachments(ctx, fb, out);
    if (!checker.same_size && ctx.config.version < 30) return GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
    if (!checker.same_samples) return GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
    if (!checker.same_views) return GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR;
    if (!checker.same_layering) return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS;
    // The pipe has one depth-stencil attachment: depth and stencil must be one image.
    if (depth.resource && stencil.resource &&
        (!(depth.resource == stencil.resource) || depth.level != stencil.level ||
         depth.layer != stencil.layer))
        return GL_FRAMEBUFFER_UNSUPPORTED;
    if (!out) return GL_FRAMEBUFFER_COMPLETE;
    p.has_depth = bool(depth.resource);
    p.has_stencil = bool(stencil.resource);
    p.depth_stencil = depth.resource ? depth : stencil;
    p.info.width_px = checker.width;
    p.info.height_px = checker.height;
    p.info.samples = checker.samples;
    p.layers = checker.layers;
    p.info.views = checker.views;
    if (fb.flip_y) turn_over(&p);
    if (p.has_depth) p.info.depth_bits = uint8_t(pipe::format_info(depth.layout).depth_bits());
    if (p.has_stencil) p.info.stencil_bits = uint8_t(pipe::format_info(stencil.layout).stencil_bits());
    std::copy_n(p.color[0].bits, 4, p.info.color_bits);
    for (unsigned i = 0; i < p.color_count; ++i)
        if (p.color[i].resource && !(fb.draw_buffers >> i & 1)) p.info.undrawn |= uint8_t(1u << i);
    *out = std::move(p);
    return GL_FRAMEBUFFER_COMPLETE;
}

const char* status_name(GLenum status) {
    switch (status) {
        case GL_FRAMEBUFFER_COMPLETE:
            return "complete";
        case GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT:
            return "incomplete: an attachment has no image, or one that cannot be rendered to";
        case GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT:
            return "incomplete: nothing is attached";
        case GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS:
            return "incomplete: its attachments differ in size";
        case GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE:
            return "incomplete: its attachments differ in samples";
        case GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS:
            return "incomplete: not all attachments have layers, or they are of different kinds";
        case GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR:
            return "incomplete: its attachments differ in views";
        case GL_FRAMEBUFFER_UNSUPPORTED:
            return "unsupported: depth and stencil are different images";
        case GL_FRAMEBUFFER_UNDEFINED_OES:
            return "undefined: no surface is current";
        default:
            return "incomplete";
    }
}

}  // namespace terrazzo::st
