// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexParameter and its queries (OpenGL ES 2.0 sections 3.7.4 and 6.1.3, ES 3.0 sections 3.8.7 and 6.1.3;
// OES_EGL_image_external; EXT_texture_filter_anisotropic).
#include "state_tracker/context/limits.h"
#include "state_tracker/images/sampler.h"

namespace terrazzo::st {

namespace {

bool is_swizzle(GLenum v) {
    return v == GL_ZERO || v == GL_ONE || v == GL_RED || v == GL_GREEN || v == GL_BLUE || v == GL_ALPHA;
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

bool is_tiling(const Context& ctx, GLenum pname) {
    return pname == GL_TEXTURE_TILING_EXT && has_extension(ctx, extension_row("GL_EXT_memory_object"));
}

/// Sets the tiling of EXT_memory_object.
ParamResult set_tiling(Context& ctx, const char* command, Texture& t, GLint i) {
    if (i != GL_OPTIMAL_TILING_EXT && i != GL_LINEAR_TILING_EXT)
        return ctx.error(GL_INVALID_ENUM, command, "tiling 0x%04x", unsigned(i)), ParamResult::Error;
    if (t.immutable)
        return ctx.error(GL_INVALID_OPERATION, command, "texture %u has immutable storage", t.name),
               ParamResult::Error;
    t.tiling = GLenum(i);
    return ParamResult::Same;  // later storage gets it
}

/// Sets a parameter that samplers do not have.
ParamResult set_texture_param(Context& ctx, const char* command, Texture& t, GLenum pname, GLint i) {
    if (pname == GL_TEXTURE_TILING_EXT) return set_tiling(ctx, command, t, i);
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
        return ctx.error(GL_INVALID_OPERATION, command, "texture %u only has level 0", t.name),
               ParamResult::Error;
    return std::exchange(level, i) == i ? ParamResult::Same : ParamResult::Changed;
}

/// Buffer textures have no parameters.
bool param_target(const Context& ctx, GLenum target, TextureTarget* out) {
    return texture_target(ctx, target, out) && *out != TextureTarget::Buffer;
}

void set_param(Context& ctx, const char* command, GLenum target, GLenum pname, const ParamValue& v) {
    TextureTarget tt;
    if (!param_target(ctx, target, &tt)) return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    std::lock_guard lock(ctx.share->mutex);
    Texture& t = bound_texture(ctx, tt);
    const bool mode = pname == GL_DEPTH_STENCIL_TEXTURE_MODE && ctx.config.version >= 31;
    const bool of_texture =
        mode || is_tiling(ctx, pname) || swizzle_param(ctx, t, pname) || level_param(ctx, t, pname);
    if (!of_texture && t.is_multisample())
        return ctx.error(GL_INVALID_ENUM, command,
                         "pname 0x%04x: multisampled textures have no sampler state", pname);
    const ParamResult r =
        of_texture ? set_texture_param(ctx, command, t, pname, v.i)
                   : set_sampler_param(ctx, command, t.params, pname, v, tt == TextureTarget::External);
    if (r == ParamResult::Error) return;
    if (pname == GL_TEXTURE_MIN_FILTER) t.min_filter_set = true;
    if (r == ParamResult::Changed) texture_changed(ctx, t);
}

/// Values of EXT_texture_view. A texture of TexStorage* counts as a view of all of itself.
bool view_param(const Context& ctx, const Texture& t, GLenum pname, GLint* out) {
    if (!has_extension(ctx, extension_row("GL_EXT_texture_view"))) return false;
    const TextureImage* const base = t.immutable ? t.image(0, 0) : nullptr;
    if (pname == GL_TEXTURE_VIEW_MIN_LEVEL_EXT)
        *out = GLint(t.view.min_level);
    else if (pname == GL_TEXTURE_VIEW_MIN_LAYER_EXT)
        *out = GLint(t.view.min_layer);
    else if (pname == GL_TEXTURE_VIEW_NUM_LEVELS_EXT)
        *out = GLint(t.immutable_levels);
    else if (pname == GL_TEXTURE_VIEW_NUM_LAYERS_EXT)
        *out = !base           ? 0
               : t.view.layers ? GLint(t.view.layers)
               : t.is_volume() ? 1
                               : GLint(t.faces() * base->depth);
    else
        return false;
    return true;
}

/// Number of planes after the first one of an external texture. Each needs a unit.
unsigned chroma_planes(const Texture& t) {
    const TextureImage* const i = t.image(0, 0);
    return i && i->yuv ? i->yuv->count() : 0;
}

/// Values that textures have and samplers lack. False: not one of them.
bool get_texture_param(const Context& ctx, Texture& t, GLenum pname, GLint* out) {
    const int version = ctx.config.version;
    if (pname == GL_DEPTH_STENCIL_TEXTURE_MODE && version >= 31)
        *out = GLint(t.depth_stencil_mode);
    else if (is_tiling(ctx, pname))
        *out = GLint(t.tiling);
    else if (const GLenum* swizzle = swizzle_param(ctx, t, pname))
        *out = GLint(*swizzle);
    else if (const GLint* level = level_param(ctx, t, pname))
        *out = *level;
    else if (pname == GL_TEXTURE_IMMUTABLE_FORMAT_EXT)
        *out = t.immutable;
    else if (pname == GL_TEXTURE_IMMUTABLE_LEVELS && version >= 30)
        *out = GLint(t.storage_levels());
    else if (view_param(ctx, t, pname, out))
        return true;
    else if (pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES)
        *out = 1 + GLint(chroma_planes(t));
    else if (pname == GL_IMAGE_FORMAT_COMPATIBILITY_TYPE && version >= 31)
        *out = GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE;
    else
        return false;
    return true;
}

bool get_param(Context& ctx, const char* command, GLenum target, GLenum pname, ParamValue* out) {
    TextureTarget tt;
    if (!param_target(ctx, target, &tt)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return false;
    }
    Texture& t = bound_texture(ctx, tt);
    if (get_sampler_param(ctx, t.params, pname, out)) return true;
    if (get_texture_param(ctx, t, pname, &out->i)) {
        out->f = GLfloat(out->i);
        return true;
    }
    ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
    return false;
}

}  // namespace

void TexParameteri(Context& ctx, GLenum target, GLenum pname, GLint param) {
    set_param(ctx, "glTexParameteri", target, pname, {param, GLfloat(param), {}});
}
void TexParameterf(Context& ctx, GLenum target, GLenum pname, GLfloat param) {
    set_param(ctx, "glTexParameterf", target, pname, {param_to_int(param), param, {}});
}
void TexParameteriv(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
    if (params) set_param(ctx, "glTexParameteriv", target, pname, param_value(pname, params));
}
void TexParameterfv(Context& ctx, GLenum target, GLenum pname, const GLfloat* params) {
    if (params) set_param(ctx, "glTexParameterfv", target, pname, param_value(pname, params));
}
void TexParameterIiv(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
    if (params) set_param(ctx, "glTexParameterIiv", target, pname, param_value_I(pname, params));
}
void TexParameterIuiv(Context& ctx, GLenum target, GLenum pname, const GLuint* params) {
    if (params) set_param(ctx, "glTexParameterIuiv", target, pname, param_value_I(pname, params));
}

void GetTexParameterfv(Context& ctx, GLenum target, GLenum pname, GLfloat* params) {
    ParamValue v;
    if (get_param(ctx, "glGetTexParameterfv", target, pname, &v)) write_param(v, params);
}
void GetTexParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    ParamValue v;
    if (get_param(ctx, "glGetTexParameteriv", target, pname, &v)) write_param(v, params);
}
void GetTexParameterIiv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    ParamValue v;
    if (get_param(ctx, "glGetTexParameterIiv", target, pname, &v)) write_param_I(v, params);
}
void GetTexParameterIuiv(Context& ctx, GLenum target, GLenum pname, GLuint* params) {
    ParamValue v;
    if (get_param(ctx, "glGetTexParameterIuiv", target, pname, &v)) write_param_I(v, params);
}

}  // namespace terrazzo::st
