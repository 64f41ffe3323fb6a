// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/sampler.h"

#include "state_tracker/context/names.h"

namespace terrazzo::st {

namespace {

/// The sampler with a name that GenSamplers returned. Null: there is none, and the error is recorded.
Sampler* find_sampler(Context& ctx, const char* command, GLuint name) {
    Sampler* const s = name ? ctx.share->samplers.find(name) : nullptr;
    if (!s) ctx.error(GL_INVALID_OPERATION, command, "%u is not the name of a sampler", name);
    return s;
}

void set_param(Context& ctx, const char* command, GLuint sampler, GLenum pname, const ParamValue& v) {
    std::lock_guard lock(ctx.share->mutex);
    Sampler* const s = find_sampler(ctx, command, sampler);
    if (!s || set_sampler_param(ctx, command, s->params, pname, v, false) != ParamResult::Changed) return;
    ++s->stamp;
    ctx.dirty |= dirty::kTextures;
}

bool get_param(Context& ctx, const char* command, GLuint sampler, GLenum pname, ParamValue* out) {
    std::lock_guard lock(ctx.share->mutex);
    Sampler* const s = find_sampler(ctx, command, sampler);
    if (!s) return false;
    if (get_sampler_param(ctx, s->params, pname, out)) return true;
    ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
    return false;
}

}  // namespace

void GenSamplers(Context& ctx, GLsizei count, GLuint* samplers) {
    if (count < 0) return ctx.error(GL_INVALID_VALUE, "glGenSamplers", "count %d is negative", count);
    std::lock_guard lock(ctx.share->mutex);
    reserve_names(ctx.share->samplers, count, samplers);
    // Unlike other objects, a sampler is created together with its name (section 3.8.2).
    for (GLsizei n = 0; samplers && n < count; ++n)
        ctx.share->samplers.set(samplers[n], pipe::Ref<Sampler>::adopt(new Sampler(samplers[n])));
}

void DeleteSamplers(Context& ctx, GLsizei count, const GLuint* samplers) {
    if (count < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteSamplers", "count %d is negative", count);
    for (GLsizei n = 0; samplers && n < count; ++n) {
        if (!samplers[n]) continue;
        pipe::Ref<Sampler> s;
        {
            std::lock_guard lock(ctx.share->mutex);
            s = ctx.share->samplers.remove(samplers[n]);
        }
        if (!s) continue;
        s->name_deleted = true;
        for (pipe::Ref<Sampler>& unit : ctx.samplers)
            if (unit == s) {
                unit = nullptr;
                ctx.dirty |= dirty::kTextures;
            }
    }
}

GLboolean IsSampler(Context& ctx, GLuint sampler) {
    std::lock_guard lock(ctx.share->mutex);
    return sampler && ctx.share->samplers.find(sampler);
}

void BindSampler(Context& ctx, GLuint unit, GLuint sampler) {
    if (unit >= GLuint(ctx.limits.max_combined_textures) || unit >= kMaxTextureUnits)
        return ctx.error(GL_INVALID_VALUE, "glBindSampler", "unit %u is not one of %d", unit,
                         ctx.limits.max_combined_textures);
    pipe::Ref<Sampler> s;
    if (sampler) {
        std::lock_guard lock(ctx.share->mutex);
        s = pipe::Ref<Sampler>(find_sampler(ctx, "glBindSampler", sampler));
        if (!s) return;
    }
    ctx.samplers[unit] = std::move(s);
    ctx.dirty |= dirty::kTextures;  // also for a rebind, which makes other contexts' changes visible
}

void SamplerParameteri(Context& ctx, GLuint sampler, GLenum pname, GLint param) {
    set_param(ctx, "glSamplerParameteri", sampler, pname, {param, GLfloat(param), {}});
}
void SamplerParameterf(Context& ctx, GLuint sampler, GLenum pname, GLfloat param) {
    set_param(ctx, "glSamplerParameterf", sampler, pname, {param_to_int(param), param, {}});
}
void SamplerParameteriv(Context& ctx, GLuint sampler, GLenum pname, const GLint* param) {
    if (param) set_param(ctx, "glSamplerParameteriv", sampler, pname, param_value(pname, param));
}
void SamplerParameterfv(Context& ctx, GLuint sampler, GLenum pname, const GLfloat* param) {
    if (param) set_param(ctx, "glSamplerParameterfv", sampler, pname, param_value(pname, param));
}
void SamplerParameterIiv(Context& ctx, GLuint sampler, GLenum pname, const GLint* param) {
    if (param) set_param(ctx, "glSamplerParameterIiv", sampler, pname, param_value_I(pname, param));
}
void SamplerParameterIuiv(Context& ctx, GLuint sampler, GLenum pname, const GLuint* param) {
    if (param) set_param(ctx, "glSamplerParameterIuiv", sampler, pname, param_value_I(pname, param));
}

void GetSamplerParameterfv(Context& ctx, GLuint sampler, GLenum pname, GLfloat* params) {
    ParamValue v;
    if (get_param(ctx, "glGetSamplerParameterfv", sampler, pname, &v)) write_param(v, params);
}
void GetSamplerParameteriv(Context& ctx, GLuint sampler, GLenum pname, GLint* params) {
    ParamValue v;
    if (get_param(ctx, "glGetSamplerParameteriv", sampler, pname, &v)) write_param(v, params);
}
void GetSamplerParameterIiv(Context& ctx, GLuint sampler, GLenum pname, GLint* params) {
    ParamValue v;
    if (get_param(ctx, "glGetSamplerParameterIiv", sampler, pname, &v)) write_param_I(v, params);
}
void GetSamplerParameterIuiv(Context& ctx, GLuint sampler, GLenum pname, GLuint* params) {
    ParamValue v;
    if (get_param(ctx, "glGetSamplerParameterIuiv", sampler, pname, &v)) write_param_I(v, params);
}

}  // namespace terrazzo::st
