// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Contexts of one share group in threads. They draw to, sample, copy, blit, view, map, store to and delete
// the same textures and buffers, mostly without any synchronization. There are at most six threads.
//   fuzz_threads [--threads N] [--operations N] [--seconds N] [--seed N]
// The results of unsynchronized accesses are undefined, but no context may be lost, and no thread may crash
// or hang. Defined results are compared. Each thread owns a face of a shared cube map: two faces are
// different images, so that draws to the other faces do not matter. And threads pass each other pictures,
// with fences. An operation is a few calls; `--operations` is the number for each thread.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/fuzz/shared_objects.h"

namespace {

using namespace fuzz::threads;

constexpr unsigned kPatience_s = 60;

struct Options {
    unsigned threads = 3;
    uint64_t operations = 2000, seed = 1;
    double seconds = 0;  // 0: run a number of operations
};

class Failure {
  public:
    /// The first failure is reported.
    void report(unsigned thread, const std::string& what) {
        if (failed_.exchange(true)) return;
        std::fprintf(stderr, "\nfuzz_threads: thread %u: %s\n", thread, what.c_str());
    }
    [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> failed_{false};
};

void run_thread(EGLDisplay display, EGLContext context, unsigned number, const Options& options,
                SharedObjects& objects, Failure& failure, std::atomic<uint64_t>* done) {
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return failure.report(number, "cannot make its context current");
    {
        Worker worker(objects, number, options.seed * kMostThreads + number);
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
        for (uint64_t i = 0; !failure.failed(); ++i) {
            if (options.seconds > 0 ? std::chrono::steady_clock::now() >= end : i >= options.operations)
                break;
            if (number == 0 && i % 64 == 0) alarm(kPatience_s);
            if (const std::string why = worker.step(); !why.empty()) failure.report(number, why);
            done->fetch_add(1, std::memory_order_relaxed);
        }
        if (const std::string why = worker.finish(); !why.empty()) failure.report(number, why);
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglReleaseThread();
}

EGLContext create_context(EGLDisplay display, EGLConfig config, EGLContext share) {
    for (const EGLint version : {3, 2}) {
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     version,
                                     EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                     EGL_TRUE,
                                     EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                     EGL_LOSE_CONTEXT_ON_RESET,
                                     EGL_NONE};
        if (const EGLContext c = eglCreateContext(display, config, share, attributes)) return c;
    }
    return EGL_NO_CONTEXT;
}

bool run(const Options& options) {
    const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                           EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, want, &config, 1, &count) ||
        !count)
        return std::fprintf(stderr, "fuzz_threads: no display\n"), false;
    const EGLContext first = create_context(display, config, EGL_NO_CONTEXT);
    if (!first || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, first))
        return std::fprintf(stderr, "fuzz_threads: no context: 0x%x\n", unsigned(eglGetError())), false;
    Failure failure;
    std::atomic<uint64_t> done{0};
    {
        SharedObjects objects;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        std::vector<EGLContext> contexts;
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < options.threads; ++i) {
            contexts.push_back(create_context(display, config, first));
            threads.emplace_back(run_thread, display, contexts[i], i, std::cref(options), std::ref(objects),
                                 std::ref(failure), &done);
        }
        for (std::thread& t : threads)
            t.join();
        for (const EGLContext c : contexts)
            eglDestroyContext(display, c);
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, first);
    }
    alarm(0);
    eglDestroyContext(display, first);
    eglTerminate(display);
    eglReleaseThread();
    if (failure.failed()) return false;
    std::printf("%llu operations in %u threads: no context was lost\n",
                static_cast<unsigned long long>(done.load()), options.threads);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string a = argv[i];
        if (a == "--threads")
            options.threads = unsigned(std::strtoul(argv[i + 1], nullptr, 10));
        else if (a == "--operations")
            options.operations = std::strtoull(argv[i + 1], nullptr, 10);
        else if (a == "--seconds")
            options.seconds = std::strtod(argv[i + 1], nullptr);
        else if (a == "--seed")
            options.seed = std::strtoull(argv[i + 1], nullptr, 10);
        else
            return std::fprintf(stderr, "fuzz_threads: no option %s\n", argv[i]), 2;
    }
    if (!options.threads || options.threads > kMostThreads)
        return std::fprintf(stderr, "fuzz_threads: 1 to %u threads\n", kMostThreads), 2;
    setenv("EGL_PLATFORM", "surfaceless", 0);
    return run(options) ? 0 : 1;
}
