// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The table of uniforms: name, group, and the computation of its value from the context's state.
#include "api/es1/uniforms.h"

#include <cmath>
#include <numbers>

#include "state_tracker/programs/program.h"

namespace terrazzo::es1 {
namespace {

void set(Context& ctx, GLint location, const Vec4& v) {
    st::Uniform4f(ctx.gl, location, v.x, v.y, v.z, v.w);
}
void set(Context& ctx, GLint location, const Matrix& m) {
    st::UniformMatrix4fv(ctx.gl, location, 1, GL_FALSE, m.m.data());
}

Vec4 normalized(const Vec4& v, float w) {
    const float length = std::hypot(v.x, v.y, v.z);
    return length > 0 ? Vec4{v.x / length, v.y / length, v.z / length, w} : Vec4{0, 0, 0, w};
}

Vec4 light_position(const Light& l) {
    const Vec4& p = l.position;
    return p.w == 0 ? normalized(p, 0) : Vec4{p.x / p.w, p.y / p.w, p.z / p.w, 1};
}

/// A vec4 of each light.
template <class F>
void set_lights(Context& ctx, GLint location, F&& value) {
    GLfloat v[kLights * 4];
    for (unsigned i = 0; i < kLights; ++i) {
        const Vec4 x = value(ctx.state.lights[i]);
        v[i * 4] = x.x, v[i * 4 + 1] = x.y, v[i * 4 + 2] = x.z, v[i * 4 + 3] = x.w;
    }
    st::Uniform4fv(ctx.gl, location, kLights, v);
}

struct Row {
    const char* name;
    Group group;
    void (*set)(Context& ctx, GLint location);
};

#define TZ_UNIT_ROWS(n)                                                                                      \
    {"u_texture_matrix" #n, Group::TextureMatrix,                                                            \
     [](Context& c, GLint l) { set(c, l, c.texture_matrices[n].top()); }},                                   \
    {                                                                                                        \
        "u_env_color" #n, Group::Environment, [](Context& c, GLint l) { set(c, l, c.state.units[n].color); } \
    }

constexpr Row kRows[] = {
    {"u_mvp", Group::Transform,
     [](Context& c, GLint l) { set(c, l, c.projection.top() * c.modelview.top()); }},
    {"u_modelview", Group::Transform, [](Context& c, GLint l) { set(c, l, c.modelview.top()); }},
    {"u_normal", Group::Transform,
     [](Context& c, GLint l) {
         const auto m = normal_matrix(c.modelview.top(), c.state.rescale_normal);
         st::UniformMatrix3fv(c.gl, l, 1, GL_FALSE, m.data());
     }},
    TZ_UNIT_ROWS(0),
    TZ_UNIT_ROWS(1),
    TZ_UNIT_ROWS(2),
    TZ_UNIT_ROWS(3),
    {"u_scene_ambient", Group::LightModel, [](Context& c, GLint l) { set(c, l, c.state.scene_ambient); }},
    {"u_material_ambient", Group::Material, [](Context& c, GLint l) { set(c, l, c.state.material.ambient); }},
    {"u_material_diffuse", Group::Material, [](Context& c, GLint l) { set(c, l, c.state.material.diffuse); }},
    {"u_material_specular", Group::Material,
     [](Context& c, GLint l) { set(c, l, c.state.material.specular); }},
    {"u_material_emission", Group::Material,
     [](Context& c, GLint l) { set(c, l, c.state.material.emission); }},
    {"u_shininess", Group::Material,
     [](Context& c, GLint l) { st::Uniform1f(c.gl, l, c.state.material.shininess); }},
    {"u_light_ambient", Group::Lights,
     [](Context& c, GLint l) { set_lights(c, l, [](const Light& x) { return x.ambient; }); }},
    {"u_light_diffuse", Group::Lights,
     [](Context& c, GLint l) { set_lights(c, l, [](const Light& x) { return x.diffuse; }); }},
    {"u_light_specular", Group::Lights,
     [](Context& c, GLint l) { set_lights(c, l, [](const Light& x) { return x.specular; }); }},
    {"u_light_position", Group::Lights, [](Context& c, GLint l) { set_lights(c, l, light_position); }},
    {"u_light_spot", Group::Lights,
     [](Context& c, GLint l) {
         set_lights(c, l, [](const Light& x) { return normalized(x.spot_direction, x.spot_exponent); });
     }},
    {"u_light_attenuation", Group::Lights,
     [](Context& c, GLint l) {
         set_lights(c, l, [](const Light& x) {
             const double angle = double(x.spot_cutoff) * std::numbers::pi / 180;
             return Vec4{x.attenuation[0], x.attenuation[1], x.attenuation[2], float(std::cos(angle))};
         });
     }},
    {"u_plane", Group::Planes,
     [](Context& c, GLint l) { st::Uniform4fv(c.gl, l, kPlanes, &c.state.planes[0].x); }},
    {"u_fog", Group::Fog,
     [](Context& c, GLint l) {
         const Fog& f = c.state.fog;
         // If start equals end the result is undefined; here it is a step.
         const float range = f.end - f.start;
         set(c, l, Vec4{f.density, f.start, f.end, range != 0 ? 1 / range : 1e30f});
     }},
    {"u_fog_color", Group::Fog, [](Context& c, GLint l) { set(c, l, c.state.fog.color); }},
    {"u_alpha_ref", Group::AlphaTest, [](Context& c, GLint l) { st::Uniform1f(c.gl, l, c.state.alpha_ref); }},
    {"u_point", Group::Points,
     [](Context& c, GLint l) {
         const PointState& p = c.state.point;
         set(c, l, Vec4{p.min, p.max, p.fade_threshold, c.gl.limits.point_size[1]});
     }},
    {"u_point_attenuation", Group::Points,
     [](Context& c, GLint l) {
         const float* a = c.state.point.attenuation;
         st::Uniform3f(c.gl, l, a[0], a[1], a[2]);
     }},
};
#undef TZ_UNIT_ROWS
static_assert(sizeof(Vec4) == 4 * sizeof(GLfloat));

}  // namespace

Uniforms::Uniforms(const st::Executable& e) {
    for (unsigned row = 0; row < std::size(kRows); ++row) {
        uint32_t element = 0;
        const int32_t index = e.find_uniform(kRows[row].name, &element);
        for (size_t l = 0; index >= 0 && l < e.locations.size(); ++l)
            if (e.locations[l].uniform == index && e.locations[l].element == 0)
                used_[size_t(kRows[row].group)].push_back({row, GLint(l)});
    }
}

void Uniforms::update(Context& ctx) {
    for (unsigned g = 0; g < kGroups; ++g) {
        if (stamps_[g] == ctx.stamps[g]) continue;
        for (const Used& u : used_[g])
            kRows[u.row].set(ctx, u.location);
        stamps_[g] = ctx.stamps[g];
    }
}

}  // namespace terrazzo::es1
