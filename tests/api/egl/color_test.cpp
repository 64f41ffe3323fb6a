// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Surfaces that are not 8-bit linear: ten bits, floats (EGL_EXT_pixel_format_float), sRGB
// (EGL_KHR_gl_colorspace).
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

constexpr GLenum k2_10_10_10 = 0x8368;  // GL_UNSIGNED_INT_2_10_10_10_REV

bool has(const char* list, const char* word) {
    return (std::string(" ") + list + " ").find(std::string(" ") + word + " ") != std::string::npos;
}

struct Colors : fixture::Display {
    EGLint attribute(EGLConfig c, EGLint name) {
        EGLint v = -1;
        CHECK(eglGetConfigAttrib(dpy, c, name, &v));
        return v;
    }
    EGLSurface use(EGLConfig c, EGLint colorspace = EGL_GL_COLORSPACE_LINEAR) {
        const EGLint a[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_GL_COLORSPACE, colorspace, EGL_NONE};
        EGLSurface s = eglCreatePbufferSurface(dpy, c, a);
        REQUIRE(s != EGL_NO_SURFACE);
        REQUIRE(eglMakeCurrent(dpy, s, s, context(c)));
        return s;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Colors, "float configs are only returned on request") {
    CHECK(has(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_EXT_pixel_format_float"));
    EGLConfig fixed = config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8});
    CHECK(attribute(fixed, EGL_COLOR_COMPONENT_TYPE_EXT) == EGL_COLOR_COMPONENT_TYPE_FIXED_EXT);
    CHECK(attribute(fixed, EGL_RED_SIZE) == 8);
    EGLConfig any = config({EGL_COLOR_COMPONENT_TYPE_EXT, EGL_DONT_CARE, EGL_RED_SIZE, 8});
    CHECK(attribute(any, EGL_COLOR_COMPONENT_TYPE_EXT) == EGL_COLOR_COMPONENT_TYPE_FIXED_EXT);
    EGLConfig f = config({EGL_COLOR_COMPONENT_TYPE_EXT, EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT});
    CHECK(attribute(f, EGL_RED_SIZE) == 16);
    CHECK(attribute(f, EGL_ALPHA_SIZE) == 16);
    const EGLint bad[] = {EGL_COLOR_COMPONENT_TYPE_EXT, 7, EGL_NONE};
    EGLint n = 0;
    CHECK_EGL_ERROR(eglChooseConfig(dpy, bad, nullptr, 0, &n), EGL_FALSE, EGL_BAD_ATTRIBUTE);
}

TEST_CASE_FIXTURE(Colors, "a float surface keeps values outside 0 and 1") {
    use(config({EGL_COLOR_COMPONENT_TYPE_EXT, EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT}));
    glClearColor(-2.5f, 0.25f, 1000, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    float p[4] = {};
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, p);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(p[0] == -2.5f);
    CHECK(p[1] == 0.25f);
    CHECK(p[2] == 1000.0f);
    CHECK(p[3] == 1.0f);
}

TEST_CASE_FIXTURE(Colors, "ten bits") {
    EGLConfig c = config({EGL_RED_SIZE, 10, EGL_GREEN_SIZE, 10, EGL_BLUE_SIZE, 10, EGL_ALPHA_SIZE, 2});
    CHECK(attribute(c, EGL_BUFFER_SIZE) == 32);
    use(c);
    glClearColor(1.0f / 1023, 512.0f / 1023, 1, 1.0f / 3);
    glClear(GL_COLOR_BUFFER_BIT);
    uint32_t p = 0;
    glReadPixels(0, 0, 1, 1, GL_RGBA, k2_10_10_10, &p);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(p == (1u | 512u << 10 | 1023u << 20 | 1u << 30));
}

TEST_CASE_FIXTURE(Colors, "8-bit surfaces are read neither as ten bits nor as floats") {
    use(config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8}));
    float p[4];
    glReadPixels(0, 0, 1, 1, GL_RGBA, k2_10_10_10, p);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, p);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    // ES 3.0 keeps the values as they were set (section 4.2.3); the surface's format clamps them.
    glClearColor(-2.5f, 0.25f, 1000, 1);
    glGetFloatv(GL_COLOR_CLEAR_VALUE, p);
    CHECK(p[0] == -2.5f);
    CHECK(p[2] == 1000.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    uint8_t bytes[4] = {};
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    CHECK(bytes[0] == 0);
    CHECK(bytes[1] == 64);
    CHECK(bytes[2] == 255);
}

TEST_CASE_FIXTURE(Colors, "an sRGB surface encodes drawn colours") {
    CHECK(has(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_KHR_gl_colorspace"));
    EGLConfig c = config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8});
    EGLSurface s = use(c, EGL_GL_COLORSPACE_SRGB);
    EGLint v = 0;
    CHECK(eglQuerySurface(dpy, s, EGL_GL_COLORSPACE, &v));
    CHECK(v == EGL_GL_COLORSPACE_SRGB);
    glClearColor(0.5f, 0, 1, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    unsigned char p[4] = {};
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    CHECK(int(p[0]) == 188);  // 255 * (1.055 * 0.5^(1/2.4) - 0.055) = 187.5
    CHECK(int(p[1]) == 0);
    CHECK(int(p[2]) == 255);
    CHECK(int(p[3]) == 128);  // alpha is linear
    const EGLint unknown[] = {EGL_GL_COLORSPACE, 7, EGL_NONE},
                 srgb[] = {EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_SRGB, EGL_NONE};
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, c, unknown), EGL_NO_SURFACE, EGL_BAD_ATTRIBUTE);
    EGLConfig ten = config({EGL_RED_SIZE, 10, EGL_ALPHA_SIZE, 2});
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, ten, srgb), EGL_NO_SURFACE, EGL_BAD_MATCH);
}

TEST_CASE_FIXTURE(fixture::Current, "a pbuffer's render buffer and swap behavior") {
    EGLint v = 0;
    CHECK(eglQueryContext(dpy, ctx, EGL_RENDER_BUFFER, &v));
    CHECK(v == EGL_BACK_BUFFER);
    CHECK(eglQuerySurface(dpy, surface, EGL_RENDER_BUFFER, &v));
    CHECK(v == EGL_BACK_BUFFER);
    CHECK(eglQuerySurface(dpy, surface, EGL_SWAP_BEHAVIOR, &v));
    CHECK(v == EGL_BUFFER_DESTROYED);  // its configs lack EGL_SWAP_BEHAVIOR_PRESERVED_BIT
    const char* gl = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK(has(gl, "GL_OES_EGL_sync"));
    CHECK(has(gl, "GL_EXT_robustness"));
    CHECK((eglGetProcAddress("glGetGraphicsResetStatusEXT") != nullptr));
    CHECK((eglGetProcAddress("glReadnPixelsEXT") != nullptr));
}
