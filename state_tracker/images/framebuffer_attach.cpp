// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments of framebuffer objects (OpenGL ES 2.0 sections 4.4.3 and 4.4.4, ES 3.0 section 4.4.2), and the
// selection of the colours that are drawn to and read (ES 3.0 sections 4.2.1 and 4.3.1; EXT_draw_buffers,
// NV_draw_buffers).
#include <algorithm>
#include <bit>

#include "shaders/ir/limits.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

namespace {

/// The framebuffer and the attachment points of an attaching command.
struct Points {
    Framebuffer* framebuffer = nullptr;  // null: the error is recorded
    AttachmentPoint* first = nullptr;
    AttachmentPoint* second = nullptr;  // the stencil of DEPTH_STENCIL_ATTACHMENT; otherwise null
};

Points attachment_points(Context& ctx, const char* command, GLenum target, GLenum attachment) {
    const bool es3 = ctx.config.version >= 30;
    if (!is_framebuffer_target(ctx, target)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return {};
    }
    Framebuffer* fb = bound_framebuffer(ctx, target);
    const GLenum n = attachment - GL_COLOR_ATTACHMENT0;
    const bool is_color = attachment >= GL_COLOR_ATTACHMENT0 && n < GLenum(ctx.limits.max_color_attachments);
    const bool both = es3 && attachment == GL_DEPTH_STENCIL_ATTACHMENT;
    if (!is_color && !both && attachment != GL_DEPTH_ATTACHMENT && attachment != GL_STENCIL_ATTACHMENT) {
        // OpenGL ES 3.0 names 32 points, and has another error for those beyond the implementation's limit.
        const bool beyond = es3 && attachment >= GL_COLOR_ATTACHMENT0 && n < 32;
        ctx.error(beyond ? GL_INVALID_OPERATION : GL_INVALID_ENUM, command, "attachment 0x%04x", attachment);
        return {};
    }
    if (!fb) {
        ctx.error(GL_INVALID_OPERATION, command, "the default framebuffer is bound");
        return {};
    }
    if (is_color) return {fb, &fb->color[n], nullptr};
    if (both) return {fb, &fb->depth, &fb->stencil};
    return {fb, attachment == GL_DEPTH_ATTACHMENT ? &fb->depth : &fb->stencil, nullptr};
}

void attach(Context& ctx, const Points& points, AttachmentPoint&& what) {
    end_rendering(ctx);
    if (points.second) *points.second = what;
    *points.first = std::move(what);
    ctx.dirty |= dirty::kFramebuffer;
}

/// The texture with this name (not 0), after a check of the level. False: the error is recorded; it is
/// `unknown` if there is no such texture.
bool find_level(Context& ctx, const char* command, GLuint name, GLint level, GLenum unknown,
                AttachmentPoint* out) {
    out->texture = pipe::Ref<Texture>(ctx.share->textures.find(name));
    if (!out->texture) {
        ctx.error(unknown, command, "%u is not a texture", name);
        return false;
    }
    const uint32_t max = max_size_px(ctx, out->texture->target);
    const uint32_t levels = out->texture->is_multisample() ? 1 : full_level_count(max, max);
    if (level < 0 || uint32_t(level) >= levels) {
        ctx.error(GL_INVALID_VALUE, command, "level %d; levels are 0 to %u", level, levels - 1);
        return false;
    }
    out->level = uint32_t(level);
    return true;
}

/// Checks the texture's target. False: the error is recorded.
bool has_target(Context& ctx, const char* command, const Texture& t, TextureTarget wanted, GLenum textarget) {
    if (t.target == wanted) return true;
    ctx.error(GL_INVALID_OPERATION, command, "texture %u does not have textarget 0x%04x", t.name, textarget);
    return false;
}

/// Checks and selects a layer. False: the error is recorded.
bool select_layer(Context& ctx, const char* command, GLint layer, AttachmentPoint* what) {
    const uint32_t layers = max_depth(ctx, what->texture->target, 0);
    if (layer < 0 || uint32_t(layer) >= layers) {
        ctx.error(GL_INVALID_VALUE, command, "layer %d; layers are 0 to %u", layer, layers - 1);
        return false;
    }
    what->layer = uint32_t(layer);
    what->layered = true;
    return true;
}

/// Attaches a level of a texture, or nothing if `texture` is 0. `select` sets which part of the level the
/// AttachmentPoint has; it returns false if it recorded an error.
template <class Select>
void attach_texture(Context& ctx, const char* command, GLenum target, GLenum attachment, GLuint texture,
                    GLint level, Select&& select, GLenum unknown = GL_INVALID_OPERATION) {
    const Points points = attachment_points(ctx, command, target, attachment);
    if (!points.framebuffer) return;
    AttachmentPoint what;
    if (texture) {
        std::lock_guard lock(ctx.share->mutex);
        if (!find_level(ctx, command, texture, level, unknown, &what) || !select(what)) return;
    }
    attach(ctx, points, std::move(what));
}

}  // namespace

