// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work whose recursion depth depends on a shader's text runs on a stack of ours, so that the caller's stack
// (64 KiB is common in other programs' threads) does not limit a text's depth. glslang, the walk of its tree,
// passes, validators and code generators are such work; draws are not.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

// Clang uses another test than GCC.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

namespace terrazzo::shaders {

/// The stack's size. The deepest texts that the limits in glsl/statement_shape.h, glsl/scan.cpp and
/// glsl/control.cpp permit need less than half of it ("own stack: deep texts" measures them: 100,000 levels
/// of 220 bytes in glslang, 6,000 of less than 2 KiB here). Sanitizers' frames are several times larger.
/// Pages that are not touched cost nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t kOwnStack_B = size_t(256) << 20;
#else
inline constexpr size_t kOwnStack_B = size_t(64) << 20;
#endif

/// Calls f(data) on a stack of ours and returns when it has. If the caller is on one already, this is an
/// ordinary call. Thread: any. std::bad_alloc passes through, and is thrown if there is no memory for a
/// stack; f must not throw anything else.
void call_on_own_stack(void (*f)(void* data), void* data);

/// The same for any callable; returns its result.
template <class F>
auto on_own_stack(F&& f) {
    using R = std::invoke_result_t<F&>;
    using Callable = std::remove_reference_t<F>;
    if constexpr (std::is_void_v<R>) {
        call_on_own_stack([](void* p) { (*static_cast<Callable*>(p))(); },
                          const_cast<void*>(static_cast<const void*>(&f)));
    } else {
        struct Call {
            Callable& f;
            alignas(R) std::byte result[sizeof(R)];
        } call{f, {}};
        call_on_own_stack(
            [](void* p) {
                Call& c = *static_cast<Call*>(p);
                new (c.result) R(c.f());
            },
            &call);
        R* const made = std::launder(reinterpret_cast<R*>(call.result));
        struct Destroy {
            R* made;
            ~Destroy() { made->~R(); }
        } const destroy{made};
        return R(std::move(*made));
    }
}

/// For tests: the most bytes of a stack that were used since the last call, in whole pages. 0: none was used.
[[nodiscard]] size_t own_stack_used_B();
/// Frees the stacks that are kept for later calls.
void forget_own_stacks();

}  // namespace terrazzo::shaders
