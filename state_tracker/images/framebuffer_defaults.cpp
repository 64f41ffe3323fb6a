// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Parameters of framebuffers without attachments (OpenGL ES 3.1 section 9.2.1).
#include "state_tracker/context/limits.h"
#include "state_tracker/images/framebuffer.h"

namespace terrazzo::st {
namespace {

/// The framebuffer object that is bound to a target. Null: the error is recorded.
Framebuffer* object(Context& ctx, const char* command, GLenum target) {
    if (!is_framebuffer_target(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target), nullptr;
    Framebuffer* const fb = bound_framebuffer(ctx, target);
    if (!fb) ctx.error(GL_INVALID_OPERATION, command, "the default framebuffer is bound");
    return fb;
}

/// Whether the context has the parameter. OpenGL ES 3.0 only has that of MESA_framebuffer_flip_y.
bool is_there(const Context& ctx, GLenum pname) {
    return pname == GL_FRAMEBUFFER_FLIP_Y_MESA
               ? has_extension(ctx, extension_row("GL_MESA_framebuffer_flip_y"))
               : ctx.config.version >= 31;
}

/// The largest value of a numeric parameter.
GLint most(const Context& ctx, GLenum pname) {
    return pname == GL_FRAMEBUFFER_DEFAULT_SAMPLES  ? ctx.limits.max_samples
           : pname == GL_FRAMEBUFFER_DEFAULT_LAYERS ? ctx.limits.max_array_layers
                                                    : ctx.limits.max_renderbuffer_size;
}

}  // namespace

void FramebufferParameteri(Context& ctx, GLenum target, GLenum pname, GLint param) {
    const char* const command = "glFramebufferParameteri";
    if (!is_framebuffer_target(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    if (!is_there(ctx, pname))
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of this context", pname);
    GLint Framebuffer::Defaults::*number = nullptr;
    switch (pname) {
        case GL_FRAMEBUFFER_DEFAULT_LAYERS:
            number = &Framebuffer::Defaults::layers;
            break;
        case GL_FRAMEBUFFER_DEFAULT_WIDTH:
            number = &Framebuffer::Defaults::width;
            break;
        case GL_FRAMEBUFFER_DEFAULT_HEIGHT:
            number = &Framebuffer::Defaults::height;
            break;
        case GL_FRAMEBUFFER_DEFAULT_SAMPLES:
            number = &Framebuffer::Defaults::samples;
            break;
        case GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
            break;
        case GL_FRAMEBUFFER_FLIP_Y_MESA:
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a framebuffer", pname);
    }
    if (number && (param < 0 || param > most(ctx, pname)))
        return ctx.error(GL_INVALID_VALUE, command, "pname 0x%04x: %d is not 0 to %d", pname, param,
                         most(ctx, pname));
    Framebuffer* const fb = object(ctx, command, target);
    if (!fb) return;
    end_rendering(ctx);
    ctx.dirty |= dirty::kFramebuffer;
    if (pname == GL_FRAMEBUFFER_FLIP_Y_MESA)
        fb->flip_y = param != 0;
    else if (number)
        fb->defaults.*number = param;
    else
        fb->defaults.fixed_sample_locations = param != 0;
}

void GetFramebufferParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    const char* const command = "glGetFramebufferParameteriv";
    if (!is_there(ctx, pname))
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of this context", pname);
    const Framebuffer* const fb = object(ctx, command, target);
    if (!fb) return;
    GLint value = 0;
    switch (pname) {
        case GL_FRAMEBUFFER_DEFAULT_LAYERS:
            value = fb->defaults.layers;
            break;
        case GL_FRAMEBUFFER_DEFAULT_WIDTH:
            value = fb->defaults.width;
            break;
        case GL_FRAMEBUFFER_DEFAULT_HEIGHT:
            value = fb->defaults.height;
            break;
        case GL_FRAMEBUFFER_DEFAULT_SAMPLES:
            value = fb->defaults.samples;
            break;
        case GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
            value = fb->defaults.fixed_sample_locations;
            break;
        case GL_FRAMEBUFFER_FLIP_Y_MESA:
            value = fb->flip_y;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a framebuffer", pname);
    }
    if (params) *params = value;
}

}  // namespace terrazzo::st
