// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Keys of state, and the shaders that are generated from them.
#include <random>

#include "api/es1/programs.h"
#include "api/es1/shaders.h"
#include "tests/api/es1/harness.h"

using namespace terrazzo;
using namespace terrazzo::es1;

TEST_CASE("es1 shader: the default state") {
    test::Es1Harness h;
    CHECK(h.key() == Key{});
    CHECK(vertex_shader({}) == R"(#version 300 es
layout(location = 0) in vec4 a_position;
layout(location = 2) in vec4 a_color;
uniform mat4 u_mvp;
out vec4 v_color;
void main() {
    gl_Position = u_mvp * a_position;
    v_color = clamp(a_color, 0.0, 1.0);
}
)");
    CHECK(fragment_shader({}) == R"(#version 300 es
precision highp float;
precision highp int;
in vec4 v_color;
out vec4 o_color;
void main() {
    vec4 primary = v_color;
    vec4 c = primary;
    o_color = c;
}
)");
}

TEST_CASE("es1 shader: state that a draw does not use is not in the key") {
    test::Es1Harness h;
    Enable(h.es1, GL_LIGHT0);  // lighting is disabled
    Enable(h.es1, GL_POINT_SPRITE_OES);
    Enable(h.es1, GL_NORMALIZE);
    Enable(h.es1, GL_ALPHA_TEST);      // GL_ALWAYS
    Enable(h.es1, GL_TEXTURE_2D);      // incomplete
    Enable(h.es1, GL_COLOR_LOGIC_OP);  // GL_COPY
    TexEnvi(h.es1, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL);
    CHECK(h.key() == Key{});
    ShadeModel(h.es1, GL_FLAT);
    CHECK_FALSE(h.key(GL_POINTS).flat);
    CHECK(h.key().flat);
}

TEST_CASE("es1 shader: texture, fog, alpha test, clip plane") {
    test::Es1Harness h;
    h.texture(GL_LUMINANCE_ALPHA);
    Enable(h.es1, GL_FOG);
    Fogf(h.es1, GL_FOG_MODE, GL_LINEAR);
    Enable(h.es1, GL_ALPHA_TEST);
    AlphaFunc(h.es1, GL_GREATER, 0.5f);
    Enable(h.es1, GL_CLIP_PLANE1);
    CHECK(vertex_shader(h.key()) == R"(#version 300 es
layout(location = 0) in vec4 a_position;
layout(location = 2) in vec4 a_color;
uniform mat4 u_mvp;
uniform mat4 u_modelview;
uniform vec4 u_plane[6];
out float v_plane1;
out vec4 v_color;
out float v_fog;
layout(location = 4) in vec4 a_coord0;
out vec2 v_coord0;
void main() {
    gl_Position = u_mvp * a_position;
    vec4 eye = u_modelview * a_position;
    v_color = clamp(a_color, 0.0, 1.0);
    v_fog = abs(eye.z);
    v_plane1 = dot(u_plane[1], eye);
    v_coord0 = a_coord0.xy;
}
)");
    CHECK(fragment_shader(h.key()) == R"(#version 300 es
precision highp float;
precision highp int;
uniform sampler2D u_texture0;
in vec2 v_coord0;
in vec4 v_color;
in float v_plane1;
in float v_fog;
uniform vec4 u_fog;
uniform vec4 u_fog_color;
uniform float u_alpha_ref;
out vec4 o_color;
void main() {
    vec4 t0 = texture(u_texture0, v_coord0);
    vec4 primary = v_color;
    vec4 c = primary;
    c = vec4(c.rgb * t0.rgb, c.a * t0.a);
    c.rgb = mix(u_fog_color.rgb, c.rgb, clamp((u_fog.z - v_fog) * u_fog.w, 0.0, 1.0));
    if (v_plane1 < 0.0) discard;
    if (c.a <= u_alpha_ref) discard;
    o_color = c;
}
)");
}

TEST_CASE("es1 shader: coordinates are divided if q may differ from 1") {
    test::Es1Harness h;
    h.texture(GL_RGBA);
    CHECK_FALSE(h.key().units[0].projective);
    MultiTexCoord4f(h.es1, GL_TEXTURE0, 0, 0, 0, 2);
    CHECK(h.key().units[0].projective);
    EnableClientState(h.es1, GL_TEXTURE_COORD_ARRAY);
    TexCoordPointer(h.es1, 3, GL_FLOAT, 0, nullptr);
    CHECK_FALSE(h.key().units[0].projective);
    MatrixMode(h.es1, GL_TEXTURE);
    Translatef(h.es1, 1, 0, 0);
    CHECK(h.key().units[0].matrix);
    CHECK_FALSE(h.key().units[0].projective);
    Frustumf(h.es1, -1, 1, -1, 1, 1, 2);
    CHECK(h.key().units[0].projective);
    CHECK(vertex_shader(h.key()).find("v_coord0 = (u_texture_matrix0 * a_coord0);") != std::string::npos);
    CHECK(fragment_shader(h.key()).find("texture(u_texture0, v_coord0.xy / v_coord0.w)") !=
          std::string::npos);
}

