// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State, its getters and the errors of OpenGL ES 1.1's commands.
#include <cstring>

#include "tests/api/es1/harness.h"

using namespace terrazzo;
using namespace terrazzo::es1;

TEST_CASE("es1 state: strings and limits") {
    test::Es1Harness h;
    const auto string = [&](GLenum name) {
        return std::string(reinterpret_cast<const char*>(GetString(h.es1, name)));
    };
    CHECK(string(GL_VERSION).rfind("OpenGL ES-CM 1.1 Terrazzo ", 0) == 0);
    CHECK(string(GL_RENDERER) == "fake");
    CHECK(string(GL_EXTENSIONS).find("GL_OES_draw_texture") != std::string::npos);
    CHECK(string(GL_EXTENSIONS).find("GL_EXT_texture_filter_anisotropic") != std::string::npos);
    CHECK(GetString(h.es1, GL_SHADING_LANGUAGE_VERSION) == nullptr);
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(h.number(GL_MAX_LIGHTS) == 8);
    CHECK(h.number(GL_MAX_CLIP_PLANES) == 6);
    CHECK(h.number(GL_MAX_TEXTURE_UNITS) == 4);
    CHECK(h.number(GL_NUM_COMPRESSED_TEXTURE_FORMATS) == 11);
}

TEST_CASE("es1 state: each light's parameters, positions in eye coordinates") {
    test::Es1Harness h;
    GLfloat v[4];
    GetLightfv(h.es1, GL_LIGHT0, GL_DIFFUSE, v);
    CHECK((v[0] == 1 && v[3] == 1));
    GetLightfv(h.es1, GL_LIGHT1, GL_DIFFUSE, v);
    CHECK((v[0] == 0 && v[3] == 1));
    Translatef(h.es1, 10, 0, 0);
    const GLfloat position[4] = {1, 2, 3, 1}, direction[3] = {0, 0, -2};
    Lightfv(h.es1, GL_LIGHT7, GL_POSITION, position);
    Lightfv(h.es1, GL_LIGHT7, GL_SPOT_DIRECTION, direction);
    LoadIdentity(h.es1);
    GetLightfv(h.es1, GL_LIGHT7, GL_POSITION, v);
    CHECK((v[0] == 11 && v[1] == 2 && v[2] == 3 && v[3] == 1));
    GetLightfv(h.es1, GL_LIGHT7, GL_SPOT_DIRECTION, v);
    CHECK((v[0] == 0 && v[2] == -2));
    GLfixed fixed[4];
    GetLightxv(h.es1, GL_LIGHT7, GL_POSITION, fixed);
    CHECK(fixed[0] == 11 << 16);
    Lightx(h.es1, GL_LIGHT7, GL_SPOT_CUTOFF, 45 << 16);
    GetLightfv(h.es1, GL_LIGHT7, GL_SPOT_CUTOFF, v);
    CHECK(v[0] == 45);
    CHECK(h.error() == GL_NO_ERROR);
    const struct {
        GLenum light, pname;
        GLfloat value;
        GLenum error;
    } wrong[] = {{GL_LIGHT0 + 8, GL_SPOT_CUTOFF, 45, GL_INVALID_ENUM},
                 {GL_LIGHT0, GL_POSITION, 1, GL_INVALID_ENUM},
                 {GL_LIGHT0, GL_SPOT_CUTOFF, 91, GL_INVALID_VALUE},
                 {GL_LIGHT0, GL_SPOT_EXPONENT, 129, GL_INVALID_VALUE},
                 {GL_LIGHT0, GL_LINEAR_ATTENUATION, -1, GL_INVALID_VALUE},
                 {GL_LIGHT0, GL_SHININESS, 1, GL_INVALID_ENUM}};
    for (const auto& w : wrong) {
        Lightf(h.es1, w.light, w.pname, w.value);
        CHECK(h.error() == w.error);
    }
    GetLightfv(h.es1, GL_LIGHT0, GL_SPOT_CUTOFF, v);
    CHECK(v[0] == 180);
}

