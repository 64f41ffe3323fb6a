// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A shader that does not end, in a context that wants to know (KHR_robustness): it is stopped and told, the
// context is lost, and a new one draws.
#include "tests/api/egl/fixture.h"

namespace {

constexpr GLenum kLost = 0x0507, kGuilty = 0x8253;  // GL_CONTEXT_LOST, GL_GUILTY_CONTEXT_RESET

GLuint endless_program() {
    const char* const texts[] = {
        "attribute vec4 p; void main() { gl_Position = p; }",
        "precision highp float; uniform float step; void main() { float x = 0.0; for (int i = 0; i < "
        "1000000000; ++i) {"
        " for (int k = 0; k < 1000000000; ++k) x += step; if (x > 1.0) break; } gl_FragColor = vec4(x); }"};
    const GLuint p = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &texts[i], nullptr);
        glCompileShader(s);
        glAttachShader(p, s);
    }
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    GLint linked = 0;
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    REQUIRE(linked);
    glUseProgram(p);
    return p;
}

void record_endless() {
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    endless_program();
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void draw_endless() {
    record_endless();
    glFinish();
}

}  // namespace

TEST_CASE("an endless shader loses a robust context, and no other") {
    fixture::Display d;
    const EGLConfig config = d.config({EGL_ALPHA_SIZE, 8});
    const EGLint robust[] = {EGL_CONTEXT_CLIENT_VERSION,
                             2,
                             EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                             EGL_TRUE,
                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                             EGL_LOSE_CONTEXT_ON_RESET,
                             EGL_NONE};
    const EGLContext context = eglCreateContext(d.dpy, config, EGL_NO_CONTEXT, robust);
    REQUIRE(context != EGL_NO_CONTEXT);
    const EGLSurface surface = d.pbuffer(config, 64, 64);
    REQUIRE(eglMakeCurrent(d.dpy, surface, surface, context));
    const auto reset_status = fixture::proc<GLenum (*)()>("glGetGraphicsResetStatusKHR");
    CHECK(reset_status() == GL_NO_ERROR);
    draw_endless();
    CHECK(glGetError() == GL_NO_ERROR);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == kLost);
    CHECK(glCreateProgram() == 0);
    CHECK(glGetError() == kLost);
    CHECK(reset_status() == kGuilty);
    CHECK(reset_status() == GL_NO_ERROR);  // over, and the context stays lost
    glFlush();
    CHECK(glGetError() == kLost);

    const EGLContext next = d.context(config);
    REQUIRE(eglMakeCurrent(d.dpy, surface, surface, next));
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    unsigned char px[4] = {};
    glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(px[1] == 255);

    // Without the wish to know, the shader ends all the same and the context goes on.
    draw_endless();
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(px[1] == 255);
}

TEST_CASE("a reset is told after other passes, and without robust access") {
    fixture::Display d;
    const EGLConfig config = d.config({EGL_ALPHA_SIZE, 8});
    const EGLint told[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                           EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};
    const EGLContext context = eglCreateContext(d.dpy, config, EGL_NO_CONTEXT, told);
    REQUIRE(context != EGL_NO_CONTEXT);
    const EGLSurface first = d.pbuffer(config, 16, 16), second = d.pbuffer(config, 16, 16);
    REQUIRE(eglMakeCurrent(d.dpy, first, first, context));
    record_endless();
    REQUIRE(eglMakeCurrent(d.dpy, second, second, context));  // hands the pass over
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    const auto reset_status = fixture::proc<GLenum (*)()>("glGetGraphicsResetStatusKHR");
    CHECK(reset_status() == kGuilty);
}
