// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Out of memory: every allocation that Terrazzo makes for a scene fails in turn, each time in a new child
// process.
//   oom [--forever] [--every N] [--first N] [--count N] [--trace] [SCENE...]
// --forever: all later allocations fail, too, until the child checks that it still works.
// A child must neither crash nor hang. If its picture is wrong, the failure must have been reported (by a GL
// or EGL error, or a compile log), and no exception may cross the API. Afterwards the process must still
// work: the same scene, drawn again with memory, must have the right picture. Only allocations of Terrazzo's
// code count: this program's malloc and operator new look at the caller. --trace prints the caller that was
// refused, and where a child died.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "examples/common/scene.h"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

// --- the allocator that fails ------------------------------------------------------------------------------

struct Range {
    uintptr_t begin, end;
    [[nodiscard]] bool has(const void* p) const { return uintptr_t(p) >= begin && uintptr_t(p) < end; }
};
Range g_ours[4], g_std;  // code of our libraries, of libstdc++
int g_ours_count;
std::atomic<bool> g_armed;
std::atomic<long> g_left, g_counted;
thread_local bool t_busy;
bool g_trace, g_forever;

void trace() {
    t_busy = true;
    void* frames[40];
    backtrace_symbols_fd(frames, backtrace(frames, 40), 2);
    if (write(2, "\n", 1) < 0) _exit(2);
    t_busy = false;
}

void died(int signal) {
    trace();
    ::signal(signal, SIG_DFL);
    raise(signal);
}

bool ours(const void* caller) {
    for (int i = 0; i < g_ours_count; ++i)
        if (g_ours[i].has(caller)) return true;
    return false;
}

/// Whether this allocation fails.
bool fails(const void* caller) {
    if (!g_armed.load(std::memory_order_relaxed) || t_busy) return false;
    bool mine = ours(caller);
    if (!mine && g_std.has(caller)) {  // a std::string: is it Terrazzo's?
        t_busy = true;
        void* frames[10];
        const int n = backtrace(frames, 10);
        int i = 0;
        while (i < n && !g_std.has(frames[i]))
            ++i;
        while (i < n && g_std.has(frames[i]))
            ++i;
        mine = i < n && ours(frames[i]);
        t_busy = false;
    }
    if (!mine) return false;
    ++g_counted;
    const long left = g_left.fetch_sub(1);
    if (left > 1 || (left < 1 && !g_forever)) return false;
    if (g_trace && left == 1) trace();
    return true;
}

#define CALLER __builtin_return_address(0)

void* new_or_throw(size_t size, size_t align, const void* caller) {
    void* const p = fails(caller) ? nullptr
                    : align       ? __libc_memalign(align, size)
                                  : __libc_malloc(size ? size : 1);
    if (!p) throw std::bad_alloc();
    return p;
}

}  // namespace

