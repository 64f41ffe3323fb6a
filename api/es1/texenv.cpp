// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture environments (section 3.7.12, OES_texture_env_crossbar, OES_point_sprite) and generated texture
// coordinates (OES_texture_cube_map).
#include <algorithm>

#include "api/es1/context.h"
#include "api/es1/fixed.h"

namespace terrazzo::es1 {
namespace {

TextureUnit& active(Context& ctx) {
    return ctx.state.units[ctx.active_unit()];
}

bool is_function(GLenum f, bool alpha) {
    switch (f) {
        case GL_REPLACE:
        case GL_MODULATE:
        case GL_ADD:
        case GL_ADD_SIGNED:
        case GL_INTERPOLATE:
        case GL_SUBTRACT:
            return true;
        case GL_DOT3_RGB:
        case GL_DOT3_RGBA:
            return !alpha;
        default:
            return false;
    }
}
bool is_source(GLenum s) {
    return s == GL_TEXTURE || s == GL_CONSTANT || s == GL_PRIMARY_COLOR || s == GL_PREVIOUS ||
           (s >= GL_TEXTURE0 && s < GL_TEXTURE0 + kUnits);
}
bool is_operand(GLenum o, bool alpha) {
    return o == GL_SRC_ALPHA || o == GL_ONE_MINUS_SRC_ALPHA ||
           (!alpha && (o == GL_SRC_COLOR || o == GL_ONE_MINUS_SRC_COLOR));
}
bool is_mode(GLenum m) {
    return m == GL_REPLACE || m == GL_MODULATE || m == GL_DECAL || m == GL_BLEND || m == GL_ADD ||
           m == GL_COMBINE;
}

/// The field of an enum of GL_TEXTURE_ENV; null: there is none. `valid`: whether the value is allowed.
GLenum* env_enum(TextureUnit& u, GLenum pname, GLenum value, bool* valid) {
    switch (pname) {
        case GL_TEXTURE_ENV_MODE:
            return *valid = is_mode(value), &u.mode;
        case GL_COMBINE_RGB:
            return *valid = is_function(value, false), &u.rgb.function;
        case GL_COMBINE_ALPHA:
            return *valid = is_function(value, true), &u.alpha.function;
        case GL_SRC0_RGB:
        case GL_SRC1_RGB:
        case GL_SRC2_RGB:
            return *valid = is_source(value), &u.rgb.source[pname - GL_SRC0_RGB];
        case GL_SRC0_ALPHA:
        case GL_SRC1_ALPHA:
        case GL_SRC2_ALPHA:
            return *valid = is_source(value), &u.alpha.source[pname - GL_SRC0_ALPHA];
        case GL_OPERAND0_RGB:
        case GL_OPERAND1_RGB:
        case GL_OPERAND2_RGB:
            return *valid = is_operand(value, false), &u.rgb.operand[pname - GL_OPERAND0_RGB];
        case GL_OPERAND0_ALPHA:
        case GL_OPERAND1_ALPHA:
        case GL_OPERAND2_ALPHA:
            return *valid = is_operand(value, true), &u.alpha.operand[pname - GL_OPERAND0_ALPHA];
        default:
            return nullptr;
    }
}

void set_env(Context& ctx, const char* command, GLenum target, GLenum pname, const GLfloat* v, bool vector) {
    TextureUnit& u = active(ctx);
    if (target == GL_POINT_SPRITE_OES && pname == GL_COORD_REPLACE_OES) {
        if (v[0] != GL_TRUE && v[0] != GL_FALSE)
            return ctx.gl.error(GL_INVALID_VALUE, command, "GL_COORD_REPLACE_OES is GL_TRUE or GL_FALSE");
        u.coord_replace = v[0] != 0;
        return;
    }
    if (target != GL_TEXTURE_ENV)
        return ctx.gl.error(GL_INVALID_ENUM, command, "target 0x%04x with pname 0x%04x", target, pname);
    const GLenum value = v[0] >= 0 && v[0] < 0x10000 ? GLenum(v[0]) : 0xffffffff;
    bool valid = false;
    if (GLenum* field = env_enum(u, pname, value, &valid)) {
        if (!valid)
            return ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x cannot be 0x%04x", pname, value);
        *field = value;
    } else if (pname == GL_RGB_SCALE || pname == GL_ALPHA_SCALE) {
        if (v[0] != 1 && v[0] != 2 && v[0] != 4)
            return ctx.gl.error(GL_INVALID_VALUE, command, "the scale %g is none of 1, 2 and 4",
                                double(v[0]));
        (pname == GL_RGB_SCALE ? u.rgb : u.alpha).scale = v[0];
    } else if (pname == GL_TEXTURE_ENV_COLOR && vector) {
        const auto clamped = [&](int i) { return std::clamp(v[i], 0.0f, 1.0f); };
        u.color = {clamped(0), clamped(1), clamped(2), clamped(3)};
        ctx.touch(Group::Environment);
    } else {
        ctx.gl.error(GL_INVALID_ENUM, command,
                     "pname 0x%04x is no parameter of texture environments that this command sets", pname);
    }
}

bool get_env(Context& ctx, const char* command, GLenum target, GLenum pname, GLfloat* out) {
    TextureUnit& u = active(ctx);
    bool valid;
    if (target == GL_POINT_SPRITE_OES && pname == GL_COORD_REPLACE_OES) {
        out[0] = u.coord_replace;
        return true;
    }
    const GLenum* field = target == GL_TEXTURE_ENV ? env_enum(u, pname, 0, &valid) : nullptr;
    if (field) {
        out[0] = GLfloat(*field);
    } else if (target == GL_TEXTURE_ENV && (pname == GL_RGB_SCALE || pname == GL_ALPHA_SCALE)) {
        out[0] = (pname == GL_RGB_SCALE ? u.rgb : u.alpha).scale;
    } else if (target == GL_TEXTURE_ENV && pname == GL_TEXTURE_ENV_COLOR) {
        out[0] = u.color.x, out[1] = u.color.y, out[2] = u.color.z, out[3] = u.color.w;
    } else {
        ctx.gl.error(GL_INVALID_ENUM, command, "target 0x%04x with pname 0x%04x", target, pname);
        return false;
    }
    return true;
}

void set_gen(Context& ctx, const char* command, GLenum coord, GLenum pname, GLfloat v) {
    if (coord != GL_TEXTURE_GEN_STR_OES || pname != GL_TEXTURE_GEN_MODE_OES)
        return ctx.gl.error(GL_INVALID_ENUM, command, "coord 0x%04x with pname 0x%04x", coord, pname);
    if (v != GL_NORMAL_MAP_OES && v != GL_REFLECTION_MAP_OES)
        return ctx.gl.error(GL_INVALID_ENUM, command,
                            "the mode is neither GL_NORMAL_MAP_OES nor GL_REFLECTION_MAP_OES");
    active(ctx).generate_mode = GLenum(v);
}

bool get_gen(Context& ctx, const char* command, GLenum coord, GLenum pname, GLenum* out) {
    if (coord == GL_TEXTURE_GEN_STR_OES && pname == GL_TEXTURE_GEN_MODE_OES)
        return *out = active(ctx).generate_mode, true;
    ctx.gl.error(GL_INVALID_ENUM, command, "coord 0x%04x with pname 0x%04x", coord, pname);
    return false;
}

/// For integers: colours are scaled so that the largest integer is 1.
Floats<4> integer_parameters(GLenum pname, const GLint* v) {
    Floats<4> f(v, 0);
    const bool color = pname == GL_TEXTURE_ENV_COLOR;
    for (unsigned i = 0; i < parameter_count(pname); ++i)
        f.v[i] = color ? float((2.0 * v[i] + 1) / 4294967295.0) : GLfloat(v[i]);
    return f;
}

}  // namespace

void TexEnvf(Context& ctx, GLenum target, GLenum pname, GLfloat param) {
    set_env(ctx, "glTexEnvf", target, pname, &param, false);
}
void TexEnvfv(Context& ctx, GLenum target, GLenum pname, const GLfloat* params) {
    if (params) set_env(ctx, "glTexEnvfv", target, pname, params, true);
}
void TexEnvi(Context& ctx, GLenum target, GLenum pname, GLint param) {
    const GLfloat v = GLfloat(param);
    set_env(ctx, "glTexEnvi", target, pname, &v, false);
}
void TexEnviv(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
    if (params) set_env(ctx, "glTexEnviv", target, pname, integer_parameters(pname, params).v, true);
}
void TexEnvx(Context& ctx, GLenum target, GLenum pname, GLfixed param) {
    const GLfloat v = is_enum_parameter(pname) ? GLfloat(param) : from_fixed(param);
    set_env(ctx, "glTexEnvx", target, pname, &v, false);
}
void TexEnvxv(Context& ctx, GLenum target, GLenum pname, const GLfixed* params) {
    if (params) set_env(ctx, "glTexEnvxv", target, pname, fixed_parameters(pname, params).v, true);
}

void GetTexEnvfv(Context& ctx, GLenum target, GLenum pname, GLfloat* params) {
    GLfloat v[4] = {};
    if (get_env(ctx, "glGetTexEnvfv", target, pname, v)) std::copy_n(v, parameter_count(pname), params);
}
void GetTexEnviv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    GLfloat v[4] = {};
    if (!get_env(ctx, "glGetTexEnviv", target, pname, v)) return;
    for (unsigned i = 0; i < parameter_count(pname); ++i)
        params[i] =
            pname == GL_TEXTURE_ENV_COLOR ? GLint((4294967295.0 * double(v[i]) - 1) / 2) : GLint(v[i]);
}
void GetTexEnvxv(Context& ctx, GLenum target, GLenum pname, GLfixed* params) {
    GLfloat v[4] = {};
    if (get_env(ctx, "glGetTexEnvxv", target, pname, v)) write_fixed_parameters(pname, v, params);
}

