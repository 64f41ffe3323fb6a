// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State of rasterization: fog, points, user clip planes, alpha test, blending, logic operations, hints; and
// fixed-point variants of the state tracker's commands.
#include <algorithm>

#include "api/es1/context.h"
#include "api/es1/fixed.h"

namespace terrazzo::es1 {
namespace {

void set_fog(Context& ctx, const char* command, GLenum pname, const GLfloat* v, bool vector) {
    Fog& f = ctx.state.fog;
    switch (pname) {
        case GL_FOG_MODE:
            if (v[0] != GL_LINEAR && v[0] != GL_EXP && v[0] != GL_EXP2)
                return ctx.gl.error(GL_INVALID_ENUM, command,
                                    "the mode is none of GL_LINEAR, GL_EXP and GL_EXP2");
            f.mode = GLenum(v[0]);
            break;
        case GL_FOG_DENSITY:
            if (!(v[0] >= 0))
                return ctx.gl.error(GL_INVALID_VALUE, command, "the density %g is negative", double(v[0]));
            f.density = v[0];
            break;
        case GL_FOG_START:
            f.start = v[0];
            break;
        case GL_FOG_END:
            f.end = v[0];
            break;
        case GL_FOG_COLOR:
            if (vector) {
                const auto clamped = [&](int i) { return std::clamp(v[i], 0.0f, 1.0f); };
                f.color = {clamped(0), clamped(1), clamped(2), clamped(3)};
                break;
            }
            [[fallthrough]];
        default:
            return ctx.gl.error(GL_INVALID_ENUM, command,
                                "pname 0x%04x is no parameter of fog that this command sets", pname);
    }
    ctx.touch(Group::Fog);
}

void set_point(Context& ctx, const char* command, GLenum pname, const GLfloat* v, bool vector) {
    PointState& p = ctx.state.point;
    const bool attenuation = pname == GL_POINT_DISTANCE_ATTENUATION;
    if ((attenuation && !vector) || (!attenuation && pname != GL_POINT_SIZE_MIN &&
                                     pname != GL_POINT_SIZE_MAX && pname != GL_POINT_FADE_THRESHOLD_SIZE))
        return ctx.gl.error(GL_INVALID_ENUM, command,
                            "pname 0x%04x is no parameter of points that this command sets", pname);
    if (attenuation) {
        std::copy_n(v, 3, p.attenuation);
    } else {
        if (!(v[0] >= 0))
            return ctx.gl.error(GL_INVALID_VALUE, command, "pname 0x%04x cannot be %g", pname, double(v[0]));
        (pname == GL_POINT_SIZE_MIN ? p.min : pname == GL_POINT_SIZE_MAX ? p.max : p.fade_threshold) = v[0];
    }
    ctx.touch(Group::Points);
}

Vec4* find_plane(Context& ctx, GLenum plane, const char* command) {
    if (plane >= GL_CLIP_PLANE0 && plane < GL_CLIP_PLANE0 + kPlanes)
        return &ctx.state.planes[plane - GL_CLIP_PLANE0];
    ctx.gl.error(GL_INVALID_ENUM, command, "0x%04x is not one of %u clip planes", plane, kPlanes);
    return nullptr;
}

/// Blend factors of OpenGL ES 1.1: a colour cannot be its own factor.
bool is_factor(GLenum f, bool source) {
    switch (f) {
        case GL_ZERO:
        case GL_ONE:
        case GL_SRC_ALPHA:
        case GL_ONE_MINUS_SRC_ALPHA:
        case GL_DST_ALPHA:
        case GL_ONE_MINUS_DST_ALPHA:
            return true;
        case GL_DST_COLOR:
        case GL_ONE_MINUS_DST_COLOR:
        case GL_SRC_ALPHA_SATURATE:
            return source;
        case GL_SRC_COLOR:
        case GL_ONE_MINUS_SRC_COLOR:
            return !source;
        default:
            return false;
    }
}

}  // namespace

void Fogf(Context& ctx, GLenum pname, GLfloat param) {
    set_fog(ctx, "glFogf", pname, &param, false);
}
void Fogfv(Context& ctx, GLenum pname, const GLfloat* params) {
    if (params) set_fog(ctx, "glFogfv", pname, params, true);
}
void Fogx(Context& ctx, GLenum pname, GLfixed param) {
    const GLfloat v = is_enum_parameter(pname) ? GLfloat(param) : from_fixed(param);
    set_fog(ctx, "glFogx", pname, &v, false);
}
void Fogxv(Context& ctx, GLenum pname, const GLfixed* params) {
    if (params) set_fog(ctx, "glFogxv", pname, fixed_parameters(pname, params).v, true);
}

void PointSize(Context& ctx, GLfloat size) {
    if (!(size > 0))
        return ctx.gl.error(GL_INVALID_VALUE, "glPointSize", "size %g is not above 0", double(size));
    ctx.state.point.size = size;
    st::VertexAttrib4f(ctx.gl, attribute::kPointSize, size, 0, 0, 1);
}
void PointSizex(Context& ctx, GLfixed size) {
    PointSize(ctx, from_fixed(size));
}
void PointParameterf(Context& ctx, GLenum pname, GLfloat param) {
    set_point(ctx, "glPointParameterf", pname, &param, false);
}
void PointParameterfv(Context& ctx, GLenum pname, const GLfloat* params) {
    if (params) set_point(ctx, "glPointParameterfv", pname, params, true);
}
void PointParameterx(Context& ctx, GLenum pname, GLfixed param) {
    const GLfloat v = from_fixed(param);
    set_point(ctx, "glPointParameterx", pname, &v, false);
}
void PointParameterxv(Context& ctx, GLenum pname, const GLfixed* params) {
    if (params) set_point(ctx, "glPointParameterxv", pname, fixed_parameters(pname, params).v, true);
}

void ClipPlanef(Context& ctx, GLenum p, const GLfloat* eqn) {
    Vec4* plane = find_plane(ctx, p, "glClipPlanef");
    Matrix inverse;
    if (!plane || !eqn) return;
    // Undefined for a singular matrix (section 2.11); the plane then stays in the application's coordinates.
    (void)invert(ctx.modelview.top(), &inverse);
    *plane = Vec4{eqn[0], eqn[1], eqn[2], eqn[3]} * inverse;
    ctx.touch(Group::Planes);
}
void ClipPlanex(Context& ctx, GLenum plane, const GLfixed* equation) {
    if (equation) ClipPlanef(ctx, plane, Floats<4>(equation, 4).v);
}
void GetClipPlanef(Context& ctx, GLenum plane, GLfloat* equation) {
    const Vec4* p = find_plane(ctx, plane, "glGetClipPlanef");
    if (p) equation[0] = p->x, equation[1] = p->y, equation[2] = p->z, equation[3] = p->w;
}
void GetClipPlanex(Context& ctx, GLenum plane, GLfixed* equation) {
    const Vec4* p = find_plane(ctx, plane, "glGetClipPlanex");
    if (p)
        equation[0] = to_fixed(p->x), equation[1] = to_fixed(p->y), equation[2] = to_fixed(p->z),
        equation[3] = to_fixed(p->w);
}

void AlphaFunc(Context& ctx, GLenum func, GLfloat ref) {
    if (func < GL_NEVER || func > GL_ALWAYS)
        return ctx.gl.error(GL_INVALID_ENUM, "glAlphaFunc", "func 0x%04x is no comparison", func);
    ctx.state.alpha_func = func;
    ctx.state.alpha_ref = std::clamp(ref, 0.0f, 1.0f);
    ctx.touch(Group::AlphaTest);
}
void AlphaFuncx(Context& ctx, GLenum func, GLfixed ref) {
    AlphaFunc(ctx, func, from_fixed(ref));
}

void ShadeModel(Context& ctx, GLenum mode) {
    if (mode != GL_FLAT && mode != GL_SMOOTH)
        return ctx.gl.error(GL_INVALID_ENUM, "glShadeModel", "mode 0x%04x is neither GL_FLAT nor GL_SMOOTH",
                            mode);
    ctx.state.shade_model = mode;
}

void LogicOp(Context& ctx, GLenum opcode) {
    if (opcode < GL_CLEAR || opcode > GL_SET)
        return ctx.gl.error(GL_INVALID_ENUM, "glLogicOp", "opcode 0x%04x is no logic operation", opcode);
    ctx.state.logic_op = opcode;
}

void BlendFunc(Context& ctx, GLenum sfactor, GLenum dfactor) {
    if (!is_factor(sfactor, true) || !is_factor(dfactor, false))
        return ctx.gl.error(GL_INVALID_ENUM, "glBlendFunc",
                            "factors 0x%04x and 0x%04x are not both OpenGL ES 1.1's", sfactor, dfactor);
    st::BlendFunc(ctx.gl, sfactor, dfactor);
}
void BlendFuncSeparate(Context& ctx, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha) {
    if (!is_factor(srcRGB, true) || !is_factor(dstRGB, false) || !is_factor(srcAlpha, true) ||
        !is_factor(dstAlpha, false))
        return ctx.gl.error(GL_INVALID_ENUM, "glBlendFuncSeparateOES", "a factor is not OpenGL ES 1.1's");
    st::BlendFuncSeparate(ctx.gl, srcRGB, dstRGB, srcAlpha, dstAlpha);
}
void BlendEquation(Context& ctx, GLenum mode) {
    if (mode >= GL_MULTIPLY_KHR)  // an equation of later versions, which needs a declaration in the shader
        return ctx.gl.error(GL_INVALID_ENUM, "glBlendEquationOES", "mode 0x%04x is not OpenGL ES 1.1's",
                            mode);
    st::BlendEquation(ctx.gl, mode);
}

void Hint(Context& ctx, GLenum target, GLenum mode) {
    Hints& h = ctx.state.hints;
    GLenum* field = target == GL_PERSPECTIVE_CORRECTION_HINT ? &h.perspective_correction
                    : target == GL_POINT_SMOOTH_HINT         ? &h.point_smooth
                    : target == GL_LINE_SMOOTH_HINT          ? &h.line_smooth
                    : target == GL_FOG_HINT                  ? &h.fog
                                                             : nullptr;
    if (target == GL_GENERATE_MIPMAP_HINT) return st::Hint(ctx.gl, target, mode);
    if (!field) return ctx.gl.error(GL_INVALID_ENUM, "glHint", "target 0x%04x is no hint", target);
    if (mode != GL_FASTEST && mode != GL_NICEST && mode != GL_DONT_CARE)
        return ctx.gl.error(GL_INVALID_ENUM, "glHint", "mode 0x%04x is none", mode);
    *field = mode;
}

void ClearColorx(Context& ctx, GLfixed red, GLfixed green, GLfixed blue, GLfixed alpha) {
    st::ClearColor(ctx.gl, from_fixed(red), from_fixed(green), from_fixed(blue), from_fixed(alpha));
}
void ClearDepthx(Context& ctx, GLfixed depth) {
    st::ClearDepthf(ctx.gl, from_fixed(depth));
}
void DepthRangex(Context& ctx, GLfixed n, GLfixed f) {
    st::DepthRangef(ctx.gl, from_fixed(n), from_fixed(f));
}
void LineWidthx(Context& ctx, GLfixed width) {
    st::LineWidth(ctx.gl, from_fixed(width));
}
void PolygonOffsetx(Context& ctx, GLfixed factor, GLfixed units) {
    st::PolygonOffset(ctx.gl, from_fixed(factor), from_fixed(units));
}
void SampleCoveragex(Context& ctx, GLfixed value, GLboolean invert) {
    st::SampleCoverage(ctx.gl, from_fixed(value), invert);
}

}  // namespace terrazzo::es1
