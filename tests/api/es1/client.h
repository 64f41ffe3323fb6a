// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context of OpenGL ES 1.1 with a pbuffer of 32 x 32 on TERRAZZO_DEVICE. Uses only the public libraries.
#pragma once

#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES/gl.h>
#include <GLES/glext.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace es1_client {

constexpr int kSize_px = 32;
using Pixel = std::array<uint8_t, 4>;

struct Client {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    EGLConfig config = nullptr;
    EGLSurface surface = EGL_NO_SURFACE;
    EGLContext context = EGL_NO_CONTEXT;
    Client() {
        REQUIRE(eglInitialize(display, nullptr, nullptr));
        // By default EGL_RENDERABLE_TYPE is EGL_OPENGL_ES_BIT and EGL_CONTEXT_CLIENT_VERSION is 1.
        const EGLint wanted[] = {
            EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 24,
            EGL_NONE};
        const EGLint size[] = {EGL_WIDTH, kSize_px, EGL_HEIGHT, kSize_px, EGL_NONE};
        EGLint count = 0;
        REQUIRE(eglChooseConfig(display, wanted, &config, 1, &count));
        REQUIRE(count == 1);
        surface = eglCreatePbufferSurface(display, config, size);
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
        REQUIRE(context != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(display, surface, surface, context));
    }
    ~Client() {
        CHECK(glGetError() == GL_NO_ERROR);
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(display);
        eglReleaseThread();
    }
    Pixel pixel(int x = kSize_px / 2, int y = kSize_px / 2) {
        Pixel p;
        glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p.data());
        return p;
    }
    /// A square that covers everything, at the modelview's depth z.
    void quad(float z = 0) {
        const GLfloat corners[] = {-1, -1, z, 1, -1, z, -1, 1, z, 1, 1, z};
        glEnableClientState(GL_VERTEX_ARRAY);
        glVertexPointer(3, GL_FLOAT, 0, corners);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    /// A texture of these texels, bound and enabled, sampled without filtering.
    GLuint texture(GLenum format, int width, int height, const void* texels) {
        GLuint name;
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GLint(format), width, height, 0, format, GL_UNSIGNED_BYTE, texels);
        glEnable(GL_TEXTURE_2D);
        return name;
    }
};

inline bool near(const Pixel& a, const Pixel& b, int tolerance) {
    for (unsigned i = 0; i < 4; ++i)
        if (std::abs(a[i] - b[i]) > tolerance) return false;
    return true;
}
inline std::string text(const Pixel& p) {
    std::string out;
    for (uint8_t c : p)
        out += (out.empty() ? "" : " ") + std::to_string(c);
    return out;
}

}  // namespace es1_client
