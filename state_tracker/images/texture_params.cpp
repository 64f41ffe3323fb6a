// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexParameter and its queries (OpenGL ES 2.0 sections 3.7.4 and 6.1.3; OES_EGL_image_external;
// EXT_texture_filter_anisotropic).
#include <cmath>

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

namespace {

bool is_wrap(GLenum v) {
    return v == GL_REPEAT || v == GL_CLAMP_TO_EDGE || v == GL_MIRRORED_REPEAT;
}
bool is_filter(GLenum v) {
    return v == GL_NEAREST || v == GL_LINEAR;
}
bool is_min_filter(GLenum v) {
    return is_filter(v) || (v >= GL_NEAREST_MIPMAP_NEAREST && v <= GL_LINEAR_MIPMAP_LINEAR);
}

/// Parameters whose values are enums. Null: not one of this context.
GLenum* enum_param(const Context& ctx, SamplerParams& p, GLenum pname) {
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            return &p.min_filter;
        case GL_TEXTURE_MAG_FILTER:
            return &p.mag_filter;
        case GL_TEXTURE_WRAP_S:
            return &p.wrap_s;
        case GL_TEXTURE_WRAP_T:
            return &p.wrap_t;
        case GL_TEXTURE_WRAP_R:
            return ctx.config.version >= 30 ? &p.wrap_r : nullptr;
        default:
            return nullptr;
    }
}

bool allowed(GLenum pname, GLenum value, TextureTarget target) {
    const bool external = target == TextureTarget::External;
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            return external ? is_filter(value) : is_min_filter(value);
        case GL_TEXTURE_MAG_FILTER:
            return is_filter(value);
        default:
            return external ? value == GL_CLAMP_TO_EDGE : is_wrap(value);
    }
}

/// `i` is the value as an enum, `f` as a number.
void set_param(Context& ctx, const char* command, GLenum target, GLenum pname, GLint i, GLfloat f) {
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, tt);
    if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) {
        if (!(f >= 1)) return ctx.error(GL_INVALID_VALUE, command, "max anisotropy %g is below 1", double(f));
        if (t.params.max_anisotropy == f) return;
        t.params.max_anisotropy = f;
        return texture_changed(ctx, t);
    }
    GLenum* param = enum_param(ctx, t.params, pname);
    if (!param) return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
    const GLenum value = GLenum(i);
    if (!allowed(pname, value, tt))
        return ctx.error(GL_INVALID_ENUM, command, "value 0x%04x of pname 0x%04x on target 0x%04x", value,
                         pname, target);
    if (pname == GL_TEXTURE_MIN_FILTER) t.min_filter_set = true;
    if (*param == value) return;
    *param = value;
    texture_changed(ctx, t);
}

/// A float as an enum or integer; out of range: 0, which is no enum of these parameters.
GLint to_int(GLfloat f) {
    return f >= -2147483648.0f && f < 2147483648.0f ? GLint(std::lround(f)) : 0;
}

bool get_param(Context& ctx, const char* command, GLenum target, GLenum pname, GLfloat* f, GLint* i) {
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return false;
    }
    Texture& t = bound_texture(ctx, tt);
    if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) {
        *f = t.params.max_anisotropy;
        *i = to_int(*f);
        return true;
    }
    if (pname == GL_TEXTURE_IMMUTABLE_FORMAT_EXT) {
        *f = float(*i = t.immutable);
        return true;
    }
    if (pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES) {
        *f = float(*i = 1);
        return true;
    }
    if (const GLenum* param = enum_param(ctx, t.params, pname)) {
        *i = GLint(*param);
        *f = GLfloat(*param);
        return true;
    }
    ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
    return false;
}

}  // namespace

void TexParameteri(Context& ctx, GLenum target, GLenum pname, GLint param) {
    set_param(ctx, "glTexParameteri", target, pname, param, GLfloat(param));
}
void TexParameterf(Context& ctx, GLenum target, GLenum pname, GLfloat param) {
    set_param(ctx, "glTexParameterf", target, pname, to_int(param), param);
}
void TexParameteriv(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
    if (params) set_param(ctx, "glTexParameteriv", target, pname, *params, GLfloat(*params));
}
void TexParameterfv(Context& ctx, GLenum target, GLenum pname, const GLfloat* params) {
    if (params) set_param(ctx, "glTexParameterfv", target, pname, to_int(*params), *params);
}

void GetTexParameterfv(Context& ctx, GLenum target, GLenum pname, GLfloat* params) {
    GLfloat f;
    GLint i;
    if (get_param(ctx, "glGetTexParameterfv", target, pname, &f, &i) && params) *params = f;
}
void GetTexParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    GLfloat f;
    GLint i;
    if (get_param(ctx, "glGetTexParameteriv", target, pname, &f, &i) && params) *params = i;
}

}  // namespace terrazzo::st