TEST_CASE("es1 state: material and colour material") {
    test::Es1Harness h;
    GLfloat v[4];
    GetMaterialfv(h.es1, GL_FRONT, GL_DIFFUSE, v);
    CHECK(v[0] == 0.8f);
    Color4f(h.es1, 0.25f, 0.5f, 0.75f, 1);
    Enable(h.es1, GL_COLOR_MATERIAL);
    GetMaterialfv(h.es1, GL_BACK, GL_AMBIENT, v);
    CHECK((v[0] == 0.25f && v[2] == 0.75f));
    const GLfloat red[4] = {1, 0, 0, 1};
    Materialfv(h.es1, GL_FRONT_AND_BACK, GL_DIFFUSE,
               red);  // the material tracks the colour, so that this has no effect
    Materialfv(h.es1, GL_FRONT_AND_BACK, GL_SPECULAR, red);
    GetMaterialfv(h.es1, GL_FRONT, GL_DIFFUSE, v);
    CHECK(v[0] == 0.25f);
    GetMaterialfv(h.es1, GL_FRONT, GL_SPECULAR, v);
    CHECK(v[0] == 1);
    Disable(h.es1, GL_COLOR_MATERIAL);
    Color4f(h.es1, 0, 0, 0, 0);
    GetMaterialfv(h.es1, GL_FRONT, GL_DIFFUSE, v);
    CHECK(v[0] == 0.25f);
    CHECK(h.error() == GL_NO_ERROR);
    Materialf(h.es1, GL_FRONT, GL_SHININESS, 1);
    CHECK(h.error() == GL_INVALID_ENUM);
    Materialf(h.es1, GL_FRONT_AND_BACK, GL_SHININESS, 128.5f);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetMaterialfv(h.es1, GL_FRONT_AND_BACK, GL_SHININESS, v);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("es1 state: texture environments, by unit") {
    test::Es1Harness h;
    ActiveTexture(h.es1, GL_TEXTURE2);
    TexEnvi(h.es1, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    TexEnvf(h.es1, GL_TEXTURE_ENV, GL_RGB_SCALE, 4);
    TexEnvx(h.es1, GL_TEXTURE_ENV, GL_SRC1_RGB, GL_TEXTURE0);
    const GLfixed color[4] = {0x8000, 0, 0x20000, 0x10000};
    TexEnvxv(h.es1, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
    CHECK(h.error() == GL_NO_ERROR);
    GLint i = 0;
    GetTexEnviv(h.es1, GL_TEXTURE_ENV, GL_SRC1_RGB, &i);
    CHECK(i == GL_TEXTURE0);
    GLfloat v[4];
    GetTexEnvfv(h.es1, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v);
    CHECK((v[0] == 0.5f && v[2] == 1));
    ActiveTexture(h.es1, GL_TEXTURE0);
    GetTexEnviv(h.es1, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, &i);
    CHECK(i == GL_MODULATE);
    const struct {
        GLenum pname;
        GLint value;
        GLenum error;
    } wrong[] = {{GL_TEXTURE_ENV_MODE, GL_DOT3_RGB, GL_INVALID_ENUM},
                 {GL_COMBINE_ALPHA, GL_DOT3_RGBA, GL_INVALID_ENUM},
                 {GL_OPERAND0_ALPHA, GL_SRC_COLOR, GL_INVALID_ENUM},
                 {GL_SRC0_RGB, GL_TEXTURE0 + 4, GL_INVALID_ENUM},
                 {GL_ALPHA_SCALE, 3, GL_INVALID_VALUE},
                 {GL_TEXTURE_ENV_COLOR, 1, GL_INVALID_ENUM}};
    for (const auto& w : wrong) {
        TexEnvi(h.es1, GL_TEXTURE_ENV, w.pname, w.value);
        CHECK(h.error() == w.error);
    }
    ActiveTexture(h.es1, GL_TEXTURE4);
    CHECK(h.error() == GL_INVALID_ENUM);
    ClientActiveTexture(h.es1, GL_TEXTURE4);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("es1 state: capabilities") {
    test::Es1Harness h;
    for (GLenum cap : {GL_ALPHA_TEST, GL_BLEND, GL_COLOR_LOGIC_OP, GL_COLOR_MATERIAL, GL_CULL_FACE,
                       GL_DEPTH_TEST, GL_FOG, GL_LIGHTING, GL_LIGHT0 + 7, GL_CLIP_PLANE0, GL_CLIP_PLANE5,
                       GL_NORMALIZE, GL_POINT_SPRITE_OES, GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_OES,
                       GL_TEXTURE_GEN_STR_OES, GL_SAMPLE_ALPHA_TO_ONE, GL_STENCIL_TEST}) {
        CAPTURE(cap);
        CHECK_FALSE(IsEnabled(h.es1, cap));
        Enable(h.es1, cap);
        CHECK(IsEnabled(h.es1, cap));
        CHECK(h.number(cap) == 1);
        Disable(h.es1, cap);
        CHECK_FALSE(IsEnabled(h.es1, cap));
    }
    CHECK(IsEnabled(h.es1, GL_DITHER));
    CHECK(IsEnabled(h.es1, GL_MULTISAMPLE));
    EnableClientState(h.es1, GL_COLOR_ARRAY);
    CHECK(IsEnabled(h.es1, GL_COLOR_ARRAY));
    CHECK(h.error() == GL_NO_ERROR);
    Enable(h.es1, GL_PRIMITIVE_RESTART_FIXED_INDEX);  // from OpenGL ES 3.0
    CHECK(h.error() == GL_INVALID_ENUM);
    Enable(h.es1, GL_VERTEX_ARRAY);
    CHECK(h.error() == GL_INVALID_ENUM);
    // A logic operation overrides blending, which stays enabled.
    Enable(h.es1, GL_BLEND);
    Enable(h.es1, GL_COLOR_LOGIC_OP);
    CHECK(IsEnabled(h.es1, GL_BLEND));
    CHECK(h.ctx.state.blend_enabled == 0);
    Disable(h.es1, GL_COLOR_LOGIC_OP);
    CHECK(h.ctx.state.blend_enabled != 0);
}

TEST_CASE("es1 state: logic operations need a device that reads its framebuffer") {
    test::Harness below(test::Es1Harness::config());
    below.ctx.limits.extensions.reset();
    Context es1(below.ctx);
    Enable(es1, GL_COLOR_LOGIC_OP);
    CHECK(below.error() == GL_INVALID_OPERATION);
    CHECK_FALSE(IsEnabled(es1, GL_COLOR_LOGIC_OP));
}

TEST_CASE("es1 state: arrays") {
    test::Es1Harness h;
    GLuint buffer = 5;
    BindBuffer(h.es1, GL_ARRAY_BUFFER, buffer);
    TexCoordPointer(h.es1, 2, GL_SHORT, 12, reinterpret_cast<const void*>(16));
    ClientActiveTexture(h.es1, GL_TEXTURE3);
    TexCoordPointer(h.es1, 4, GL_FIXED, 0, nullptr);
    CHECK(h.number(GL_TEXTURE_COORD_ARRAY_SIZE) == 4);
    ClientActiveTexture(h.es1, GL_TEXTURE0);
    CHECK(h.number(GL_TEXTURE_COORD_ARRAY_SIZE) == 2);
    CHECK(h.number(GL_TEXTURE_COORD_ARRAY_TYPE) == GL_SHORT);
    CHECK(h.number(GL_TEXTURE_COORD_ARRAY_STRIDE) == 12);
    CHECK(h.number(GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING) == 5);
    CHECK(h.number(GL_VERTEX_ARRAY_BUFFER_BINDING) == 0);
    void* pointer = nullptr;
    GetPointerv(h.es1, GL_TEXTURE_COORD_ARRAY_POINTER, &pointer);
    CHECK(pointer == reinterpret_cast<void*>(16));
    CHECK(h.error() == GL_NO_ERROR);
    ColorPointer(h.es1, 3, GL_FLOAT, 0, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    VertexPointer(h.es1, 3, GL_UNSIGNED_BYTE, 0, nullptr);
    CHECK(h.error() == GL_INVALID_ENUM);
    VertexPointer(h.es1, 3, GL_FLOAT, -1, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    BufferData(h.es1, GL_ARRAY_BUFFER, 4, nullptr, GL_STREAM_DRAW);
    CHECK(h.error() == GL_INVALID_ENUM);
    BindBuffer(h.es1, GL_UNIFORM_BUFFER, 1);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("es1 state: other state, and state of later versions only") {
    test::Es1Harness h;
    AlphaFunc(h.es1, GL_GEQUAL, 2);
    CHECK(h.number(GL_ALPHA_TEST_REF) == 1);
    GLint i = 0;
    GetIntegerv(h.es1, GL_ALPHA_TEST_REF, &i);
    CHECK(i == INT32_MAX);
    GLfixed x = 0;
    GetFixedv(h.es1, GL_ALPHA_TEST_FUNC, &x);
    CHECK(x == GL_GEQUAL);
    Fogx(h.es1, GL_FOG_MODE, GL_LINEAR);
    Fogx(h.es1, GL_FOG_END, 5 << 15);
    CHECK(h.number(GL_FOG_END) == 2.5f);
    CHECK(h.number(GL_FOG_MODE) == GL_LINEAR);
    Hint(h.es1, GL_FOG_HINT, GL_NICEST);
    CHECK(h.number(GL_FOG_HINT) == GL_NICEST);
    Scalef(h.es1, 2, 2, 2);
    const GLfloat plane[4] = {1, 0, 0, -1};
    ClipPlanef(h.es1, GL_CLIP_PLANE3, plane);
    GLfloat eye[4];
    GetClipPlanef(h.es1, GL_CLIP_PLANE3, eye);
    CHECK((eye[0] == 0.5f && eye[3] == -1));
    CHECK(h.error() == GL_NO_ERROR);
    PointSize(h.es1, 0);
    CHECK(h.error() == GL_INVALID_VALUE);
    PointParameterf(h.es1, GL_POINT_SIZE_MIN, -1);
    CHECK(h.error() == GL_INVALID_VALUE);
    BlendFunc(h.es1, GL_SRC_COLOR, GL_ZERO);
    CHECK(h.error() == GL_INVALID_ENUM);
    BlendFunc(h.es1, GL_DST_COLOR, GL_CONSTANT_COLOR);
    CHECK(h.error() == GL_INVALID_ENUM);
    ShadeModel(h.es1, GL_LINEAR);
    CHECK(h.error() == GL_INVALID_ENUM);
    LogicOp(h.es1, GL_SET + 1);
    CHECK(h.error() == GL_INVALID_ENUM);
    PixelStorei(h.es1, GL_UNPACK_ROW_LENGTH_EXT, 4);
    CHECK(h.error() == GL_INVALID_ENUM);
    Hint(h.es1, GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES, GL_NICEST);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetIntegerv(h.es1, GL_MAX_VERTEX_ATTRIBS, &i);
    CHECK(h.error() == GL_INVALID_ENUM);
    DrawArrays(h.es1, GL_PATCHES, 0, 3);
    CHECK(h.error() == GL_INVALID_ENUM);
}
