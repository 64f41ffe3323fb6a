// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Renderbuffers, framebuffer objects, and the planes that a framebuffer consists of when it is drawn to or
// read.
#pragma once

#include <array>

#include "state_tracker/context.h"
#include "state_tracker/images/formats.h"
#include "state_tracker/images/texture.h"

namespace terrazzo::st {

class Renderbuffer : public Object {
  public:
    explicit Renderbuffer(uint32_t n) : Object(n) {}
    GLenum internal_format = GL_RGBA4;
    const InternalFormat* format = nullptr;  // null: no storage was requested yet
    uint32_t width = 0, height = 0, samples = 1;
    bool implicit_resolve = false;  // see Surface
    pipe::Format layout = pipe::Format::None;
    pipe::Ref<pipe::Resource> resource;  // null: no texels
    uint32_t level = 0, layer = 0;       // not 0 if an EGLImage is a slice of a texture
    bool shared = false;
};

/// One attachment point of a framebuffer object: nothing, a renderbuffer or a texture image.
struct AttachmentPoint {
    pipe::Ref<Renderbuffer> renderbuffer;
    pipe::Ref<Texture> texture;
    uint32_t level = 0, face = 0;
    uint32_t layer = 0;    // of an array or a volume
    bool layered = false;  // FramebufferTextureLayer attached it
    bool whole = false;    // FramebufferTexture attached all layers
    uint8_t views = 0;     // OVR_multiview: number of layers from `layer` on; 0: not multiview
    uint32_t samples = 0;  // of EXT_multisampled_render_to_texture; 0: the texture's number
    [[nodiscard]] bool same_image(const AttachmentPoint& o) const {
        return renderbuffer == o.renderbuffer && texture == o.texture && level == o.level && face == o.face &&
               layer == o.layer && whole == o.whole && views == o.views && samples == o.samples;
    }
    [[nodiscard]] bool empty() const { return !renderbuffer && !texture; }
};

class Framebuffer : public Object {
  public:
    explicit Framebuffer(uint32_t n) : Object(n) {}
    std::array<AttachmentPoint, kMaxColorAttachments> color;
    AttachmentPoint depth, stencil;
    uint8_t draw_buffers = 1;  // bit n: colour attachment n is drawn to (EXT_draw_buffers)
    /// Parameters of a framebuffer without attachments (glFramebufferParameteri).
    struct Defaults {
        GLint width = 0, height = 0, samples = 0, layers = 0;
        bool fixed_sample_locations = false;
    } defaults;
    bool flip_y = false;     // MESA_framebuffer_flip_y: row 0 of its attachments is the top row
    int8_t read_buffer = 0;  // the colour attachment that is read; -1: GL_NONE
    /// Whether the texture or the renderbuffer (either may be null) is attached.
    [[nodiscard]] bool holds(const Texture* t, const Renderbuffer* r) const;
    /// Calls f(AttachmentPoint&) for every attachment point.
    template <class F>
    void for_each(F&& f) {
        for (AttachmentPoint& a : color)
            f(a);
        f(depth);
        f(stencil);
    }
};

/// A plane to draw to or read from. Keeps its resource alive.
struct Surface {
    pipe::Ref<pipe::Resource> resource;  // null: the plane does not exist
    pipe::Format layout = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    uint32_t width = 0, height = 0, samples = 1;
    uint32_t layers = 1;  // from `layer` on
    /// EXT_multisampled_render_to_texture: reads see one sample. A renderbuffer's resource has all samples, a
    /// texture's has one.
    bool implicit_resolve = false;
    bool top_down = false;                      // row 0 of its memory is GL's top row
    uint8_t bits[4] = {};                       // R, G, B, A as GL reports them
    const InternalFormat* named = nullptr;      // GL's format; null: a surface of EGL, which has none
    pipe::Format seen_as = pipe::Format::None;  // for a texture view; None: the resource's own format
    [[nodiscard]] pipe::Format format() const {
        return seen_as == pipe::Format::None ? resource->desc.format : seen_as;
    }
};

/// A framebuffer's planes.
struct Planes {
    std::array<Surface, kMaxColorAttachments> color;
    uint32_t color_count = 0;
    Surface depth_stencil;  // one image: see has_depth, has_stencil
    bool has_depth = false, has_stencil = false;
    uint32_t layers = 1;  // common to all attachments
    FramebufferInfo info;
};

/// Completeness by OpenGL ES 2.0 section 4.4.5 and ES 3.0 section 4.4.4. Sets `out` (may be null) if the
/// result is GL_FRAMEBUFFER_COMPLETE.
[[nodiscard]] GLenum framebuffer_status(const Context& ctx, const Framebuffer& fb, Planes* out);
[[nodiscard]] const char* status_name(GLenum status);

/// GL_DRAW_BUFFERn and GL_READ_BUFFER of the bound framebuffer.
[[nodiscard]] GLenum draw_buffer(const Context& ctx, unsigned n);
[[nodiscard]] GLenum read_buffer(const Context& ctx);

/// Whether `target` is one of framebuffer commands: GL_FRAMEBUFFER, or from OpenGL ES 3.0 on
/// GL_DRAW_FRAMEBUFFER and GL_READ_FRAMEBUFFER.
[[nodiscard]] bool is_framebuffer_target(const Context& ctx, GLenum target);
/// The object that is bound to such a target; null: the default framebuffer.
[[nodiscard]] Framebuffer* bound_framebuffer(const Context& ctx, GLenum target);

/// Detaches a texture or renderbuffer (the other is null) from the bound framebuffer, because it is deleted.
void detach_from_bound_framebuffer(Context& ctx, const Texture* t, const Renderbuffer* r);

}  // namespace terrazzo::st
