// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GetFramebufferAttachmentParameteriv (OpenGL ES 2.0 section 6.1.3, ES 3.0 section 6.1.13).
#include "state_tracker/context/limits.h"
#include "state_tracker/images/framebuffer.h"

namespace terrazzo::st {

namespace {

enum class Aspect : uint8_t { Color, Depth, Stencil };

/// An attachment, prepared for queries, of an object or of the default framebuffer.
struct Queried {
    const AttachmentPoint* point = nullptr;    // null: an attachment of the default framebuffer
    pipe::Format format = pipe::Format::None;  // None: nothing is attached
    const InternalFormat* internal = nullptr;  // of an object's attachment
    uint8_t bits[4] = {}, depth_bits = 0, stencil_bits = 0;
    Aspect aspect = Aspect::Color;
};

bool fail(Context& ctx, const char* command, GLenum code, GLenum attachment) {
    ctx.error(code, command, "attachment 0x%04x", attachment);
    return false;
}

/// The attachment of an object. False: the error is recorded.
bool query_object(Context& ctx, const char* command, const Framebuffer& fb, GLenum attachment, GLenum pname,
                  Queried* out) {
    const bool es3 = ctx.config.version >= 30;
    const GLenum n = attachment - GL_COLOR_ATTACHMENT0;
    if (attachment >= GL_COLOR_ATTACHMENT0 && n < GLenum(ctx.limits.max_color_attachments)) {
        out->point = &fb.color[n];
    } else if (attachment == GL_DEPTH_ATTACHMENT || attachment == GL_STENCIL_ATTACHMENT) {
        out->aspect = attachment == GL_DEPTH_ATTACHMENT ? Aspect::Depth : Aspect::Stencil;
        out->point = out->aspect == Aspect::Depth ? &fb.depth : &fb.stencil;
    } else if (es3 && attachment == GL_DEPTH_STENCIL_ATTACHMENT) {
        // A query of both depth and stencil needs one image for both, and the component type of the two
        // differs.
        if (!fb.depth.same_image(fb.stencil) || pname == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE)
            return fail(ctx, command, GL_INVALID_OPERATION, attachment);
        out->aspect = Aspect::Depth;
        out->point = &fb.depth;
    } else {
        const bool beyond = es3 && attachment >= GL_COLOR_ATTACHMENT0 && n < 32;
        return fail(ctx, command, beyond ? GL_INVALID_OPERATION : GL_INVALID_ENUM, attachment);
    }
    const AttachmentPoint& a = *out->point;
    if (a.renderbuffer) {
        out->internal = a.renderbuffer->format;
        out->format = a.renderbuffer->layout;
    } else if (a.texture) {
        if (const TextureImage* i = a.texture->image(a.face, a.level)) {
            out->internal = i->format;
            out->format = i->layout;
        }
    }
    if (!out->internal) return true;
    const pipe::FormatInfo& info = pipe::format_info(out->format);
    for (unsigned c = 0; c < 4; ++c)
        out->bits[c] = out->internal->has_component(c) ? uint8_t(info.component_bits(c)) : 0;
    if (out->internal->has(format_flag::kDepth)) out->depth_bits = uint8_t(info.depth_bits());
    if (out->internal->has(format_flag::kStencil)) out->stencil_bits = uint8_t(info.stencil_bits());
    return true;
}

/// The attachment of the default framebuffer, which OpenGL ES 3.0 can query. False: the error is recorded.
bool query_default(Context& ctx, const char* command, const Drawable* d, GLenum attachment, Queried* out) {
    if (ctx.config.version < 30) return fail(ctx, command, GL_INVALID_OPERATION, attachment);
    switch (attachment) {
        case GL_BACK:
            break;
        case GL_DEPTH:
            out->aspect = Aspect::Depth;
            break;
        case GL_STENCIL:
            out->aspect = Aspect::Stencil;
            break;
        default:
            return fail(ctx, command, GL_INVALID_ENUM, attachment);
    }
    if (!d) return true;
    if (out->aspect == Aspect::Color) {
        out->format = d->color_format;
        out->bits[0] = d->red_bits, out->bits[1] = d->green_bits;
        out->bits[2] = d->blue_bits, out->bits[3] = d->alpha_bits;
    } else if (out->aspect == Aspect::Depth ? d->depth_bits : d->stencil_bits) {
        out->format = d->depth_stencil_format;
    }
    out->depth_bits = d->depth_bits;
    out->stencil_bits = d->stencil_bits;
    return true;
}

/// Values that OpenGL ES 3.0 adds for all attachments. False: unknown name.
bool format_value(const Queried& q, GLenum pname, GLuint* out) {
    const bool color = q.aspect == Aspect::Color;
    switch (pname) {
        case GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE:
            *out = color ? q.bits[0] : 0;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE:
            *out = color ? q.bits[1] : 0;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE:
            *out = color ? q.bits[2] : 0;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE:
            *out = color ? q.bits[3] : 0;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE:
            *out = color ? 0 : q.depth_bits;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE:
            *out = color ? 0 : q.stencil_bits;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE:
            *out = q.aspect == Aspect::Stencil ? GL_UNSIGNED_INT : component_type(q.format);
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING:
            *out = color && pipe::format_info(q.format).is_srgb ? GL_SRGB : GL_LINEAR;
            return true;
        default:
            return false;
    }
}

/// Values of attached textures only. False: unknown name, or no texture.
bool texture_value(const Context& ctx, const AttachmentPoint& a, GLenum pname, GLuint* out) {
    if (!a.texture) return false;
    switch (pname) {
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
            *out = a.level;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
            *out = a.texture->target == TextureTarget::Cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + a.face : 0;
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER:
            *out = a.layer;
            return ctx.config.version >= 30;
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT:
            *out = a.samples;
            return has_extension(ctx, extension_row("GL_EXT_multisampled_render_to_texture"));
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR:
            *out = a.views;
            return has_extension(ctx, extension_row("GL_OVR_multiview"));
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR:
            *out = a.views ? a.layer : 0;
            return has_extension(ctx, extension_row("GL_OVR_multiview"));
        case GL_FRAMEBUFFER_ATTACHMENT_LAYERED:
            *out = a.whole;
            return ctx.config.version >= 31;
        default:
            return false;
    }
}

}  // namespace

GLenum component_type(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    for (unsigned i = 0; i < info.channel_count; ++i) {
        if (info.channel[i].letter == 'S' || info.channel[i].letter == 'X') continue;
        switch (info.channel[i].type) {
            case pipe::ChannelType::Float:
                return GL_FLOAT;
            case pipe::ChannelType::Sint:
                return GL_INT;
            case pipe::ChannelType::Uint:
                return GL_UNSIGNED_INT;
            case pipe::ChannelType::Snorm:
                return GL_SIGNED_NORMALIZED;
            case pipe::ChannelType::None:
            case pipe::ChannelType::Unorm:
            case pipe::ChannelType::Uscaled:
            case pipe::ChannelType::Sscaled:
            case pipe::ChannelType::Fixed:
                return GL_UNSIGNED_NORMALIZED;
        }
    }
    return GL_NONE;
}

void GetFramebufferAttachmentParameteriv(Context& ctx, GLenum target, GLenum attachment, GLenum pname,
                                         GLint* params) {
    static constexpr char kName[] = "glGetFramebufferAttachmentParameteriv";
    if (!is_framebuffer_target(ctx, target))
        return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    const bool es3 = ctx.config.version >= 30;
    const Framebuffer* fb = bound_framebuffer(ctx, target);
    std::lock_guard lock(ctx.share->mutex);
    Queried q;
    const Drawable* d = (target == GL_READ_FRAMEBUFFER ? ctx.read_drawable : ctx.draw_drawable).get();
    if (fb ? !query_object(ctx, kName, *fb, attachment, pname, &q)
           : !query_default(ctx, kName, d, attachment, &q))
        return;
    const bool none = fb ? q.point->empty() : q.format == pipe::Format::None;
    GLuint value = 0;
    bool known = false;
    if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) {
        known = true;
        value = none               ? GL_NONE
                : !fb              ? GL_FRAMEBUFFER_DEFAULT
                : q.point->texture ? GL_TEXTURE
                                   : GL_RENDERBUFFER;
    } else if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && fb && (!none || es3)) {
        known = true;
        if (!none) value = q.point->texture ? q.point->texture->name : q.point->renderbuffer->name;
    } else if (!none) {
        known =
            (es3 && format_value(q, pname, &value)) || (fb && texture_value(ctx, *q.point, pname, &value));
    } else if (GLuint ignored;
               es3 && (format_value(q, pname, &ignored) || pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL ||
                       pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE ||
                       pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER ||
                       (has_extension(ctx, extension_row("GL_OVR_multiview")) &&
                        (pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR ||
                         pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR)))) {
        return ctx.error(GL_INVALID_OPERATION, kName, "nothing is attached to 0x%04x", attachment);
    }
    if (!known)
        return ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x of attachment 0x%04x", pname, attachment);
    if (params) *params = GLint(value);
}

}  // namespace terrazzo::st