void FramebufferRenderbuffer(Context& ctx, GLenum target, GLenum attachment, GLenum renderbuffertarget,
                             GLuint renderbuffer) {
    static constexpr char kName[] = "glFramebufferRenderbuffer";
    if (is_framebuffer_target(ctx, target) && renderbuffertarget != GL_RENDERBUFFER && renderbuffer)
        return ctx.error(GL_INVALID_ENUM, kName, "renderbuffertarget 0x%04x", renderbuffertarget);
    const Points points = attachment_points(ctx, kName, target, attachment);
    if (!points.framebuffer) return;
    AttachmentPoint what;
    if (renderbuffer) {
        std::lock_guard lock(ctx.share->mutex);
        what.renderbuffer = pipe::Ref<Renderbuffer>(ctx.share->renderbuffers.find(renderbuffer));
        if (!what.renderbuffer)
            return ctx.error(GL_INVALID_OPERATION, kName, "%u is not a renderbuffer", renderbuffer);
    }
    attach(ctx, points, std::move(what));
}

void FramebufferTexture2D(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                          GLint level) {
    static constexpr char kName[] = "glFramebufferTexture2D";
    ImageTarget it{};
    const bool multisample = textarget == GL_TEXTURE_2D_MULTISAMPLE && ctx.config.version >= 31;
    if (multisample) it = {TextureTarget::Tex2DMS, 0};
    if (is_framebuffer_target(ctx, target) && texture && !multisample &&
        !image_target(ctx, textarget, 2, &it))
        return ctx.error(GL_INVALID_ENUM, kName, "textarget 0x%04x", textarget);
    attach_texture(ctx, kName, target, attachment, texture, level, [&](AttachmentPoint& what) {
        if (!has_target(ctx, kName, *what.texture, it.target, textarget)) return false;
        what.face = it.face;
        return true;
    });
}

/// EXT_multisampled_render_to_texture: the framebuffer has `samples` per pixel, and is resolved to the
/// texture, which has one.
void FramebufferTexture2DMultisampleEXT(Context& ctx, GLenum target, GLenum attachment, GLenum textarget,
                                        GLuint texture, GLint level, GLsizei samples) {
    static constexpr char kName[] = "glFramebufferTexture2DMultisampleEXT";
    ImageTarget it{};
    if (is_framebuffer_target(ctx, target)) {
        if (attachment != GL_COLOR_ATTACHMENT0)
            return ctx.error(GL_INVALID_ENUM, kName, "attachment 0x%04x is not GL_COLOR_ATTACHMENT0",
                             attachment);
        if (texture && !image_target(ctx, textarget, 2, &it))
            return ctx.error(GL_INVALID_ENUM, kName, "textarget 0x%04x", textarget);
        if (samples < 0 || samples > ctx.limits.max_samples)
            return ctx.error(GL_INVALID_VALUE, kName, "%d samples; at most %d", samples,
                             ctx.limits.max_samples);
    }
    attach_texture(ctx, kName, target, attachment, texture, level, [&](AttachmentPoint& what) {
        if (!has_target(ctx, kName, *what.texture, it.target, textarget)) return false;
        what.face = it.face;
        if (!samples) return true;
        what.samples = std::bit_ceil(std::max(2u, uint32_t(samples)));
        const TextureImage* const i = what.texture->image(what.face, what.level);
        if (!i || !i->format || what.samples <= max_samples(ctx, *i->format)) return true;
        ctx.error(GL_INVALID_OPERATION, kName, "%d samples of texture %u, whose format has at most %u",
                  samples, texture, max_samples(ctx, *i->format));
        return false;
    });
}

/// OES_texture_3D: attaches one slice.
void FramebufferTexture3D(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                          GLint level, GLint zoffset) {
    static constexpr char kName[] = "glFramebufferTexture3DOES";
    if (is_framebuffer_target(ctx, target) && texture && textarget != GL_TEXTURE_3D)
        return ctx.error(GL_INVALID_OPERATION, kName, "textarget 0x%04x", textarget);
    attach_texture(ctx, kName, target, attachment, texture, level, [&](AttachmentPoint& what) {
        return has_target(ctx, kName, *what.texture, TextureTarget::Tex3D, textarget) &&
               select_layer(ctx, kName, zoffset, &what);
    });
}

