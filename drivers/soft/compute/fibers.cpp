// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// x86-64: a fibre that does not run has the callee-saved registers of the System V ABI on its stack. MXCSR
// and the x87 control word belong to the thread; shaders do not change them. Other CPUs use ucontext, which
// costs a system call.
#include "drivers/soft/compute/fibers.h"

#include <sys/mman.h>

#include <new>

#include "drivers/soft/shader_abi.h"
#include "shaders/own_stack.h"  // whether a sanitizer is active

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__x86_64__)
extern "C" void terrazzo_switch_stack(void** from, void* to);
extern "C" void terrazzo_enter_stack();
// Entered by the first switch: r12 holds the argument, r13 the function, which does not return.
__asm__(R"(
    .text
    .hidden terrazzo_switch_stack
    .globl terrazzo_switch_stack
    .type terrazzo_switch_stack, @function
terrazzo_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size terrazzo_switch_stack, .-terrazzo_switch_stack
    .hidden terrazzo_enter_stack
    .globl terrazzo_enter_stack
    .type terrazzo_enter_stack, @function
terrazzo_enter_stack:
    movq %r12, %rdi
    xorl %ebp, %ebp
    callq *%r13
    ud2
    .size terrazzo_enter_stack, .-terrazzo_enter_stack
)");
#else
#include <ucontext.h>
#endif

namespace terrazzo::soft {

namespace {

/// For a frame of generated code and the functions that it calls.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kStack_B = size_t(256) << 10;
#else
constexpr size_t kStack_B = size_t(64) << 10;
#endif
constexpr size_t kGuard_B = size_t(16) << 10;
static_assert(kStack_B >= 2 * kMaxFrame_B);

}  // namespace

struct Fibers::Fiber {
#if defined(__x86_64__)
    void* sp = nullptr;
#else
    ucontext_t context;
#endif
    uint8_t* bottom = nullptr;
    bool ended = true;
    unsigned next = 0, before = 0;  // the neighbours in the ring of calls that have not ended
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    const void* known_bottom = nullptr;  // the stack outside of the fibres
    size_t known_size_B = 0;
#endif
#if defined(__SANITIZE_THREAD__)
    void* tsan = nullptr;
#endif

    void prepare(void (*entry)(void*), void* argument) {
#if defined(__x86_64__)
        auto* top = reinterpret_cast<void**>(bottom + kStack_B);
        *--top = nullptr;  // the entry finds the stack as after a call
        *--top = nullptr;
        *--top = reinterpret_cast<void*>(&terrazzo_enter_stack);
        *--top = nullptr;                         // rbp
        *--top = nullptr;                         // rbx
        *--top = argument;                        // r12
        *--top = reinterpret_cast<void*>(entry);  // r13
        *--top = nullptr;                         // r14
        *--top = nullptr;                         // r15
        sp = top;
#else
        getcontext(&context);
        context.uc_stack.ss_sp = bottom;
        context.uc_stack.ss_size = kStack_B;
        context.uc_link = nullptr;
        const auto at = uint64_t(reinterpret_cast<uintptr_t>(argument));
        (void)entry;  // makecontext passes the pointer in two halves
        makecontext(&context, reinterpret_cast<void (*)()>(+[](unsigned high, unsigned low) {
            enter(reinterpret_cast<void*>(uintptr_t(uint64_t(high) << 32 | low)));
        }),
                    2, unsigned(at >> 32), unsigned(at));
#endif
    }
    static void change(Fiber& from, Fiber& to) {
#if defined(__SANITIZE_THREAD__)
        __tsan_switch_to_fiber(to.tsan, 0);
#endif
#if defined(__x86_64__)
        terrazzo_switch_stack(&from.sp, to.sp);
#else
        swapcontext(&from.context, &to.context);
#endif
    }
};

Fibers::Fibers() = default;

Fibers::~Fibers() {
    release();
}

void Fibers::release() {
#if defined(__SANITIZE_THREAD__)
    for (unsigned n = 0; n < stacks_; ++n)
        __tsan_destroy_fiber(fibers_[n].tsan);
#endif
    if (map_) munmap(map_, stacks_ * (kGuard_B + kStack_B));
    map_ = nullptr;
    stacks_ = 0;
}

void Fibers::reserve(unsigned count) {
    if (count <= stacks_) return;
    if (!outside_) outside_ = std::make_unique<Fiber>();
    auto fibers = std::make_unique<Fiber[]>(count);
    constexpr size_t kEach_B = kGuard_B + kStack_B;
    void* const map =
        mmap(nullptr, count * kEach_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    for (unsigned n = 0; n < count; ++n) {
        fibers[n].bottom = static_cast<uint8_t*>(map) + n * kEach_B + kGuard_B;
        if (mprotect(fibers[n].bottom, kStack_B, PROT_READ | PROT_WRITE) == 0) continue;
        munmap(map, count * kEach_B);
        throw std::bad_alloc();
    }
#if defined(__SANITIZE_THREAD__)
    for (unsigned n = 0; n < count; ++n)
        fibers[n].tsan = __tsan_create_fiber(0);
#endif
    release();
    fibers_ = std::move(fibers);
    map_ = static_cast<uint8_t*>(map);
    stacks_ = count;
}

/// Switches from the running call to another one that has not returned. Returns when another call switches
/// back, unless `from` has ended. There is no central scheduler: calls wait at the same place in the code, so
/// the processor predicts the return address of a switch.
void Fibers::go(Fiber& from, unsigned to) {
    current_ = to;
    Fiber& f = fibers_[to];
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(from.ended ? nullptr : &from.fake, f.bottom, kStack_B);
#endif
    Fiber::change(from, f);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(from.fake, nullptr, nullptr);
#endif
}

/// Switches from the last call, which has ended, to run().
void Fibers::leave() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, outside_->known_bottom, outside_->known_size_B);
#endif
    Fiber::change(fibers_[current_], *outside_);
}

void Fibers::enter(void* fibers) {
    Fibers& all = *static_cast<Fibers*>(fibers);
    const unsigned n = all.current_;
#if defined(__SANITIZE_ADDRESS__)
    // run() enters the first call; calls enter the other ones.
    if (n == 0)
        __sanitizer_finish_switch_fiber(nullptr, &all.outside_->known_bottom, &all.outside_->known_size_B);
    else
        __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    // Exceptions must not leave the fibre's stack. Only the interpreter can run out of memory.
    try {
        all.body_(all.data_, n);
    } catch (const std::bad_alloc&) {
        all.failed_ = true;
    }
    Fiber& f = all.fibers_[n];
    f.ended = true;
    all.fibers_[f.before].next = f.next;
    all.fibers_[f.next].before = f.before;
    if (f.next == n)
        all.leave();
    else
        all.go(f, f.next);
    __builtin_trap();
}

void Fibers::wait() {
    Fiber& f = fibers_[current_];
    if (f.next != current_) go(f, f.next);
}

void Fibers::run(unsigned count, void (*body)(void*, unsigned), void* data) {
    body_ = body;
    data_ = data;
    failed_ = false;
    outside_->ended = false;
#if defined(__SANITIZE_THREAD__)
    outside_->tsan = __tsan_get_current_fiber();
#endif
    for (unsigned n = 0; n < count; ++n) {
        Fiber& f = fibers_[n];
        f.ended = false;
        f.next = n + 1 < count ? n + 1 : 0;
        f.before = n ? n - 1 : count - 1;
        f.prepare(enter, this);
    }
    if (count) go(*outside_, 0);
    if (failed_) throw std::bad_alloc();
}

}  // namespace terrazzo::soft