void TexGenf(Context& ctx, GLenum coord, GLenum pname, GLfloat param) {
    set_gen(ctx, "glTexGenfOES", coord, pname, param);
}
void TexGenfv(Context& ctx, GLenum coord, GLenum pname, const GLfloat* params) {
    if (params) set_gen(ctx, "glTexGenfvOES", coord, pname, params[0]);
}
void TexGeni(Context& ctx, GLenum coord, GLenum pname, GLint param) {
    set_gen(ctx, "glTexGeniOES", coord, pname, GLfloat(param));
}
void TexGeniv(Context& ctx, GLenum coord, GLenum pname, const GLint* params) {
    if (params) set_gen(ctx, "glTexGenivOES", coord, pname, GLfloat(params[0]));
}
void TexGenx(Context& ctx, GLenum coord, GLenum pname, GLfixed param) {
    set_gen(ctx, "glTexGenxOES", coord, pname, GLfloat(param));
}
void TexGenxv(Context& ctx, GLenum coord, GLenum pname, const GLfixed* params) {
    if (params) set_gen(ctx, "glTexGenxvOES", coord, pname, GLfloat(params[0]));
}
void GetTexGenfv(Context& ctx, GLenum coord, GLenum pname, GLfloat* params) {
    GLenum mode;
    if (get_gen(ctx, "glGetTexGenfvOES", coord, pname, &mode)) *params = GLfloat(mode);
}
void GetTexGeniv(Context& ctx, GLenum coord, GLenum pname, GLint* params) {
    GLenum mode;
    if (get_gen(ctx, "glGetTexGenivOES", coord, pname, &mode)) *params = GLint(mode);
}
void GetTexGenxv(Context& ctx, GLenum coord, GLenum pname, GLfixed* params) {
    GLenum mode;
    if (get_gen(ctx, "glGetTexGenxvOES", coord, pname, &mode)) *params = GLfixed(mode);
}

}  // namespace terrazzo::es1
