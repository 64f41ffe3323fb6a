// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/api/memory/failing_malloc.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

thread_local constinit bool t_armed = false;
thread_local constinit long t_left = 0;
thread_local constinit bool t_failed = false;
std::atomic<long> g_live{0};

/// For breakpoints.
__attribute__((noinline)) void first_failure() {
    asm volatile("");
}

/// True if this allocation fails.
bool fails() {
    if (!t_armed || t_left-- > 0) return false;
    if (!t_failed) first_failure();
    t_left = 0;
    t_failed = true;
    errno = ENOMEM;
    return true;
}

void* counted(void* p) {
    if (p) g_live.fetch_add(1, std::memory_order_relaxed);
    return p;
}

}  // namespace

// operator new calls malloc.
extern "C" void* malloc(size_t n) {
    return fails() ? nullptr : counted(__libc_malloc(n));
}
extern "C" void* calloc(size_t n, size_t m) {
    return fails() ? nullptr : counted(__libc_calloc(n, m));
}
extern "C" void* realloc(void* p, size_t n) {
    if (fails()) return nullptr;
    void* const q = __libc_realloc(p, n);
    return p ? q : counted(q);
}
extern "C" void* aligned_alloc(size_t a, size_t n) {
    return fails() ? nullptr : counted(__libc_memalign(a, n));
}
extern "C" void* memalign(size_t a, size_t n) {
    return fails() ? nullptr : counted(__libc_memalign(a, n));
}
extern "C" int posix_memalign(void** out, size_t a, size_t n) {
    void* const p = fails() ? nullptr : counted(__libc_memalign(a, n));
    if (!p) return ENOMEM;
    *out = p;
    return 0;
}
extern "C" void free(void* p) {
    if (!p) return;
    g_live.fetch_sub(1, std::memory_order_relaxed);
    __libc_free(p);
}

namespace no_memory {
namespace {

constexpr int kNothingFailed = 10, kWell = 0, kBroken = 11, kLeaks = 12;
constexpr unsigned kPatience_s = 60;

[[noreturn]] void child(const Scene& s, long k) {
    alarm(kPatience_s);
    // Memory that is allocated once for a process exists after the first round: later rounds must release all
    // theirs.
    const auto round = [&](long left) {
        if (s.prepare) s.prepare();
        bool failed = false;
        if (left >= 0) {
            arm(left);
            s.run();
            failed = disarm();
        } else {
            s.run();
        }
        if (!s.works()) _exit(kBroken);
        return failed;
    };
    const bool first_failed = round(k);  // nothing had been created before
    (void)round(-1);
    const long before = live_blocks();
    (void)round(k);
    (void)round(-1);
    const long after = live_blocks();
    if (after > before + s.may_lose) {
        std::fprintf(stderr, "%s: %ld: %ld blocks are left\n", s.name, k, after - before);
        _exit(kLeaks);
    }
    _exit(first_failed ? kWell : kNothingFailed);
}

}  // namespace

void arm(long left) {
    t_left = left;
    t_failed = false;
    t_armed = true;
}

bool disarm() {
    t_armed = false;
    return t_failed;
}

long live_blocks() {
    return g_live.load(std::memory_order_relaxed);
}

const char* sweep(const Scene& scene, long all, long step, long* refused) {
    static char text[256];
    *refused = 0;
    const char* const only = std::getenv("NO_MEMORY_K");  // only this k, for debugging
    for (long k = only ? std::atol(only) : 0; k < 100'000; k += k < all ? 1 : step) {
        if (only && std::getenv("NO_MEMORY_HERE")) child(scene, k);  // for a debugger
        const pid_t pid = fork();
        if (pid == 0) child(scene, k);
        int status = 0;
        waitpid(pid, &status, 0);
        const char* what = nullptr;
        if (WIFSIGNALED(status))
            what = strsignal(WTERMSIG(status));
        else if (WEXITSTATUS(status) == kBroken)
            what = "does not work with memory again";
        else if (WEXITSTATUS(status) == kLeaks)
            what = "leaks";
        else if (WEXITSTATUS(status) != kWell && WEXITSTATUS(status) != kNothingFailed)
            what = "the child gave up";
        if (what) {
            std::snprintf(text, sizeof text, "%s: no memory from allocation %ld on: %s", scene.name, k, what);
            return text;
        }
        if (WEXITSTATUS(status) == kNothingFailed || only) return "";
        ++*refused;
    }
    return "there is no end";
}

}  // namespace no_memory
