// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Parameters of textures and sampler objects (OpenGL ES 3.0 section 3.8.7, ES 3.2 table 8.10;
// EXT_texture_border_clamp, EXT_texture_mirror_clamp_to_edge, EXT_texture_sRGB_decode,
// EXT_texture_filter_anisotropic), and their values.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "state_tracker/context/limits.h"
#include "state_tracker/images/sampler.h"

namespace terrazzo::st {

namespace {

bool is_wrap(const Context& ctx, GLenum v) {
    if (v == GL_MIRROR_CLAMP_TO_EDGE_EXT)
        return has_extension(ctx, extension_row("GL_EXT_texture_mirror_clamp_to_edge"));
    return v == GL_REPEAT || v == GL_CLAMP_TO_EDGE || v == GL_MIRRORED_REPEAT || v == GL_CLAMP_TO_BORDER;
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

/// Parameters of samplers whose values are enums. Null: this context has no such parameter.
GLenum* enum_param(const Context& ctx, SamplerParams& p, GLenum pname) {
    const bool es3 = ctx.config.version >= 30;
    const bool compares = es3 || has_extension(ctx, extension_row("GL_EXT_shadow_samplers"));
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
            return compares ? &p.compare_mode : nullptr;
        case GL_TEXTURE_COMPARE_FUNC:
            return compares ? &p.compare_func : nullptr;
        case GL_TEXTURE_SRGB_DECODE_EXT:
            return has_extension(ctx, extension_row("GL_EXT_texture_sRGB_decode")) ? &p.srgb_decode : nullptr;
        default:
            return nullptr;
    }
}

/// Parameters of samplers whose values are floats. Null: this context has no such parameter.
GLfloat* float_param(const Context& ctx, SamplerParams& p, GLenum pname) {
    const bool es3 = ctx.config.version >= 30;
    if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) return &p.max_anisotropy;
    if (pname == GL_TEXTURE_MIN_LOD) return es3 ? &p.min_lod : nullptr;
    if (pname == GL_TEXTURE_MAX_LOD) return es3 ? &p.max_lod : nullptr;
    return nullptr;
}

bool allowed(const Context& ctx, GLenum pname, GLenum value, bool external) {
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            return external ? is_filter(value) : is_min_filter(value);
        case GL_TEXTURE_MAG_FILTER:
            return is_filter(value);
        case GL_TEXTURE_COMPARE_MODE:
            return value == GL_NONE || value == GL_COMPARE_REF_TO_TEXTURE;
        case GL_TEXTURE_COMPARE_FUNC:
            return is_compare_func(value);
        case GL_TEXTURE_SRGB_DECODE_EXT:
            return value == GL_DECODE_EXT || value == GL_SKIP_DECODE_EXT;
        default:
            return external ? value == GL_CLAMP_TO_EDGE : is_wrap(ctx, value);
    }
}

constexpr double kFixedOne = 2147483647.0;

}  // namespace

ParamValue param_value(GLenum pname, const GLint* params) {
    ParamValue v{params[0], GLfloat(params[0]), {}};
    const auto f = [&](unsigned n) { return GLfloat(std::max(params[n] / kFixedOne, -1.0)); };
    if (pname == GL_TEXTURE_BORDER_COLOR) v.border = pipe::BorderColor(f(0), f(1), f(2), f(3));
    return v;
}
ParamValue param_value(GLenum pname, const GLfloat* params) {
    ParamValue v{param_to_int(params[0]), params[0], {}};
    if (pname == GL_TEXTURE_BORDER_COLOR)
        v.border = pipe::BorderColor(params[0], params[1], params[2], params[3]);
    return v;
}
ParamValue param_value_I(GLenum pname, const void* params) {
    GLint i;
    std::memcpy(&i, params, sizeof i);
    ParamValue v{i, GLfloat(i), {}};
    if (pname == GL_TEXTURE_BORDER_COLOR) {
        v.border.emplace();
        std::memcpy(v.border->bits.data(), params, sizeof v.border->bits);
    }
    return v;
}

GLint param_to_int(GLfloat f) {
    return f >= -2147483648.0f && f < 2147483648.0f ? GLint(std::lround(f)) : 0;
}

void write_param(const ParamValue& v, GLfloat* params) {
    if (!params) return;
    if (!v.border) {
        *params = v.f;
        return;
    }
    for (unsigned n = 0; n < 4; ++n)
        params[n] = (*v.border)[n];
}
void write_param(const ParamValue& v, GLint* params) {
    if (!params) return;
    if (!v.border) {
        *params = v.i;
        return;
    }
    for (unsigned n = 0; n < 4; ++n) {
        const double f = double((*v.border)[n]);
        params[n] = f >= -1 ? GLint(std::lround(std::min(f, 1.0) * kFixedOne)) : -2147483647;
    }
}
void write_param_I(const ParamValue& v, void* params) {
    if (!params) return;
    if (v.border)
        std::memcpy(params, v.border->bits.data(), sizeof v.border->bits);
    else
        std::memcpy(params, &v.i, sizeof v.i);
}

ParamResult set_sampler_param(Context& ctx, const char* command, SamplerParams& p, GLenum pname,
                              const ParamValue& v, bool external) {
    if (pname == GL_TEXTURE_BORDER_COLOR && v.border && !external)
        return std::exchange(p.border, *v.border) == *v.border ? ParamResult::Same : ParamResult::Changed;
    const GLfloat f = v.f;
    const GLint i = v.i;
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
    if (!allowed(ctx, pname, GLenum(i), external)) {
        ctx.error(GL_INVALID_ENUM, command, "value 0x%04x of pname 0x%04x%s", unsigned(i), pname,
                  external ? " of an external texture" : "");
        return ParamResult::Error;
    }
    return std::exchange(*param, GLenum(i)) == GLenum(i) ? ParamResult::Same : ParamResult::Changed;
}

bool get_sampler_param(const Context& ctx, SamplerParams& p, GLenum pname, ParamValue* out) {
    if (pname == GL_TEXTURE_BORDER_COLOR) {
        out->border = p.border;
        return true;
    }
    if (const GLfloat* number = float_param(ctx, p, pname)) {
        *out = {param_to_int(*number), *number, {}};
        return true;
    }
    if (const GLenum* param = enum_param(ctx, p, pname)) {
        *out = {GLint(*param), GLfloat(*param), {}};
        return true;
    }
    return false;
}

}  // namespace terrazzo::st
