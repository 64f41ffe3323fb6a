// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexParameter and its queries (OpenGL ES 2.0 sections 3.7.4 and 6.1.3, ES 3.0 sections 3.8.7 and 6.1.3;
// OES_EGL_image_external; EXT_texture_filter_anisotropic).
#include <cmath>

#include "state_tracker/images/sampler.h"

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
bool is_compare_func(GLenum v) {
    return v >= GL_NEVER && v <= GL_ALWAYS;
}
bool is_swizzle(GLenum v) {
    return v == GL_ZERO || v == GL_ONE || v == GL_RED || v == GL_GREEN || v == GL_BLUE || v == GL_ALPHA;
}

/// Parameters of samplers whose values are enums. Null: not one of this context.
GLenum* enum_param(const Context& ctx, SamplerParams& p, GLenum pname) {
    const bool es3 = ctx.config.version >= 30;
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
            return es3 ? &p.wrap_r : nullptr;
        case GL_TEXTURE_COMPARE_MODE:
            return es3 ? &p.compare_mode : nullptr;
        case GL_TEXTURE_COMPARE_FUNC:
            return es3 ? &p.compare_func : nullptr;
        default:
            return nullptr;
    }
}

/// The same of numbers.
GLfloat* float_param(const Context& ctx, SamplerParams& p, GLenum pname) {
    const bool es3 = ctx.config.version >= 30;
    if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) return &p.max_anisotropy;
    if (pname == GL_TEXTURE_MIN_LOD) return es3 ? &p.min_lod : nullptr;
    if (pname == GL_TEXTURE_MAX_LOD) return es3 ? &p.max_lod : nullptr;
    return nullptr;
}

bool allowed(GLenum pname, GLenum value, bool external) {
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            return external ? is_filter(value) : is_min_filter(value);
        case GL_TEXTURE_MAG_FILTER:
            return is_filter(value);
        case GL_TEXTURE_COMPARE_MODE:
            return value == GL_NONE || value == GL_COMPARE_REF_TO_TEXTURE;
        case GL_TEXTURE_COMPARE_FUNC:
            return is_compare_func(value);
        default:
            return external ? value == GL_CLAMP_TO_EDGE : is_wrap(value);
    }
}

/// A float as an enum or integer; out of range: 0, which is no enum of these parameters.
GLint to_int(GLfloat f) {
    return f >= -2147483648.0f && f < 2147483648.0f ? GLint(std::lround(f)) : 0;
}

/// TEXTURE_SWIZZLE_R to _A; null: not one of them.
GLenum* swizzle_param(const Context& ctx, Texture& t, GLenum pname) {
    if (ctx.config.version < 30 || pname < GL_TEXTURE_SWIZZLE_R || pname > GL_TEXTURE_SWIZZLE_A)
        return nullptr;
    return &t.swizzle[pname - GL_TEXTURE_SWIZZLE_R];
}
/// TEXTURE_BASE_LEVEL and _MAX_LEVEL.
GLint* level_param(const Context& ctx, Texture& t, GLenum pname) {
    if (ctx.config.version < 30) return nullptr;
    return pname == GL_TEXTURE_BASE_LEVEL  ? &t.base_level
           : pname == GL_TEXTURE_MAX_LEVEL ? &t.max_level
                                           : nullptr;
}

/// Sets a parameter that samplers do not have.
ParamResult set_texture_param(Context& ctx, const char* command, Texture& t, GLenum pname, GLint i) {
    if (pname == GL_DEPTH_STENCIL_TEXTURE_MODE) {
        if (i != GL_DEPTH_COMPONENT && i != GL_STENCIL_INDEX)
            return ctx.error(GL_INVALID_ENUM, command, "mode 0x%04x", unsigned(i)), ParamResult::Error;
        return std::exchange(t.depth_stencil_mode, GLenum(i)) == GLenum(i) ? ParamResult::Same
                                                                           : ParamResult::Changed;
    }
    if (GLenum* swizzle = swizzle_param(ctx, t, pname)) {
        if (!is_swizzle(GLenum(i)))
            return ctx.error(GL_INVALID_ENUM, command, "swizzle 0x%04x", unsigned(i)), ParamResult::Error;
        return std::exchange(*swizzle, GLenum(i)) == GLenum(i) ? ParamResult::Same : ParamResult::Changed;
    }
    GLint& level = *level_param(ctx, t, pname);
    if (i < 0) return ctx.error(GL_INVALID_VALUE, command, "level %d is negative", i), ParamResult::Error;
    const bool one_level = t.target == TextureTarget::External || t.is_multisample();
    if (i != 0 && pname == GL_TEXTURE_BASE_LEVEL && one_level)
        return ctx.error(GL_INVALID_OPERATION, command, "texture %u has level 0 alone", t.name),
               ParamResult::Error;
    return std::exchange(level, i) == i ? ParamResult::Same : ParamResult::Changed;
}

