// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program with a limited address space (RLIMIT_AS) draws, or gets an error; it is never ended. LLVM's
// constructors and parts of its code abort when memory runs out. Each limit is tested in a process of its
// own, which loads LLVM again. Therefore this is a separate program.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace {

constexpr unsigned kStep_MiB = 4, kMost_MiB = 200;
constexpr unsigned kDraws = 12;               // enough to use LLVM
constexpr useconds_t kPatience_us = 150'000;  // time for LLVM to begin, in the background

GLuint shader(GLenum type, const char* text) {
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, nullptr);
    glCompileShader(s);
    return s;
}

/// Runs as far as possible; it only has to return.
void draw() {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                           EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, want, &config, 1, &n) || !n)
        return;
    const EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    if (!eglMakeCurrent(display, surface, surface,
                        eglCreateContext(display, config, EGL_NO_CONTEXT, version)))
        return;
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER,
                                   "attribute vec4 a; varying vec4 v; void main() { gl_Position "
                                   "= a; v = sin(a); }"));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER,
                                   "precision highp float; varying vec4 v; void main() { "
                                   "gl_FragColor = pow(v, v + 1.0); }"));
    glLinkProgram(program);
    glUseProgram(program);
    static const GLfloat kTriangle[] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kTriangle);
    glEnableVertexAttribArray(0);
    for (unsigned i = 0; i < kDraws; ++i) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
    }
    usleep(kPatience_us);
    eglTerminate(display);
}

/// The current size of the process' address space.
unsigned used_MiB() {
    unsigned long pages = 0;
    if (FILE* f = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(f, "%lu", &pages) != 1) pages = 0;
        std::fclose(f);
    }
    return unsigned(pages * size_t(sysconf(_SC_PAGESIZE)) >> 20);
}

}  // namespace

int main() {
    const unsigned used = used_MiB();
    unsigned ended = 0;
    for (unsigned more = kStep_MiB; more <= kMost_MiB; more += kStep_MiB) {
        const pid_t child = fork();
        if (child == 0) {
            const rlimit limit = {rlim_t(used + more) << 20, rlim_t(used + more) << 20};
            if (setrlimit(RLIMIT_AS, &limit) == 0) draw();
            _exit(0);
        }
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) continue;
        ++ended;
        std::fprintf(stderr, "%u + %u MiB: signal %d\n", used, more, WTERMSIG(status));
    }
    std::printf("%u of %u limits ended the process\n", ended, kMost_MiB / kStep_MiB);
    return ended != 0;
}
