// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lights, the light model and the material (section 2.12).
#include <algorithm>

#include "api/es1/context.h"
#include "api/es1/fixed.h"

namespace terrazzo::es1 {
namespace {

Light* find_light(Context& ctx, GLenum light, const char* command) {
    if (light >= GL_LIGHT0 && light < GL_LIGHT0 + kLights) return &ctx.state.lights[light - GL_LIGHT0];
    ctx.gl.error(GL_INVALID_ENUM, command, "light 0x%04x is not one of %u lights", light, kLights);
    return nullptr;
}

Vec4 vec4(const GLfloat* v) {
    return {v[0], v[1], v[2], v[3]};
}

void out_of_range(Context& ctx, const char* command, GLenum pname, float value) {
    ctx.gl.error(GL_INVALID_VALUE, command, "parameter 0x%04x cannot be %g", pname, double(value));
}

/// Sets one number. False: there is no such parameter.
bool set_number(Context& ctx, const char* command, Light& l, GLenum pname, float v) {
    float* field = nullptr;
    bool valid = v >= 0;
    switch (pname) {
        case GL_SPOT_EXPONENT:
            field = &l.spot_exponent, valid &= v <= 128;
            break;
        case GL_SPOT_CUTOFF:
            field = &l.spot_cutoff, valid &= v <= 90 || v == 180;
            break;
        case GL_CONSTANT_ATTENUATION:
        case GL_LINEAR_ATTENUATION:
        case GL_QUADRATIC_ATTENUATION:
            field = &l.attenuation[pname - GL_CONSTANT_ATTENUATION];
            break;
        default:
            return false;
    }
    if (valid)
        *field = v;
    else
        out_of_range(ctx, command, pname, v);
    return true;
}

Vec4* light_color(Light& l, GLenum pname) {
    return pname == GL_AMBIENT    ? &l.ambient
           : pname == GL_DIFFUSE  ? &l.diffuse
           : pname == GL_SPECULAR ? &l.specular
                                  : nullptr;
}

void set_light(Context& ctx, const char* command, GLenum light, GLenum pname, const GLfloat* v, bool vector) {
    Light* l = find_light(ctx, light, command);
    if (!l || !v) return;
    if (!set_number(ctx, command, *l, pname, v[0])) {
        Vec4* color = light_color(*l, pname);
        if (!vector || (!color && pname != GL_POSITION && pname != GL_SPOT_DIRECTION))
            return ctx.gl.error(GL_INVALID_ENUM, command,
                                "pname 0x%04x is no parameter of lights that this command sets", pname);
        if (color)
            *color = vec4(v);
        else if (pname == GL_POSITION)
            l->position = ctx.modelview.top() * vec4(v);
        else  // transformed by the upper left 3x3
            l->spot_direction = ctx.modelview.top() * Vec4{v[0], v[1], v[2], 0};
    }
    ctx.touch(Group::Lights);
}

void set_model(Context& ctx, const char* command, GLenum pname, const GLfloat* v, bool vector) {
    if (!v) return;
    if (pname == GL_LIGHT_MODEL_TWO_SIDE)
        ctx.state.two_side = v[0] != 0;
    else if (pname == GL_LIGHT_MODEL_AMBIENT && vector)
        ctx.state.scene_ambient = vec4(v);
    else
        return ctx.gl.error(GL_INVALID_ENUM, command,
                            "pname 0x%04x is no parameter of the light model that this command sets", pname);
    ctx.touch(Group::LightModel);
}

void set_material(Context& ctx, const char* command, GLenum face, GLenum pname, const GLfloat* v,
                  bool vector) {
    if (face != GL_FRONT_AND_BACK)
        return ctx.gl.error(GL_INVALID_ENUM, command, "face 0x%04x is not GL_FRONT_AND_BACK", face);
    if (!v) return;
    Material& m = ctx.state.material;
    const bool tracks = ctx.state.color_material;  // the current colour is then ambient and diffuse
    if (pname == GL_SHININESS) {
        if (!(v[0] >= 0 && v[0] <= 128)) return out_of_range(ctx, command, pname, v[0]);
        m.shininess = v[0];
    } else if (!vector) {
        return ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x is not GL_SHININESS", pname);
    } else if (pname == GL_AMBIENT || pname == GL_DIFFUSE || pname == GL_AMBIENT_AND_DIFFUSE) {
        if (tracks) return;
        if (pname != GL_DIFFUSE) m.ambient = vec4(v);
        if (pname != GL_AMBIENT) m.diffuse = vec4(v);
    } else if (pname == GL_SPECULAR) {
        m.specular = vec4(v);
    } else if (pname == GL_EMISSION) {
        m.emission = vec4(v);
    } else {
        return ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x is no parameter of materials", pname);
    }
    ctx.touch(Group::Material);
}

void write(const Vec4& v, GLfloat* out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}

bool get_light(Context& ctx, const char* command, GLenum light, GLenum pname, GLfloat* out) {
    Light* l = find_light(ctx, light, command);
    if (!l) return false;
    if (const Vec4* color = light_color(*l, pname)) return write(*color, out), true;
    switch (pname) {
        case GL_POSITION:
            return write(l->position, out), true;
        case GL_SPOT_DIRECTION:
            return write(l->spot_direction, out), true;
        case GL_SPOT_EXPONENT:
            return out[0] = l->spot_exponent, true;
        case GL_SPOT_CUTOFF:
            return out[0] = l->spot_cutoff, true;
        case GL_CONSTANT_ATTENUATION:
        case GL_LINEAR_ATTENUATION:
        case GL_QUADRATIC_ATTENUATION:
            return out[0] = l->attenuation[pname - GL_CONSTANT_ATTENUATION], true;
        default:
            ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x is no parameter of lights", pname);
            return false;
    }
}

bool get_material(Context& ctx, const char* command, GLenum face, GLenum pname, GLfloat* out) {
    if (face != GL_FRONT && face != GL_BACK) {
        ctx.gl.error(GL_INVALID_ENUM, command, "face 0x%04x is neither GL_FRONT nor GL_BACK", face);
        return false;
    }
    const Material& m = ctx.state.material;
    switch (pname) {
        case GL_AMBIENT:
            return write(m.ambient, out), true;
        case GL_DIFFUSE:
            return write(m.diffuse, out), true;
        case GL_SPECULAR:
            return write(m.specular, out), true;
        case GL_EMISSION:
            return write(m.emission, out), true;
        case GL_SHININESS:
            return out[0] = m.shininess, true;
        default:
            ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x is no parameter of materials", pname);
            return false;
    }
}

}  // namespace

void Lightf(Context& ctx, GLenum light, GLenum pname, GLfloat param) {
    set_light(ctx, "glLightf", light, pname, &param, false);
}
void Lightfv(Context& ctx, GLenum light, GLenum pname, const GLfloat* params) {
    set_light(ctx, "glLightfv", light, pname, params, true);
}
void Lightx(Context& ctx, GLenum light, GLenum pname, GLfixed param) {
    const GLfloat v = from_fixed(param);
    set_light(ctx, "glLightx", light, pname, &v, false);
}
void Lightxv(Context& ctx, GLenum light, GLenum pname, const GLfixed* params) {
    if (params) set_light(ctx, "glLightxv", light, pname, fixed_parameters(pname, params).v, true);
}
void LightModelf(Context& ctx, GLenum pname, GLfloat param) {
    set_model(ctx, "glLightModelf", pname, &param, false);
}
void LightModelfv(Context& ctx, GLenum pname, const GLfloat* params) {
    set_model(ctx, "glLightModelfv", pname, params, true);
}
void LightModelx(Context& ctx, GLenum pname, GLfixed param) {
    const GLfloat v = GLfloat(param);  // a boolean
    set_model(ctx, "glLightModelx", pname, &v, false);
}
void LightModelxv(Context& ctx, GLenum pname, const GLfixed* params) {
    if (params) set_model(ctx, "glLightModelxv", pname, fixed_parameters(pname, params).v, true);
}
void Materialf(Context& ctx, GLenum face, GLenum pname, GLfloat param) {
    set_material(ctx, "glMaterialf", face, pname, &param, false);
}
void Materialfv(Context& ctx, GLenum face, GLenum pname, const GLfloat* params) {
    set_material(ctx, "glMaterialfv", face, pname, params, true);
}
void Materialx(Context& ctx, GLenum face, GLenum pname, GLfixed param) {
    const GLfloat v = from_fixed(param);
    set_material(ctx, "glMaterialx", face, pname, &v, false);
}
void Materialxv(Context& ctx, GLenum face, GLenum pname, const GLfixed* params) {
    if (params) set_material(ctx, "glMaterialxv", face, pname, fixed_parameters(pname, params).v, true);
}

void GetLightfv(Context& ctx, GLenum light, GLenum pname, GLfloat* params) {
    GLfloat v[4] = {};
    if (get_light(ctx, "glGetLightfv", light, pname, v)) std::copy_n(v, parameter_count(pname), params);
}
void GetLightxv(Context& ctx, GLenum light, GLenum pname, GLfixed* params) {
    GLfloat v[4] = {};
    if (get_light(ctx, "glGetLightxv", light, pname, v)) write_fixed_parameters(pname, v, params);
}
void GetMaterialfv(Context& ctx, GLenum face, GLenum pname, GLfloat* params) {
    GLfloat v[4] = {};
    if (get_material(ctx, "glGetMaterialfv", face, pname, v)) std::copy_n(v, parameter_count(pname), params);
}
void GetMaterialxv(Context& ctx, GLenum face, GLenum pname, GLfixed* params) {
    GLfloat v[4] = {};
    if (get_material(ctx, "glGetMaterialxv", face, pname, v)) write_fixed_parameters(pname, v, params);
}

}  // namespace terrazzo::es1