/// `i` is the value as an enum, `f` as a number.
void set_param(Context& ctx, const char* command, GLenum target, GLenum pname, GLint i, GLfloat f) {
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, tt);
    const bool mode = pname == GL_DEPTH_STENCIL_TEXTURE_MODE && ctx.config.version >= 31;
    const bool of_texture = mode || swizzle_param(ctx, t, pname) || level_param(ctx, t, pname);
    if (!of_texture && t.is_multisample())
        return ctx.error(GL_INVALID_ENUM, command,
                         "pname 0x%04x: multisampled textures have no sampler state", pname);
    const ParamResult r =
        of_texture ? set_texture_param(ctx, command, t, pname, i)
                   : set_sampler_param(ctx, command, t.params, pname, i, f, tt == TextureTarget::External);
    if (r == ParamResult::Error) return;
    if (pname == GL_TEXTURE_MIN_FILTER) t.min_filter_set = true;
    if (r == ParamResult::Changed) texture_changed(ctx, t);
}

bool get_param(Context& ctx, const char* command, GLenum target, GLenum pname, GLfloat* f, GLint* i) {
    TextureTarget tt;
    if (!texture_target(ctx, target, &tt)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return false;
    }
    Texture& t = bound_texture(ctx, tt);
    if (get_sampler_param(ctx, t.params, pname, f, i)) return true;
    if (pname == GL_DEPTH_STENCIL_TEXTURE_MODE && ctx.config.version >= 31) {
        *i = GLint(t.depth_stencil_mode);
        *f = GLfloat(t.depth_stencil_mode);
        return true;
    }
    if (const GLenum* swizzle = swizzle_param(ctx, t, pname)) {
        *f = float(*i = GLint(*swizzle));
        return true;
    }
    if (const GLint* level = level_param(ctx, t, pname)) {
        *f = float(*i = *level);
        return true;
    }
    if (pname == GL_TEXTURE_IMMUTABLE_FORMAT_EXT) {
        *f = float(*i = t.immutable);
        return true;
    }
    if (pname == GL_TEXTURE_IMMUTABLE_LEVELS && ctx.config.version >= 30) {
        *f = float(*i = GLint(t.immutable_levels));
        return true;
    }
    if (pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES) {
        *f = float(*i = 1);
        return true;
    }
    ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
    return false;
}

}  // namespace

ParamResult set_sampler_param(Context& ctx, const char* command, SamplerParams& p, GLenum pname, GLint i,
                              GLfloat f, bool external) {
    if (GLfloat* number = float_param(ctx, p, pname)) {
        if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT && !(f >= 1)) {
            ctx.error(GL_INVALID_VALUE, command, "max anisotropy %g is below 1", double(f));
            return ParamResult::Error;
        }
        return std::exchange(*number, f) == f ? ParamResult::Same : ParamResult::Changed;
    }
    GLenum* param = enum_param(ctx, p, pname);
    if (!param) {
        ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
        return ParamResult::Error;
    }
    if (!allowed(pname, GLenum(i), external)) {
        ctx.error(GL_INVALID_ENUM, command, "value 0x%04x of pname 0x%04x%s", unsigned(i), pname,
                  external ? " of an external texture" : "");
        return ParamResult::Error;
    }
    return std::exchange(*param, GLenum(i)) == GLenum(i) ? ParamResult::Same : ParamResult::Changed;
}

bool get_sampler_param(const Context& ctx, SamplerParams& p, GLenum pname, GLfloat* f, GLint* i) {
    if (const GLfloat* number = float_param(ctx, p, pname)) {
        *f = *number;
        *i = to_int(*f);
        return true;
    }
    if (const GLenum* param = enum_param(ctx, p, pname)) {
        *i = GLint(*param);
        *f = GLfloat(*param);
        return true;
    }
    return false;
}

GLint param_to_int(GLfloat f) {
    return to_int(f);
}

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
