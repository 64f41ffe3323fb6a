// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random EGL and OpenGL ES calls on two contexts of a share group; nothing may crash, hang or leak (run it
// under sanitizers to see leaks).
//   fuzz_api [--calls N] [--seed N]
// Calls come in rounds with a seed of their own, after which everything is destroyed; a failing round is
// repeated alone by
// `--seed SEED --calls 20000`. A call that takes longer than 20 s counts as a hang.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "tests/fuzz/commands.h"

namespace {

constexpr uint64_t kRound = 20000;
constexpr unsigned kPatience_s = 20;

// What the signal handler reports.
volatile uint64_t g_seed, g_step;
const char* volatile g_command = "";

void report(int signal) {
    char line[200];
    const int n = std::snprintf(line, sizeof line, "\nfuzz_api: signal %d in '%s', --seed %llu, call %llu\n",
                                signal, g_command, static_cast<unsigned long long>(g_seed),
                                static_cast<unsigned long long>(g_step));
    if (write(2, line, size_t(n)) < 0) _exit(2);
    ::signal(signal, SIG_DFL);
    raise(signal == SIGALRM ? SIGABRT : signal);
}

struct Contexts {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLContext context[2] = {};
    EGLSurface surface[2] = {};
    bool robust = false;
};

bool create(Contexts* c, uint64_t seed) {
    c->display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (!eglInitialize(c->display, nullptr, nullptr)) return false;
    const EGLint want[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES2_BIT,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_STENCIL_SIZE,
                           8,
                           EGL_NONE};
    EGLint n = 0;
    if (!eglChooseConfig(c->display, want, &c->config, 1, &n) || !n) return false;
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint plain[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint debug[] = {EGL_CONTEXT_CLIENT_VERSION,
                            2,
                            EGL_CONTEXT_OPENGL_DEBUG,
                            EGL_TRUE,
                            EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                            EGL_TRUE,
                            EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 61, EGL_HEIGHT, 67, EGL_NONE};
    for (int i = 0; i < 2; ++i) {
        c->context[i] =
            eglCreateContext(c->display, c->config, c->context[0], (seed >> i & 1) ? debug : plain);
        c->surface[i] = eglCreatePbufferSurface(c->display, c->config, size);
        if (!c->context[i] || !c->surface[i]) return false;
    }
    return eglMakeCurrent(c->display, c->surface[0], c->surface[0], c->context[0]);
}

/// Window-system calls between the drawing: switching contexts, swaps, images, syncs, surfaces that come and
/// go.
void egl_call(Contexts* c, fuzz::Random& r) {
    const unsigned which = r.below(2);
    EGLint value;
    switch (r.below(8)) {
        case 0:
            eglMakeCurrent(c->display, c->surface[r.below(2)], c->surface[which], c->context[which]);
            break;
        case 1:
            eglSwapBuffers(c->display, c->surface[which]);
            break;
        case 2: {
            const EGLint size[] = {EGL_WIDTH, r.bounded(70), EGL_HEIGHT, r.bounded(70), EGL_NONE};
            const EGLSurface s = eglCreatePbufferSurface(c->display, c->config, size);
            if (r.boolean()) eglMakeCurrent(c->display, s, s, c->context[which]);
            eglDestroySurface(c->display, s);
            break;
        }
        case 3: {
            const EGLImage image =
                eglCreateImage(c->display, c->context[which], EGL_GL_TEXTURE_2D,
                               reinterpret_cast<EGLClientBuffer>(uintptr_t(r.name())), nullptr);
            eglDestroyImage(c->display, image);
            break;
        }
        case 4: {
            const EGLSync sync = eglCreateSync(c->display, EGL_SYNC_FENCE, nullptr);
            eglClientWaitSync(c->display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, r.boolean() ? 0 : 1000000);
            eglDestroySync(c->display, sync);
            break;
        }
        case 5:
            eglQuerySurface(c->display, c->surface[which],
                            EGLint(r.pick({EGL_WIDTH, EGL_HEIGHT, EGL_CONFIG_ID})), &value);
            break;
        case 6:
            eglQueryContext(c->display, c->context[which], EGLint(r.pick({EGL_CONFIG_ID, EGL_RENDER_BUFFER})),
                            &value);
            break;
        default:
            eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context[which]);
    }
    if (eglGetCurrentContext() == EGL_NO_CONTEXT)
        eglMakeCurrent(c->display, c->surface[which], c->surface[which], c->context[which]);
}

bool known_error(GLenum e) {
    switch (e) {
        case GL_NO_ERROR:
        case GL_INVALID_ENUM:
        case GL_INVALID_VALUE:
        case GL_INVALID_OPERATION:
        case GL_OUT_OF_MEMORY:
        case GL_INVALID_FRAMEBUFFER_OPERATION:
        case 0x0503:  // GL_STACK_OVERFLOW
        case 0x0504:  // GL_STACK_UNDERFLOW
        case 0x0507:  // GL_CONTEXT_LOST
            return true;
    }
    return false;
}

bool run_round(uint64_t seed, uint64_t calls, fuzz::Arena arena,
               const std::vector<const fuzz::Command*>& table) {
    g_seed = seed;
    Contexts c;
    if (!create(&c, seed)) {
        std::fprintf(stderr, "fuzz_api: no context: 0x%x\n", unsigned(eglGetError()));
        return false;
    }
    fuzz::Random r(seed, arena);
    for (uint64_t i = 0; i < calls; ++i) {
        g_step = i;
        if (i % 256 == 0) alarm(kPatience_s);
        if (r.one_in(100)) {
            g_command = "egl";
            egl_call(&c, r);
            continue;
        }
        const fuzz::Command& command = *table[r.below(uint32_t(table.size()))];
        g_command = command.name;
        command.call(r);
        if (r.one_in(16))
            if (const GLenum e = glGetError(); !known_error(e)) {
                std::fprintf(stderr, "fuzz_api: glGetError gave 0x%x after %s\n", e, command.name);
                return false;
            }
    }
    g_command = "destroying";
    alarm(kPatience_s);
    if (seed % 3) eglMakeCurrent(c.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    for (int i = 0; i < 2; ++i) {
        eglDestroyContext(c.display, c.context[i]);
        eglDestroySurface(c.display, c.surface[i]);
    }
    eglMakeCurrent(c.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(c.display);
    eglReleaseThread();
    alarm(0);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    uint64_t calls = 100000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string a = argv[i];
        if (a == "--calls")
            calls = std::strtoull(argv[i + 1], nullptr, 10);
        else if (a == "--seed")
            seed = std::strtoull(argv[i + 1], nullptr, 10);
        else
            return std::fprintf(stderr, "fuzz_api: no option %s\n", argv[i]), 2;
    }
    setenv("EGL_PLATFORM", "surfaceless", 0);
    fuzz::Arena arena{static_cast<uint8_t*>(mmap(nullptr, fuzz::Arena::kSize_B, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))};
    if (arena.bytes == MAP_FAILED) return 2;
    for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
        signal(s, report);
    std::vector<const fuzz::Command*> table;
    for (const fuzz::Command& c : fuzz::commands())
        table.insert(table.end(), c.weight, &c);
    const bool show = isatty(2);
    for (uint64_t done = 0; done < calls; done += kRound, ++seed) {
        fuzz::Random fill(seed, arena);
        for (size_t i = 0; i < fuzz::Arena::kRandom_B; i += 4) {
            // Half floats of a drawable size, half any bits.
            const float f = fill.real();
            uint32_t word = fill.bits();
            if (i / 4096 % 2) std::memcpy(&word, &f, 4);
            std::memcpy(arena.bytes + i, &word, 4);
        }
        if (!run_round(seed, std::min(kRound, calls - done), arena, table)) return 1;
        if (show)
            std::fprintf(stderr, "\r%llu of %llu calls", static_cast<unsigned long long>(done + kRound),
                         static_cast<unsigned long long>(calls));
    }
    if (show) std::fprintf(stderr, "\n");
    std::printf("%llu random calls: no crash, no hang\n", static_cast<unsigned long long>(calls));
    munmap(arena.bytes, fuzz::Arena::kSize_B);
    return 0;
}
