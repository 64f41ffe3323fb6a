// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The rates of an OpenGL ES implementation, case by case, on the surfaceless platform at 1024x1024. Prints
// "case<TAB>value<TAB>unit"; tests/bench/gl_compare runs it on two implementations and prints ratios.
//   gl_bench [--seconds S] [--seed N] [--cpu] CASE     (no case: the list)
// Rates are for wall time, with --cpu for the CPU time of all threads, which is better on a busy machine.
// `first_draw` is the CPU time of a program in ms (all threads). The seed changes its texts.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/bench/gl_bench.h"

namespace bench {

unsigned g_seed = 1;

namespace {
double g_seconds = 0.5;
bool g_of_cpu = false;
}  // namespace

void fail(const std::string& why) {
    std::fprintf(stderr, "gl_bench: %s\n", why.c_str());
    std::exit(1);
}

namespace {
double wall_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

double cpu_s() {
    rusage u;
    getrusage(RUSAGE_SELF, &u);
    const auto s = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
    return s(u.ru_utime) + s(u.ru_stime);
}

namespace {
void create_context(int es_version) {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl(eglGetProcAddress)("eglGetPlatformDisplayEXT"));
    if (!get_display) fail("no eglGetPlatformDisplayEXT");
    const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!egl(eglInitialize)(display, nullptr, nullptr)) fail("eglInitialize failed");
    const EGLint want[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           es_version < 30 ? EGL_OPENGL_ES2_BIT : EGL_OPENGL_ES3_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!egl(eglChooseConfig)(display, want, &config, 1, &count) || count < 1) fail("no config");
    egl(eglBindAPI)(EGL_OPENGL_ES_API);
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, es_version / 10,
                              es_version % 10 ? EGL_CONTEXT_MINOR_VERSION : EGL_NONE, es_version % 10,
                              EGL_NONE};
    const EGLContext context = egl(eglCreateContext)(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) fail("no context of OpenGL ES " + std::to_string(es_version));
    const EGLint size[] = {EGL_WIDTH, kSize_px, EGL_HEIGHT, kSize_px, EGL_NONE};
    const EGLSurface surface = egl(eglCreatePbufferSurface)(display, config, size);
    if (!egl(eglMakeCurrent)(display, surface, surface, context)) fail("eglMakeCurrent failed");
    gl(glViewport)(0, 0, kSize_px, kSize_px);
}

}  // namespace

