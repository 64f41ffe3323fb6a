// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// For tests that draw with OpenGL ES 3.0 and check pixels.
#pragma once

#include <GLES3/gl3.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/api/egl/fixture.h"

namespace fixture {

using Pixel = std::vector<int>;

struct Version {
    Version() { setenv("TERRAZZO_GLES_VERSION", "3.0", 1); }
    ~Version() { unsetenv("TERRAZZO_GLES_VERSION"); }
};

/// A context of OpenGL ES 3.0 with a pbuffer of 16 x 16 with depth and stencil.
struct Images : Version, Display {
    Images() {
        EGLConfig c = config({EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
                              EGL_DEPTH_SIZE, 24, EGL_STENCIL_SIZE, 8});
        const EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
        EGLContext x = eglCreateContext(dpy, c, EGL_NO_CONTEXT, a);
        EGLSurface s = pbuffer(c, 16, 16);
        REQUIRE(x != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(dpy, s, s, x));
    }
    ~Images() { CHECK(glGetError() == GL_NO_ERROR); }

    static void shader(GLuint p, GLenum type, const std::string& body) {
        const GLuint s = glCreateShader(type);
        const std::string text =
            "#version 300 es\nprecision highp float; precision highp int; precision highp sampler3D;\n"
            "precision highp sampler2DArray; precision highp usampler2D; precision highp sampler2DShadow;\n" +
            body;
        const char* strings[] = {text.c_str()};
        glShaderSource(s, 1, strings, nullptr);
        glCompileShader(s);
        char log[512] = "";
        GLint ok = 0;
        glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
        glGetShaderInfoLog(s, sizeof log, nullptr, log);
        REQUIRE_MESSAGE(ok, log);
        glAttachShader(p, s);
    }
    /// Draws the whole viewport; `uv` goes from 0 to 1.
    static void draw(const std::string& fragment) {
        const GLuint p = glCreateProgram();
        shader(p, GL_VERTEX_SHADER,
               "out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
               "gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0); }");
        shader(p, GL_FRAGMENT_SHADER, "in vec2 uv;\n" + fragment);
        glLinkProgram(p);
        glUseProgram(p);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        CHECK(glGetError() == GL_NO_ERROR);
    }
    static GLuint texture(GLenum target, GLint filter = GL_NEAREST) {
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(target, t);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER, filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
        return t;
    }
    static GLuint framebuffer() {
        GLuint f = 0;
        glGenFramebuffers(1, &f);
        glBindFramebuffer(GL_FRAMEBUFFER, f);
        return f;
    }
    static GLuint renderbuffer(GLenum attachment, GLenum format, GLsizei samples, GLsizei size = 16) {
        GLuint r = 0;
        glGenRenderbuffers(1, &r);
        glBindRenderbuffer(GL_RENDERBUFFER, r);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, size, size);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, r);
        return r;
    }
    static bool complete() { return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE; }
    static Pixel pixel(int x, int y) {
        unsigned char p[4];
        glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        return {p, p + 4};
    }
};

}  // namespace fixture