extern "C" void* malloc(size_t n) {
    return fails(CALLER) ? nullptr : __libc_malloc(n);
}
extern "C" void* calloc(size_t n, size_t m) {
    return fails(CALLER) ? nullptr : __libc_calloc(n, m);
}
extern "C" void* realloc(void* p, size_t n) {
    return fails(CALLER) ? nullptr : __libc_realloc(p, n);
}
extern "C" void* aligned_alloc(size_t a, size_t n) {
    return fails(CALLER) ? nullptr : __libc_memalign(a, n);
}
extern "C" int posix_memalign(void** out, size_t a, size_t n) {
    void* const p = fails(CALLER) ? nullptr : __libc_memalign(a, n);
    if (!p) return ENOMEM;
    *out = p;
    return 0;
}
void* operator new(size_t n) {
    return new_or_throw(n, 0, CALLER);
}
void* operator new[](size_t n) {
    return new_or_throw(n, 0, CALLER);
}
void* operator new(size_t n, std::align_val_t a) {
    return new_or_throw(n, size_t(a), CALLER);
}
void* operator new[](size_t n, std::align_val_t a) {
    return new_or_throw(n, size_t(a), CALLER);
}
void* operator new(size_t n, const std::nothrow_t&) noexcept {
    return fails(CALLER) ? nullptr : __libc_malloc(n ? n : 1);
}
void* operator new[](size_t n, const std::nothrow_t&) noexcept {
    return fails(CALLER) ? nullptr : __libc_malloc(n ? n : 1);
}
void operator delete(void* p) noexcept {
    free(p);
}
void operator delete[](void* p) noexcept {
    free(p);
}
void operator delete(void* p, size_t) noexcept {
    free(p);
}
void operator delete[](void* p, size_t) noexcept {
    free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    free(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
    free(p);
}
void operator delete(void* p, size_t, std::align_val_t) noexcept {
    free(p);
}
void operator delete[](void* p, size_t, std::align_val_t) noexcept {
    free(p);
}

namespace {

int find_code(dl_phdr_info* info, size_t, void*) {
    const std::string name = info->dlpi_name ? info->dlpi_name : "";
    const bool mine = name.find("libterrazzo") != std::string::npos;
    const bool standard = name.find("libstdc++") != std::string::npos;
    if (!mine && !standard) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& p = info->dlpi_phdr[i];
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_X)) continue;
        const Range r = {info->dlpi_addr + p.p_vaddr, info->dlpi_addr + p.p_vaddr + p.p_memsz};
        if (standard)
            g_std = r;
        else if (g_ours_count < 4)
            g_ours[g_ours_count++] = r;
    }
    return 0;
}

// --- what is drawn -----------------------------------------------------------------------------------------

constexpr int kSize_px = 64;
constexpr unsigned kPatience_s = 30;
using Picture = std::vector<uint8_t>;
const example::Scene* g_scene;
Picture* g_expected;
bool g_told;  // that memory ran out

/// False if EGL created no context. `out` receives the pixels if the scene got so far.
bool render(const example::Scene& scene, Picture* out) {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!display || !eglInitialize(display, nullptr, nullptr)) {
        g_told = eglGetError() != EGL_SUCCESS;
        return false;
    }
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
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, scene.version / 10, EGL_CONTEXT_MINOR_VERSION,
                              scene.version % 10, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, kSize_px, EGL_HEIGHT, kSize_px, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    bool ok = false;
    if (eglChooseConfig(display, want, &config, 1, &count) && count &&
        (context = eglCreateContext(display, config, EGL_NO_CONTEXT, version)) &&
        (surface = eglCreatePbufferSurface(display, config, size)) &&
        eglMakeCurrent(display, surface, surface, context)) {
        scene.draw(kSize_px, kSize_px);
        out->assign(size_t(kSize_px) * kSize_px * 4, 0);
        glReadPixels(0, 0, kSize_px, kSize_px, GL_RGBA, GL_UNSIGNED_BYTE, out->data());
        g_told = glGetError() != GL_NO_ERROR;
        ok = true;
    } else {
        g_told = eglGetError() != EGL_SUCCESS;
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface) eglDestroySurface(display, surface);
    if (context) eglDestroyContext(display, context);
    eglTerminate(display);
    return ok;
}

// How a child ends.
constexpr int kWell = 0, kNoneLeft = 10, kOtherAfterwards = 11, kSilence = 12;

[[noreturn]] void finish_child(bool right) {
    g_armed = false;
    alarm(kPatience_s);
    if (!right && !g_told) _exit(kSilence);
    Picture again;
    const bool failed = g_left.load() <= 0;
    eglReleaseThread();
    if (!render(*g_scene, &again) || again != *g_expected) _exit(kOtherAfterwards);
    _exit(failed ? kWell : kNoneLeft);
}

/// Runs the scene with the n-th allocation failing; returns wait()'s status.
int run_child(long n) {
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(kPatience_s);
        if (g_trace)
            for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
                signal(s, died);
        // A scene calls exit() if a shader does not compile, and prints its log. Programs may do that.
        std::atexit([] {
            g_told = true;
            finish_child(false);
        });
        g_left = n;
        g_armed = true;
        Picture first;
        const bool drawn = render(*g_scene, &first);
        finish_child(drawn && first == *g_expected);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
}