void FramebufferTextureLayer(Context& ctx, GLenum target, GLenum attachment, GLuint texture, GLint level,
                             GLint layer) {
    static constexpr char kName[] = "glFramebufferTextureLayer";
    attach_texture(ctx, kName, target, attachment, texture, level, [&](AttachmentPoint& what) {
        const TextureTarget tt = what.texture->target;
        if (tt != TextureTarget::Tex3D && tt != TextureTarget::Tex2DArray && tt != TextureTarget::CubeArray &&
            tt != TextureTarget::Tex2DMSArray)
            return ctx.error(GL_INVALID_OPERATION, kName, "texture %u has no layers", texture), false;
        return select_layer(ctx, kName, layer, &what);
    });
}

/// OVR_multiview: attaches consecutive layers, one per view.
void FramebufferTextureMultiview(Context& ctx, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                 GLint baseViewIndex, GLsizei numViews) {
    static constexpr char kName[] = "glFramebufferTextureMultiviewOVR";
    if (is_framebuffer_target(ctx, target) && (numViews < 1 || numViews > GLsizei(ir::kMaxViews)))
        return ctx.error(GL_INVALID_VALUE, kName, "numViews %d; at least 1, at most %u", numViews,
                         ir::kMaxViews);
    attach_texture(ctx, kName, target, attachment, texture, level, [&](AttachmentPoint& what) {
        if (what.texture->target != TextureTarget::Tex2DArray)
            return ctx.error(GL_INVALID_OPERATION, kName, "texture %u is no two-dimensional array", texture),
                   false;
        const uint32_t layers = max_depth(ctx, TextureTarget::Tex2DArray, 0);
        if (baseViewIndex < 0 || uint64_t(baseViewIndex) + uint32_t(numViews) > layers)
            return ctx.error(GL_INVALID_VALUE, kName, "views %d to %lld; layers are 0 to %u", baseViewIndex,
                             static_cast<long long>(baseViewIndex) + numViews - 1, layers - 1),
                   false;
        what.layer = uint32_t(baseViewIndex);
        what.layered = true;
        what.views = uint8_t(numViews);
        return true;
    });
}

/// Attaches a whole level: all its layers if it has some (OpenGL ES 3.2 section 9.2.8).
void FramebufferTexture(Context& ctx, GLenum target, GLenum attachment, GLuint texture, GLint level) {
    static constexpr char kName[] = "glFramebufferTexture";
    const auto select = [&](AttachmentPoint& what) {
        const Texture& t = *what.texture;
        if (t.target == TextureTarget::Buffer)
            return ctx.error(GL_INVALID_OPERATION, kName, "texture %u is a buffer's texels", texture), false;
        if (t.immutable && what.level >= t.immutable_levels)
            return ctx.error(GL_INVALID_VALUE, kName, "level %d of texture %u, which has %u", level, texture,
                             t.immutable_levels),
                   false;
        what.whole = t.target != TextureTarget::Tex2D && t.target != TextureTarget::Tex2DMS;
        return true;
    };
    attach_texture(ctx, kName, target, attachment, texture, level, select, GL_INVALID_VALUE);
}

GLenum draw_buffer(const Context& ctx, unsigned n) {
    const unsigned mask = ctx.framebuffer ? ctx.framebuffer->draw_buffers : ctx.state.default_draw_buffers;
    if (!(mask >> n & 1)) return GL_NONE;
    return ctx.framebuffer ? GL_COLOR_ATTACHMENT0 + n : GL_BACK;
}

GLenum read_buffer(const Context& ctx) {
    if (!ctx.read_framebuffer) return ctx.state.default_read_buffer ? GL_BACK : GL_NONE;
    const int n = ctx.read_framebuffer->read_buffer;
    return n < 0 ? GL_NONE : GLenum(GL_COLOR_ATTACHMENT0 + n);
}

void DrawBuffers(Context& ctx, GLsizei n, const GLenum* bufs) {
    static constexpr char kName[] = "glDrawBuffers";
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

void ReadBuffer(Context& ctx, GLenum src) {
    static constexpr char kName[] = "glReadBuffer";
    const GLenum n = src - GL_COLOR_ATTACHMENT0;
    const bool is_color = src >= GL_COLOR_ATTACHMENT0 && n < 32;
    if (src != GL_NONE && src != GL_BACK && !is_color)
        return ctx.error(GL_INVALID_ENUM, kName, "buffer 0x%04x", src);
    Framebuffer* fb = ctx.read_framebuffer.get();
    if (src != GL_NONE && (fb ? !is_color || n >= GLenum(ctx.limits.max_color_attachments) : is_color))
        return ctx.error(GL_INVALID_OPERATION, kName, "framebuffer %u has no buffer 0x%04x",
                         fb ? fb->name : 0, src);
    if (fb)
        fb->read_buffer = src == GL_NONE ? int8_t(-1) : int8_t(n);
    else
        ctx.state.default_read_buffer = src != GL_NONE;
}

}  // namespace terrazzo::st
