// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands of OpenGL ES 1.1 with random arguments, by the rules of commands.cpp. Those that later versions
// also have are called through libGLESv2, which dispatches to the same functions.
#include <EGL/egl.h>
#define GL_GLEXT_PROTOTYPES
#include <GLES/gl.h>
#include <GLES/glext.h>

#include <cstring>

#include "tests/fuzz/commands.h"

namespace fuzz {
namespace {

using R = Random;

constexpr std::initializer_list<uint32_t> kCapabilities = {GL_ALPHA_TEST,
                                                           GL_BLEND,
                                                           GL_CLIP_PLANE0,
                                                           GL_CLIP_PLANE0 + 3,
                                                           GL_COLOR_LOGIC_OP,
                                                           GL_COLOR_MATERIAL,
                                                           GL_CULL_FACE,
                                                           GL_DEPTH_TEST,
                                                           GL_FOG,
                                                           GL_LIGHT0,
                                                           GL_LIGHT0 + 7,
                                                           GL_LIGHTING,
                                                           GL_NORMALIZE,
                                                           GL_POINT_SMOOTH,
                                                           GL_POINT_SPRITE_OES,
                                                           GL_RESCALE_NORMAL,
                                                           GL_SCISSOR_TEST,
                                                           GL_STENCIL_TEST,
                                                           GL_TEXTURE_2D,
                                                           GL_TEXTURE_2D,
                                                           GL_TEXTURE_2D,
                                                           GL_TEXTURE_CUBE_MAP_OES,
                                                           GL_TEXTURE_GEN_STR_OES,
                                                           GL_TEXTURE_EXTERNAL_OES,
                                                           GL_SAMPLE_ALPHA_TO_ONE};
constexpr std::initializer_list<uint32_t> kArrays = {GL_VERTEX_ARRAY,        GL_VERTEX_ARRAY,
                                                     GL_NORMAL_ARRAY,        GL_COLOR_ARRAY,
                                                     GL_TEXTURE_COORD_ARRAY, GL_POINT_SIZE_ARRAY_OES};
constexpr std::initializer_list<uint32_t> kTypes = {GL_BYTE, GL_SHORT, GL_FIXED, GL_FLOAT, GL_UNSIGNED_BYTE};
constexpr std::initializer_list<uint32_t> kTargets = {GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_OES,
                                                      GL_TEXTURE_EXTERNAL_OES};
constexpr std::initializer_list<uint32_t> kFormats = {GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA,
                                                      GL_RGB,   GL_RGBA,      GL_RGBA};
constexpr std::initializer_list<uint32_t> kEnvs = {GL_REPLACE, GL_MODULATE, GL_DECAL,  GL_BLEND,
                                                   GL_ADD,     GL_COMBINE,  GL_COMBINE};
constexpr std::initializer_list<uint32_t> kEnvNames = {
    GL_TEXTURE_ENV_MODE, GL_TEXTURE_ENV_MODE,  GL_COMBINE_RGB,      GL_COMBINE_ALPHA,  GL_SRC0_RGB,
    GL_SRC1_RGB,         GL_SRC2_ALPHA,        GL_OPERAND0_RGB,     GL_OPERAND1_ALPHA, GL_RGB_SCALE,
    GL_ALPHA_SCALE,      GL_TEXTURE_ENV_COLOR, GL_COORD_REPLACE_OES};
constexpr std::initializer_list<uint32_t> kEnvValues = {GL_REPLACE,
                                                        GL_MODULATE,
                                                        GL_ADD,
                                                        GL_ADD_SIGNED,
                                                        GL_INTERPOLATE,
                                                        GL_SUBTRACT,
                                                        GL_DOT3_RGB,
                                                        GL_DOT3_RGBA,
                                                        GL_TEXTURE,
                                                        GL_CONSTANT,
                                                        GL_PRIMARY_COLOR,
                                                        GL_PREVIOUS,
                                                        GL_TEXTURE0,
                                                        GL_TEXTURE3,
                                                        GL_SRC_COLOR,
                                                        GL_ONE_MINUS_SRC_COLOR,
                                                        GL_SRC_ALPHA,
                                                        1,
                                                        2,
                                                        4};
constexpr std::initializer_list<uint32_t> kLightNames = {
    GL_AMBIENT,        GL_DIFFUSE,       GL_SPECULAR,    GL_POSITION,
    GL_SPOT_DIRECTION, GL_SPOT_EXPONENT, GL_SPOT_CUTOFF, GL_QUADRATIC_ATTENUATION};
constexpr std::initializer_list<uint32_t> kMaterialNames = {GL_AMBIENT,  GL_DIFFUSE,  GL_AMBIENT_AND_DIFFUSE,
                                                            GL_SPECULAR, GL_EMISSION, GL_SHININESS};
constexpr std::initializer_list<uint32_t> kFogNames = {GL_FOG_MODE, GL_FOG_DENSITY, GL_FOG_START, GL_FOG_END,
                                                       GL_FOG_COLOR};
constexpr std::initializer_list<uint32_t> kStates = {GL_MODELVIEW_MATRIX,
                                                     GL_PROJECTION_MATRIX,
                                                     GL_TEXTURE_MATRIX,
                                                     GL_CURRENT_COLOR,
                                                     GL_CURRENT_TEXTURE_COORDS,
                                                     GL_FOG_COLOR,
                                                     GL_VIEWPORT,
                                                     GL_COMPRESSED_TEXTURE_FORMATS,
                                                     GL_POINT_DISTANCE_ATTENUATION,
                                                     GL_TEXTURE_COORD_ARRAY_STRIDE,
                                                     GL_MAX_LIGHTS,
                                                     GL_ALPHA_TEST_REF};
constexpr std::initializer_list<uint32_t> kModes = {
    GL_POINTS, GL_LINES, GL_LINE_LOOP, GL_LINE_STRIP, GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN};

GLenum unit(R& r) {
    return GL_TEXTURE0 + r.below(r.one_in(40) ? 40 : 4);
}
/// A matrix that usually keeps the drawing on the screen.
void transform(R& r) {
    switch (r.below(9)) {
        case 0:
            return glRotatef(r.real(), r.real(), r.real(), r.real());
        case 1:
            return glScalef(r.real(), r.real(), r.real());
        case 2:
            return glTranslatef(r.real() / 100, r.real() / 100, r.real() / 100);
        case 3:
            return glFrustumf(-1, 1, -1, 1, r.real(), r.real());
        case 4:
            return glOrthox(GLfixed(r.bits()), GLfixed(r.bits()), -65536, 65536, -65536, 65536);
        case 5:
            return glMultMatrixx(r.array<GLfixed>());
        case 6:
            return glLoadMatrixf(r.array<GLfloat>());
        default:
            return glLoadIdentity();
    }
}
void draw(R& r) {
    const GLsizei count = r.bounded(40);
    if (r.one_in(2)) return glDrawArrays(r.pick(kModes), GLint(r.below(20)), count);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    // No 32-bit indices: they could be outside of the client arrays.
    glDrawElements(r.pick(kModes), count, r.boolean() ? GL_UNSIGNED_BYTE : GL_UNSIGNED_SHORT,
                   r.aligned_pointer());
}
void arrays(R& r) {
    glBindBuffer(GL_ARRAY_BUFFER, r.one_in(3) ? r.name() : 0);
    const GLsizei stride = r.bounded(64);
    const GLint size = 2 + r.bounded(3);
    switch (r.below(5)) {
        case 0:
            return glVertexPointer(size, r.pick(kTypes), stride, r.aligned_pointer());
        case 1:
            return glNormalPointer(r.pick(kTypes), stride, r.aligned_pointer());
        case 2:
            return glColorPointer(4, r.pick(kTypes), stride, r.aligned_pointer());
        case 3:
            return glPointSizePointerOES(r.pick(kTypes), stride, r.aligned_pointer());
        default:
            glClientActiveTexture(unit(r));
            return glTexCoordPointer(size, r.pick(kTypes), stride, r.aligned_pointer());
    }
}
void texture_image(R& r) {
    const GLenum format = r.pick(kFormats),
                 target = r.one_in(4) ? GL_TEXTURE_CUBE_MAP_POSITIVE_X_OES + r.below(6) : GL_TEXTURE_2D;
    const GLsizei width = r.bounded(33), height = r.one_in(3) ? r.bounded(33) : width;
    glTexImage2D(
        target, r.one_in(6) ? r.count(6) : 0, GLint(r.one_in(30) ? r.pick(kFormats) : format), width, height,
        0, format,
        r.one_in(8) ? r.pick({GL_UNSIGNED_SHORT_5_6_5, GL_UNSIGNED_SHORT_4_4_4_4}) : GL_UNSIGNED_BYTE,
        r.one_in(8) ? nullptr : r.aligned_pointer());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, r.one_in(2) ? GL_LINEAR : GL_NEAREST);
}
void paletted_image(R& r) {
    const unsigned kind = r.below(10),
                   entry_B = kind % 5 == 0   ? 3
                             : kind % 5 == 1 ? 4
                                             : 2,
                   bits = kind < 5 ? 4 : 8;
    const GLsizei width = r.bounded(20), height = r.bounded(20);
    const GLsizei right = GLsizei((entry_B << bits) + (unsigned(width * height) * bits + 7) / 8);
    glCompressedTexImage2D(GL_TEXTURE_2D, r.one_in(8) ? r.count(5) : 0, GL_PALETTE4_RGB8_OES + kind, width,
                           height, 0, r.one_in(20) ? r.bounded(2000) : right, r.aligned_pointer());
}

const Command kCommands[] = {
    {4, "enable",
     [](R& r) { r.one_in(3) ? glDisable(r.pick(kCapabilities)) : glEnable(r.pick(kCapabilities)); }},
    {3, "client state",
     [](R& r) {
         r.one_in(4) ? glDisableClientState(r.pick(kArrays)) : glEnableClientState(r.pick(kArrays));
     }},
    {4, "arrays", arrays},
    {6, "draw", draw},
    {1, "draw texture", [](R& r) { glDrawTexfOES(r.real(), r.real(), r.real(), r.real(), r.real()); }},
    {1, "draw texture x", [](R& r) { glDrawTexxvOES(r.array<GLfixed>()); }},
    {2, "transform", transform},
    {1, "matrix mode",
     [](R& r) {
         glMatrixMode(r.pick({GL_MODELVIEW, GL_PROJECTION, GL_TEXTURE}));
     }},
    {1, "push", [](R&) { glPushMatrix(); }},
    {1, "pop", [](R&) { glPopMatrix(); }},
    {1, "identity", [](R&) { glLoadIdentity(); }},
    {1, "query matrix",
     [](R&) {
         GLfixed m[16];
         GLint e[16];
         glQueryMatrixxOES(m, e);
     }},
    {2, "light", [](R& r) { glLightfv(GL_LIGHT0 + r.below(9), r.pick(kLightNames), r.array<GLfloat>()); }},
    {1, "light x",
     [](R& r) { glLightx(GL_LIGHT0 + r.below(9), r.pick(kLightNames), GLfixed(r.below(200)) << 16); }},
    {1, "get light",
     [](R& r) {
         GLfloat v[4];
         glGetLightfv(GL_LIGHT0 + r.below(9), r.pick(kLightNames), v);
     }},
    {1, "light model",
     [](R& r) {
         glLightModelfv(r.pick({GL_LIGHT_MODEL_AMBIENT, GL_LIGHT_MODEL_TWO_SIDE}), r.array<GLfloat>());
     }},
    {2, "material",
     [](R& r) { glMaterialfv(GL_FRONT_AND_BACK, r.pick(kMaterialNames), r.array<GLfloat>()); }},
    {1, "get material",
     [](R& r) {
         GLfixed v[4];
         glGetMaterialxv(r.pick({GL_FRONT, GL_BACK}), r.pick(kMaterialNames), v);
     }},
    {1, "color", [](R& r) { glColor4f(r.real(), r.real(), r.real(), r.real()); }},
    {1, "normal", [](R& r) { glNormal3x(GLfixed(r.bits()), GLfixed(r.bits()), GLfixed(r.bits())); }},
    {1, "coordinates", [](R& r) { glMultiTexCoord4f(unit(r), r.real(), r.real(), r.real(), r.real()); }},
    {1, "active texture", [](R& r) { glActiveTexture(unit(r)); }},
    {2, "bind texture", [](R& r) { glBindTexture(r.pick(kTargets), r.name()); }},
    {1, "delete texture",
     [](R& r) {
         const GLuint n = r.name();
         glDeleteTextures(1, &n);
     }},
    {3, "texture image", texture_image},
    {1, "paletted image", paletted_image},
    {1, "copy image",
     [](R& r) {
         glCopyTexImage2D(GL_TEXTURE_2D, 0, r.pick(kFormats), r.count(20), r.count(20), r.bounded(20),
                          r.bounded(20), 0);
     }},
    {1, "texture parameter",
     [](R& r) {
         glTexParameteriv(
             r.pick(kTargets),
             r.pick({GL_GENERATE_MIPMAP, GL_TEXTURE_CROP_RECT_OES, GL_TEXTURE_WRAP_S, GL_TEXTURE_MAG_FILTER}),
             r.array<GLint>());
     }},
    {1, "texture filter",
     [](R& r) {
         glTexParameterx(r.pick(kTargets), GL_TEXTURE_MIN_FILTER,
                         GLint(r.pick({GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR})));
     }},
    {1, "generate mipmap", [](R& r) { glGenerateMipmapOES(r.pick(kTargets)); }},
    {2, "environment mode",
     [](R& r) { glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GLint(r.pick(kEnvs))); }},
    {3, "environment",
     [](R& r) {
         glTexEnvi(r.one_in(8) ? GL_POINT_SPRITE_OES : GL_TEXTURE_ENV, r.pick(kEnvNames),
                   GLint(r.pick(kEnvValues)));
     }},
    {1, "environment fv", [](R& r) { glTexEnvxv(GL_TEXTURE_ENV, r.pick(kEnvNames), r.array<GLfixed>()); }},
    {1, "get environment",
     [](R& r) {
         GLfloat v[4];
         glGetTexEnvfv(GL_TEXTURE_ENV, r.pick(kEnvNames), v);
     }},
    {1, "generated coordinates",
     [](R& r) {
         glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES,
                      GLint(r.pick({GL_NORMAL_MAP_OES, GL_REFLECTION_MAP_OES})));
     }},
    {1, "fog",
     [](R& r) {
         r.boolean() ? glFogfv(r.pick(kFogNames), r.array<GLfloat>())
                     : glFogx(GL_FOG_MODE, GLfixed(r.pick({GL_LINEAR, GL_EXP, GL_EXP2})));
     }},
    {1, "clip plane", [](R& r) { glClipPlanef(GL_CLIP_PLANE0 + r.below(7), r.array<GLfloat>()); }},
    {1, "alpha func", [](R& r) { glAlphaFuncx(GL_NEVER + r.below(9), GLfixed(r.below(65536))); }},
    {1, "logic op", [](R& r) { glLogicOp(GL_CLEAR + r.below(17)); }},
    {1, "shade model",
     [](R& r) {
         glShadeModel(r.pick({GL_FLAT, GL_SMOOTH}));
     }},
    {1, "blend func",
     [](R& r) {
         glBlendFunc(r.pick({GL_ONE, GL_SRC_ALPHA, GL_DST_COLOR}),
                     r.pick({GL_ZERO, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_COLOR}));
     }},
    {1, "point size", [](R& r) { glPointSize(r.real()); }},
    {1, "point parameter",
     [](R& r) {
         glPointParameterfv(r.pick({GL_POINT_SIZE_MIN, GL_POINT_SIZE_MAX, GL_POINT_DISTANCE_ATTENUATION}),
                            r.array<GLfloat>());
     }},
    {1, "viewport", [](R& r) { glViewport(r.count(50), r.count(50), r.bounded(90), r.bounded(90)); }},
    {1, "get",
     [](R& r) {
         GLfixed v[64];
         glGetFixedv(r.pick(kStates), v);
     }},
    {1, "is enabled", [](R& r) { (void)glIsEnabled(r.pick(kCapabilities)); }},
    {1, "buffer",
     [](R& r) {
         glBindBuffer(GL_ARRAY_BUFFER, r.name());
         glBufferData(GL_ARRAY_BUFFER, r.bounded(4000), r.one_in(3) ? nullptr : r.aligned_pointer(),
                      GL_STATIC_DRAW);
     }},
    {1, "delete buffer",
     [](R& r) {
         const GLuint n = r.name();
         glDeleteBuffers(1, &n);
     }},
    {1, "framebuffer", [](R& r) { glBindFramebufferOES(GL_FRAMEBUFFER_OES, r.boolean() ? 0 : r.name()); }},
    {1, "attach",
     [](R& r) {
         glFramebufferTexture2DOES(GL_FRAMEBUFFER_OES, GL_COLOR_ATTACHMENT0_OES, GL_TEXTURE_2D, r.name(), 0);
     }},
    {1, "clear",
     [](R& r) { glClear(r.bits() & (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)); }},
    {1, "read",
     [](R& r) {
         uint8_t pixels[16 * 16 * 4];
         glReadPixels(r.count(50), r.count(50), r.bounded(16), r.bounded(16), GL_RGBA, GL_UNSIGNED_BYTE,
                      pixels);
     }},
    {1, "flush", [](R&) { glFlush(); }},
};

}  // namespace

std::span<const Command> es1_commands() {
    return kCommands;
}

}  // namespace fuzz