/// What is wrong with a child's exit status; null if nothing.
const char* describe(int status) {
    if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
    switch (WEXITSTATUS(status)) {
        case kWell:
            return nullptr;
        case kOtherAfterwards:
            return "another picture afterwards";
        case kSilence:
            return "no picture, and no error";
    }
    return "the scene gave up afterwards";
}

int run_scene(const example::Scene& scene, long first, long every, long count) {
    g_scene = &scene;
    // Also in a child process: the parent must stay without threads, and fork()s what it found.
    int fd[2];
    if (pipe(fd)) return 1;
    const pid_t pid = fork();
    const size_t size_B = size_t(kSize_px) * kSize_px * 4;
    if (pid == 0) {
        Picture p;
        const bool ok = render(scene, &p) && write(fd[1], p.data(), size_B) == ssize_t(size_B);
        _exit(!ok);
    }
    Picture expected(size_B);
    close(fd[1]);
    size_t got = 0;
    for (ssize_t n; got < size_B && (n = read(fd[0], expected.data() + got, size_B - got)) > 0;)
        got += size_t(n);
    close(fd[0]);
    waitpid(pid, nullptr, 0);
    if (got != size_B && scene.version > 20)
        return std::printf("%s: skipped: there is no context of its version\n", scene.name), 0;
    if (got != size_B) return std::printf("%s: no picture\n", scene.name), 1;
    g_expected = &expected;
    int bad = 0;
    long n = first, runs = 0;
    for (; runs < count; n += every, ++runs) {
        const int status = run_child(n);
        if (WIFEXITED(status) && WEXITSTATUS(status) == kNoneLeft) break;
        if (isatty(2)) std::fprintf(stderr, "\r%s: allocation %ld ", scene.name, n);
        const char* const problem = describe(status);
        if (!problem) continue;
        ++bad;
        std::printf("%s: allocation %ld fails: %s\n", scene.name, n, problem);
        std::fflush(stdout);  // before the next fork
        if (bad >= 20) break;
    }
    if (isatty(2)) std::fprintf(stderr, "\r");
    std::printf("%s: %ld failures of about %ld allocations, %d of them bad\n", scene.name, runs, n, bad);
    std::fflush(stdout);
    return bad;
}

}  // namespace

int main(int argc, char** argv) {
    long every = 1, first = 1, count = LONG_MAX;
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if (a == "--every" && i + 1 < argc)
            every = std::max(1L, std::atol(argv[++i]));
        else if (a == "--first" && i + 1 < argc)
            first = std::max(1L, std::atol(argv[++i]));
        else if (a == "--count" && i + 1 < argc)
            count = std::max(1L, std::atol(argv[++i]));
        else if (a == "--trace")
            g_trace = true;
        else if (a == "--forever")
            g_forever = true;
        else
            names.push_back(a);
    }
    void* frame[1];
    (void)backtrace(frame, 1);  // loads the unwinder now, while memory is there
    // Load now what Terrazzo would load later: it is in the same folder.
    Dl_info library;
    if (dladdr(reinterpret_cast<void*>(eglGetProcAddress("glClear")), &library)) {
        const std::string file = library.dli_fname;
        (void)dlopen((file.substr(0, file.rfind('/') + 1) + "libterrazzo-llvm.so").c_str(), RTLD_NOW);
    }
    dl_iterate_phdr(find_code, nullptr);
    if (!g_ours_count) return std::fprintf(stderr, "oom: this program runs on no libterrazzo\n"), 2;
    int bad = 0;
    for (const example::Scene& s : example::scenes())
        if (names.empty() || std::find(names.begin(), names.end(), s.name) != names.end())
            bad += run_scene(s, first, every, count);
    return bad != 0;
}