TEST_CASE("es1 shader: combiners") {
    test::Es1Harness h;
    h.texture(GL_RGBA);
    const auto env = [&](GLenum pname, GLenum value) { TexEnvi(h.es1, GL_TEXTURE_ENV, pname, GLint(value)); };
    env(GL_TEXTURE_ENV_MODE, GL_COMBINE);
    env(GL_COMBINE_RGB, GL_INTERPOLATE);
    env(GL_OPERAND1_RGB, GL_ONE_MINUS_SRC_ALPHA);
    env(GL_COMBINE_ALPHA, GL_SUBTRACT);
    env(GL_ALPHA_SCALE, 2);
    CHECK(fragment_shader(h.key()).find("    c = clamp(vec4(mix(vec3(1.0 - c.a), t0.rgb, "
                                        "vec3(u_env_color0.a)), 2.0 * (t0.a - c.a)), 0.0, 1.0);\n") !=
          std::string::npos);
    env(GL_COMBINE_RGB, GL_DOT3_RGBA);
    env(GL_OPERAND1_RGB, GL_SRC_COLOR);
    env(GL_SRC1_RGB, GL_TEXTURE1);  // this unit has no texture
    CHECK(fragment_shader(h.key()).find(
              "    c = clamp((vec3(4.0 * dot(t0.rgb - 0.5, vec4(0.0).rgb - 0.5))).xxxx, 0.0, 1.0);\n") !=
          std::string::npos);
}

namespace {

Key random_key(std::mt19937& random) {
    const auto below = [&](unsigned n) { return uint8_t(random() % n); };
    Key k;
    for (unsigned i = 0; i < kUnits; ++i) {
        UnitKey& u = k.units[i];
        u.texture = TextureKind(below(4));
        if (u.texture == TextureKind::None) continue;
        u.format = BaseFormat(below(5));
        u.mode = EnvMode(below(6));
        u.gen = TexGen(below(3));
        u.matrix = below(2), u.projective = u.texture != TextureKind::Cube && below(2),
        u.replace = below(4) == 0;
        if (u.replace) u.gen = TexGen::None;
        if (u.mode != EnvMode::Combine) continue;
        for (CombineKey* c : {&u.rgb, &u.alpha}) {
            c->function = CombineFunction(below(c == &u.rgb ? 8 : 6));
            for (unsigned a = 0; a < 3; ++a)
                c->source[a] = below(8), c->operand[a] = uint8_t(c == &u.rgb ? below(4) : 2 + below(2));
            c->scale = uint8_t(1 << below(3));
        }
    }
    k.lighting = below(2), k.two_side = k.lighting && below(2), k.color_material = below(2),
    k.normalize = below(2), k.flat = below(2);
    if (k.lighting)
        k.lights = below(255), k.positional = k.lights & below(255), k.spot = k.lights & below(255);
    k.planes = below(64);
    k.fog = FogMode(below(4));
    k.alpha_func = below(8);
    k.points = below(2);
    if (k.points) k.attenuate = below(2), k.smooth_points = below(2), k.sprites = below(2), k.fade = below(2);
    k.alpha_to_one = below(2);
    k.logic_op = below(3) == 0 ? uint8_t(1 + below(16)) : 0;
    k.color_bits = {8, 8, 8, below(9)};
    return k;
}

}  // namespace

TEST_CASE("es1 shader: every key results in shaders that link, and each is generated once") {
    test::Es1Harness h;
    std::mt19937 random(11);
    for (unsigned i = 1; i <= 60; ++i) {
        const Key k = random_key(random);
        CAPTURE(vertex_shader(k));
        CAPTURE(fragment_shader(k));
        REQUIRE(h.es1.programs->use(h.es1, k, "test"));
        REQUIRE(h.es1.programs->use(h.es1, k, "test"));
        CHECK(h.es1.programs->count() == i);
        CHECK(h.error() == GL_NO_ERROR);
    }
    // Their names cannot conflict with the application's.
    CHECK_FALSE(st::IsProgram(h.ctx, 1));
    CHECK_FALSE(st::IsShader(h.ctx, 1));
}
