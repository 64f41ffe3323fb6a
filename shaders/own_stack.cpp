// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stacks are mapped with a guard below, and a few are kept for later calls. Keeping them needs no lock, so a
// forked child finds each slot consistent. The stack pointer tells which stack a thread is on: a flag could
// be wrong after a longjmp out of a program's debug callback (that stack is then leaked).
#include "shaders/own_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace terrazzo::shaders {

namespace {

/// Larger than any frame of third-party code that does not touch its pages in order (glslang, LLVM).
constexpr size_t kGuard_B = size_t(1) << 20;
/// The part of a kept stack that stays in memory; the rest is returned to the system.
constexpr size_t kKeptPages_B = size_t(256) << 10;
constexpr size_t kKeptStacks = 4;

struct Stack {
    Stack();
    ~Stack();
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    [[nodiscard]] uint8_t* bottom() const { return static_cast<uint8_t*>(map) + kGuard_B; }
    [[nodiscard]] bool holds(const void* p) const {
        const auto at = static_cast<const uint8_t*>(p);
        return at >= bottom() && at < bottom() + kOwnStack_B;
    }
    void* map;
    ucontext_t inside, outside;
#if defined(__SANITIZE_THREAD__)
    void* fiber;
#endif
};

Stack::Stack()
    : map(mmap(nullptr, kGuard_B + kOwnStack_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
               0)) {
    if (map == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(bottom(), kOwnStack_B, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, kGuard_B + kOwnStack_B);
        throw std::bad_alloc();
    }
#if defined(__SANITIZE_THREAD__)
    fiber = __tsan_create_fiber(0);
#endif
}

Stack::~Stack() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(fiber);
#endif
    munmap(map, kGuard_B + kOwnStack_B);
}

std::array<std::atomic<Stack*>, kKeptStacks> g_kept;
/// The result of own_stack_used_B(); counted only after its first call.
std::atomic<size_t> g_used_B = 0;
std::atomic<bool> g_measures = false;

std::unique_ptr<Stack> acquire() {
    for (auto& slot : g_kept)
        if (slot.load(std::memory_order_relaxed))
            if (Stack* const s = slot.exchange(nullptr, std::memory_order_acq_rel))
                return std::unique_ptr<Stack>(s);
    return std::make_unique<Stack>();
}

void measure(const Stack& s) {
    constexpr size_t kPage_B = 4096, kPages = kOwnStack_B / kPage_B;
    const auto resident = std::make_unique<unsigned char[]>(kPages);
    if (mincore(s.bottom(), kOwnStack_B, resident.get()) != 0) return;
    size_t first = 0;
    while (first < kPages && !(resident[first] & 1))
        ++first;
    const size_t used_B = kOwnStack_B - first * kPage_B;
    size_t before_B = g_used_B.load();
    while (before_B < used_B && !g_used_B.compare_exchange_weak(before_B, used_B)) {
    }
}

void release(std::unique_ptr<Stack> s) {
    if (g_measures.load(std::memory_order_relaxed)) measure(*s);
    madvise(s->bottom(), kOwnStack_B - kKeptPages_B, MADV_DONTNEED);
    for (auto& slot : g_kept) {
        Stack* empty = nullptr;
        if (slot.compare_exchange_strong(empty, s.get(), std::memory_order_acq_rel)) {
            (void)s.release();
            return;
        }
    }
}

struct Call {
    void (*f)(void*);
    void* data;
    Stack* stack;
    std::exception_ptr thrown;
#if defined(__SANITIZE_ADDRESS__)
    const void* caller_bottom = nullptr;
    size_t caller_size_B = 0;
#endif
#if defined(__SANITIZE_THREAD__)
    void* caller_fiber = nullptr;
#endif
};

/// The stack that this thread entered last; compared with the stack pointer, not trusted.
thread_local const Stack* t_entered = nullptr;

/// The target of makecontext(), whose arguments are ints.
void enter(unsigned high, unsigned low) {
    Call& call = *reinterpret_cast<Call*>(uintptr_t(uint64_t(high) << 32 | low));
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &call.caller_bottom, &call.caller_size_B);
#endif
    try {
        call.f(call.data);
    } catch (...) {
        call.thrown = std::current_exception();
    }
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, call.caller_bottom, call.caller_size_B);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(call.caller_fiber, 0);
#endif
    swapcontext(&call.stack->inside, &call.stack->outside);
}

void switch_to(Call& call) {
    Stack& s = *call.stack;
    if (getcontext(&s.inside) != 0) throw std::bad_alloc();
    s.inside.uc_stack.ss_sp = s.bottom();
    s.inside.uc_stack.ss_size = kOwnStack_B;
    s.inside.uc_link = nullptr;
    const auto at = uint64_t(reinterpret_cast<uintptr_t>(&call));
    makecontext(&s.inside, reinterpret_cast<void (*)()>(enter), 2, unsigned(at >> 32), unsigned(at));
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, s.bottom(), kOwnStack_B);
#endif
#if defined(__SANITIZE_THREAD__)
    call.caller_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(s.fiber, 0);
#endif
    swapcontext(&s.outside, &s.inside);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

}  // namespace

void call_on_own_stack(void (*f)(void* data), void* data) {
    const Stack* const before = t_entered;
    if (before && before->holds(__builtin_frame_address(0))) return f(data);
    std::unique_ptr<Stack> stack = acquire();
    Call call{f, data, stack.get(), nullptr};
    t_entered = stack.get();
    switch_to(call);
    t_entered = nullptr;
    release(std::move(stack));
    if (call.thrown) std::rethrow_exception(std::move(call.thrown));
}

void forget_own_stacks() {
    for (auto& slot : g_kept)
        const std::unique_ptr<Stack> s(slot.exchange(nullptr, std::memory_order_acq_rel));
}

size_t own_stack_used_B() {
    g_measures.store(true);
    return g_used_B.exchange(0);
}

}  // namespace terrazzo::shaders