GLuint program(const std::string& vertex, const std::string& fragment, const char* captured) {
    const GLuint p = gl(glCreateProgram)();
    const auto stage = [&](GLenum kind, const std::string& text) {
        const GLuint s = gl(glCreateShader)(kind);
        const char* const t = text.c_str();
        gl(glShaderSource)(s, 1, &t, nullptr);
        gl(glCompileShader)(s);
        gl(glAttachShader)(p, s);
    };
    stage(GL_VERTEX_SHADER, vertex);
    stage(GL_FRAGMENT_SHADER, fragment);
    gl(glBindAttribLocation)(p, 0, "position");
    gl(glBindAttribLocation)(p, 1, "data");
    if (captured) gl(glTransformFeedbackVaryings)(p, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    gl(glLinkProgram)(p);
    GLint ok = 0;
    gl(glGetProgramiv)(p, GL_LINK_STATUS, &ok);
    if (!ok) {
        char log[2048] = "";
        gl(glGetProgramInfoLog)(p, sizeof log, nullptr, log);
        fail(log);
    }
    gl(glUseProgram)(p);
    return p;
}

void print(const char* name, double value, const char* unit) {
    std::printf("%s\t%.6g\t%s\n", name, value, unit);
    std::fflush(stdout);
}

/// Calls `frame` (which ends with glFinish) until the time is over. Converts units a frame to millions a
/// second. Returns the best of five measurements: other work of the machine can only slow them down.
void rate(const char* name, double units, const char* unit, const std::function<void()>& frame) {
    frame();
    frame();
    double best = 0;
    for (int stretch = 0; stretch < 5; ++stretch) {
        const auto now = g_of_cpu ? cpu_s : wall_s;
        const double begin = now();
        int n = 0;
        do {
            frame();
            ++n;
        } while (now() - begin < g_seconds / 5);
        best = std::max(best, units * n / (now() - begin));
    }
    if (const GLenum e = gl(glGetError)()) fail("GL error " + std::to_string(e));
    print(name, best / 1e6, unit);
}

namespace {
struct Quad {
    float f[4][8];
};
}  // namespace

void bind_quad(float texels) {
    static Quad q;
    for (int i = 0; i < 4; ++i) {
        const float x = float(i & 1), y = float(i >> 1), s = texels / kSize_px;
        const float row[8] = {x * 2 - 1, y * 2 - 1, 0, 1, x * s, y * s, 0.25f, 1.0f};
        std::memcpy(q.f[i], row, sizeof row);
    }
    gl(glVertexAttribPointer)(0, 4, GL_FLOAT, GL_FALSE, sizeof q.f[0], q.f[0]);
    gl(glVertexAttribPointer)(1, 4, GL_FLOAT, GL_FALSE, sizeof q.f[0], q.f[0] + 4);
    gl(glEnableVertexAttribArray)(0);
    gl(glEnableVertexAttribArray)(1);
}

void expect_middle(int r, int g, int b, int tolerance) {
    uint8_t px[4];
    gl(glReadPixels)(kSize_px / 2, kSize_px / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
    const int want[3] = {r, g, b};
    for (int c = 0; c < 3; ++c)
        if (std::abs(px[c] - want[c]) > tolerance)
            fail("the pixel in the middle is " + std::to_string(px[0]) + ", " + std::to_string(px[1]) + ", " +
                 std::to_string(px[2]) + ", not " + std::to_string(r) + ", " + std::to_string(g) + ", " +
                 std::to_string(b));
}

void first_draw(const char* name, const std::string& vertex, const std::string& fragment) {
    constexpr unsigned kPrograms = 8;
    const auto seeded = [](std::string text, unsigned n) {
        const size_t at = text.find("SEED");
        return text.replace(at, 4, "0." + std::to_string(100000 + n % 900000));
    };
    bind_quad(kSize_px);
    gl(glViewport)(0, 0, 16, 16);
    program(
        "attribute vec4 position; attribute vec4 data; varying vec4 v; void main() { gl_Position = position; "
        "v = data; }",
        "precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }");
    gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
    gl(glFinish)();
    std::vector<double> ms;
    for (unsigned i = 0; i < kPrograms; ++i) {
        const double begin = cpu_s();
        program(seeded(vertex, g_seed * kPrograms + i), seeded(fragment, g_seed * kPrograms + i));
        gl(glDrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
        gl(glFinish)();
        ms.push_back((cpu_s() - begin) * 1e3);
        uint8_t px[4] = {};
        gl(glReadPixels)(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
        if (px[3] < 20 || px[3] > 254) fail(std::string(name) + ": the program's alpha is not there");
    }
    std::sort(ms.begin(), ms.end());
    print(name, ms[ms.size() / 2], "ms CPU");
}

}  // namespace bench

using namespace bench;

int main(int argc, char** argv) {
    std::vector<const Case*> todo;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if ((a == "--seconds" || a == "--seed") && i + 1 < argc) {
            const char* const value = argv[++i];
            if (a == "--seed")
                g_seed = unsigned(std::atoi(value));
            else
                g_seconds = std::atof(value);
            continue;
        }
        if (a == "--cpu") {
            g_of_cpu = true;
            continue;
        }
        const size_t before = todo.size();
        for (const std::span<const Case> cases : {es2_cases(), es3_cases(), es31_cases()})
            for (const Case& c : cases)
                if (a == c.name) todo.push_back(&c);
        if (todo.size() == before) fail("no case " + a);
    }
    if (todo.size() != 1) {
        for (const std::span<const Case> cases : {es2_cases(), es3_cases(), es31_cases()})
            for (const Case& c : cases)
                std::printf("%s\n", c.name);
        return todo.empty() ? 0 : 1;  // one case for each process, so that no state remains
    }
    create_context(todo[0]->version);
    todo[0]->run();
    return 0;
}
