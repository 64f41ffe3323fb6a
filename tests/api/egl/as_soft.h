// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Scenes of OpenGL ES 3.2 that are drawn on TERRAZZO_DEVICE and on the CPU. Their results must be equal.
#pragma once

#include <GLES3/gl32.h>
// After gl32.h:
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/egl/fixture.h"

namespace as_soft {

/// A context of OpenGL ES 3.2 without a surface, on the named device; null: on TERRAZZO_DEVICE's.
class Device {
  public:
    explicit Device(const char* name) {
        dpy_ = name ? eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, find(name), nullptr)
                    : eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        REQUIRE(eglInitialize(dpy_, nullptr, nullptr));
        const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                 EGL_NONE};
        EGLConfig config = nullptr;
        EGLint n = 0;
        REQUIRE(eglChooseConfig(dpy_, wanted, &config, 1, &n));
        REQUIRE(n == 1);
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
        EGLContext context = eglCreateContext(dpy_, config, EGL_NO_CONTEXT, version);
        REQUIRE(context != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(dpy_, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    }
    ~Device() {
        eglMakeCurrent(dpy_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(dpy_);
        eglReleaseThread();
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

  private:
    static EGLDeviceEXT find(const std::string& name) {
        const auto query = fixture::proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
        const auto text = fixture::proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
        EGLDeviceEXT list[64];
        EGLint n = 0;
        REQUIRE(query(64, list, &n));
        for (EGLint i = 0; i < n; ++i)
            if (const char* s = text(list[i], EGL_RENDERER_EXT); s && s == name) return list[i];
        FAIL("there is no device " << name);
        return EGL_NO_DEVICE_EXT;
    }
    EGLDisplay dpy_ = EGL_NO_DISPLAY;
};

inline bool has_version(int major, int minor) {
    GLint v[2] = {};
    glGetIntegerv(GL_MAJOR_VERSION, &v[0]);
    glGetIntegerv(GL_MINOR_VERSION, &v[1]);
    return v[0] > major || (v[0] == major && v[1] >= minor);
}

using Bytes = std::vector<unsigned char>;

/// `scene` must return the same on the device and on the CPU. Each has its own context.
template <class Scene>
void check(Scene&& scene) {
    Bytes wanted;
    {
        const Device soft("soft");
        wanted = scene();
        CHECK(glGetError() == GL_NO_ERROR);
    }
    const Device device(nullptr);
    const Bytes got = scene();
    CHECK(glGetError() == GL_NO_ERROR);
    REQUIRE(got.size() == wanted.size());
    CHECK(got == wanted);
}

inline GLuint shader(GLenum type, const std::string& body) {
    const GLuint s = glCreateShader(type);
    const std::string text = "#version 320 es\nprecision highp float; precision highp int;\n" + body;
    const char* strings[] = {text.c_str()};
    glShaderSource(s, 1, strings, nullptr);
    glCompileShader(s);
    char log[512] = "";
    GLint ok = 0;
    glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
    glGetShaderInfoLog(s, sizeof log, nullptr, log);
    REQUIRE_MESSAGE(ok, log);
    return s;
}
struct Stage {
    GLenum type;
    std::string body;
};
/// A linked program in use. `captured`: an output that is captured.
inline GLuint program(const std::vector<Stage>& stages, const char* captured = nullptr) {
    const GLuint p = glCreateProgram();
    for (const Stage& s : stages)
        glAttachShader(p, shader(s.type, s.body));
    if (captured) glTransformFeedbackVaryings(p, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(p);
    char log[512] = "";
    GLint ok = 0;
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(p, sizeof log, nullptr, log);
    REQUIRE_MESSAGE(ok, log);
    glUseProgram(p);
    return p;
}
/// The vertices of a strip of four that covers everything; `uv` goes from 0 to 1.
inline const char* const kAll =
    "out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0); }";

inline GLuint texture(GLenum target, GLenum format, GLsizei width, GLsizei height, GLsizei depth = 0) {
    GLuint t = 0;
    glGenTextures(1, &t);
    glBindTexture(target, t);
    if (depth)
        glTexStorage3D(target, 1, format, width, height, depth);
    else
        glTexStorage2D(target, 1, format, width, height);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return t;
}
inline GLuint framebuffer(GLuint color, GLsizei width, GLsizei height) {
    GLuint f = 0;
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    if (color) glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glViewport(0, 0, width, height);
    return f;
}
inline Bytes read(GLsizei width, GLsizei height, GLenum format, GLenum type, size_t pixel_B) {
    Bytes p(size_t(width) * size_t(height) * pixel_B);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, format, type, p.data());
    return p;
}
inline Bytes read_rgba8(GLsizei width, GLsizei height) {
    return read(width, height, GL_RGBA, GL_UNSIGNED_BYTE, 4);
}

}  // namespace as_soft
