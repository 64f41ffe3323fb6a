// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The parts of OES_framebuffer_object that differ from the state tracker: it has one target and fewer
// formats.
#include "api/es1/context.h"

namespace terrazzo::es1 {
namespace {

bool is_renderbuffer(Context& ctx, GLenum target, const char* command) {
    if (target == GL_RENDERBUFFER_OES) return true;
    ctx.gl.error(GL_INVALID_ENUM, command, "target 0x%04x is not GL_RENDERBUFFER_OES", target);
    return false;
}
bool is_framebuffer(Context& ctx, GLenum target, const char* command) {
    if (target == GL_FRAMEBUFFER_OES) return true;
    ctx.gl.error(GL_INVALID_ENUM, command, "target 0x%04x is not GL_FRAMEBUFFER_OES", target);
    return false;
}

}  // namespace

void BindFramebuffer(Context& ctx, GLenum target, GLuint framebuffer) {
    if (is_framebuffer(ctx, target, "glBindFramebufferOES")) st::BindFramebuffer(ctx.gl, target, framebuffer);
}

void GetFramebufferAttachmentParameteriv(Context& ctx, GLenum target, GLenum attachment, GLenum pname,
                                         GLint* params) {
    if (is_framebuffer(ctx, target, "glGetFramebufferAttachmentParameterivOES"))
        st::GetFramebufferAttachmentParameteriv(ctx.gl, target, attachment, pname, params);
}

void BindRenderbuffer(Context& ctx, GLenum target, GLuint renderbuffer) {
    if (is_renderbuffer(ctx, target, "glBindRenderbufferOES"))
        st::BindRenderbuffer(ctx.gl, target, renderbuffer);
}

void RenderbufferStorage(Context& ctx, GLenum target, GLenum internalformat, GLsizei width, GLsizei height) {
    if (!is_renderbuffer(ctx, target, "glRenderbufferStorageOES")) return;
    switch (internalformat) {
        case GL_RGB565_OES:
        case GL_RGBA4_OES:
        case GL_RGB5_A1_OES:
        case GL_RGB8_OES:
        case GL_RGBA8_OES:
        case GL_DEPTH_COMPONENT16_OES:
        case GL_DEPTH_COMPONENT24_OES:
        case GL_DEPTH24_STENCIL8_OES:
        case GL_STENCIL_INDEX8_OES:
            return st::RenderbufferStorage(ctx.gl, target, internalformat, width, height);
        default:
            ctx.gl.error(GL_INVALID_ENUM, "glRenderbufferStorageOES",
                         "internal format 0x%04x is none of OpenGL ES 1.1", internalformat);
    }
}

void GetRenderbufferParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    if (is_renderbuffer(ctx, target, "glGetRenderbufferParameterivOES"))
        st::GetRenderbufferParameteriv(ctx.gl, target, pname, params);
}

}  // namespace terrazzo::es1
