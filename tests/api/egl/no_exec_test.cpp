// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Hosts that restrict executable memory. One refuses memory that was ever writable (PR_SET_MDWE, Linux 6.3):
// compiled code must run all the same, without a message. The other refuses any executable memory (a seccomp
// filter): then shaders are interpreted, with a message of one line. Each runs in a child process, and the
// picture must be right in all of them.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <doctest/doctest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

#include "tests/common/sanitizers.h"

namespace {

constexpr int kRight = 0, kWrong = 1, kCannotRestrict = 2;

GLuint shader(GLenum type, const char* text) {
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, nullptr);
    glCompileShader(s);
    return s;
}

/// Draws with a shader that computes something.
bool draws() {
    const EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    const EGLint config[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE},
                 size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLConfig c;
    EGLint n = 0;
    if (!eglInitialize(dpy, nullptr, nullptr) || !eglChooseConfig(dpy, config, &c, 1, &n) || !n) return false;
    const EGLSurface s = eglCreatePbufferSurface(dpy, c, size);
    if (!eglMakeCurrent(dpy, s, s, eglCreateContext(dpy, c, EGL_NO_CONTEXT, version))) return false;
    const GLuint p = glCreateProgram();
    glAttachShader(
        p, shader(GL_VERTEX_SHADER, "attribute vec2 a; void main() { gl_Position = vec4(a, 0.0, 1.0); }"));
    glAttachShader(p, shader(GL_FRAGMENT_SHADER,
                             "precision highp float; uniform vec4 u; void main() { vec4 c = u; "
                             "for (int i = 0; i < 4; ++i) c += u * sqrt(u); gl_FragColor = c; }"));
    glBindAttribLocation(p, 0, "a");
    glLinkProgram(p);
    glUseProgram(p);
    glUniform4f(glGetUniformLocation(p, "u"), 0.25f, 0.04f, 0.0f, 1.0f);
    static const float kTriangle[] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kTriangle);
    glEnableVertexAttribArray(0);
    unsigned char out[4];
    for (int i = 0; i < 40; ++i) {  // a better tier may replace the code in between
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(4, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, out);
        // 0.25 + 4 * 0.125 = 0.75; 0.04 + 4 * 0.008 = 0.072
        if (out[0] == 191 && out[1] == 18 && out[2] == 0 && out[3] == 255) continue;
        std::fprintf(stderr, "%d %d %d %d\n", out[0], out[1], out[2], out[3]);
        return false;
    }
    return glGetError() == GL_NO_ERROR && eglTerminate(dpy);
}

bool refuse_gained_execution() {
    return prctl(PR_SET_MDWE, 1, 0, 0, 0) == 0;
}

/// mmap and mprotect with PROT_EXEC return EPERM.
bool refuse_execution() {
    constexpr auto load = [](size_t at) {
        return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, unsigned(at));
    };
    constexpr auto equal = [](unsigned value, unsigned char yes, unsigned char no) {
        return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
    };
    sock_filter filter[] = {
        load(offsetof(seccomp_data, nr)),
        equal(__NR_mmap, 1, 0),
        equal(__NR_mprotect, 0, 3),
        load(offsetof(seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (1 & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// The child's exit status. *printed: its output on stderr.
int run(bool (*restrict_host)(), std::string* printed) {
    int fd[2];
    REQUIRE(pipe(fd) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(fd[1], 2);
        alarm(60);
        _exit(!restrict_host() ? kCannotRestrict : draws() ? kRight : kWrong);
    }
    close(fd[1]);
    char bytes[1024];
    for (ssize_t n; (n = read(fd[0], bytes, sizeof bytes)) > 0;)
        printed->append(bytes, size_t(n));
    close(fd[0]);
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("memory that was writable may not become executable: code is compiled all the same" *
          doctest::skip(terrazzo::test::kThreadSanitizer)) {
    std::string printed;
    const int status = run(refuse_gained_execution, &printed);
    if (status == kCannotRestrict) return;  // an older kernel
    CHECK(status == kRight);
    CHECK(printed == "");
}

TEST_CASE("no executable memory: shaders are interpreted, and one line says so" *
          doctest::skip(terrazzo::test::kThreadSanitizer)) {
    std::string printed;
    const int status = run(refuse_execution, &printed);
    if (status == kCannotRestrict) return;  // in a container that does not allow it
    CAPTURE(printed);
    CHECK(status == kRight);
    const bool compiles = printed != "";  // without compilers there is no message
    if (compiles) {
        CHECK(std::count(printed.begin(), printed.end(), '\n') == 1);
        CHECK(printed.find("run in the interpreter") != printed.npos);
    }
}
