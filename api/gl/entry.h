// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the generated gl* entry points need: the thread's current context, and how a call that cannot be
// served ends. A thread has a current context of OpenGL ES 2.0 and later, or one of OpenGL ES 1.1, or none;
// commands that both have look for the former first.
#pragma once

#include "state_tracker/context.h"

namespace terrazzo::es1 {
class Context;
}

namespace terrazzo::gl_entry {

/// The context of OpenGL ES 2.0 or later current on this thread, or null: GL calls are then ignored, as the
/// EGL spec (3.7.3) allows.
extern thread_local constinit st::Context* tls_current __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline st::Context* current() {
    return tls_current;
}
/// The context of OpenGL ES 1.1 current on this thread, or null.
extern thread_local constinit es1::Context* tls_es1_current __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline es1::Context* es1_current() {
    return tls_es1_current;
}
/// `es1`: the context of OpenGL ES 1.1 that has `c`, or null.
inline void set_current(st::Context* c, es1::Context* es1 = nullptr) {
    tls_current = es1 ? nullptr : c;
    tls_es1_current = es1;
}
[[nodiscard]] inline bool any_current() {
    return tls_current || tls_es1_current;
}

[[nodiscard]] inline int version(const st::Context& c) {
    return c.config.version;
}
/// A command that the current context's API does not have: GL_INVALID_OPERATION. No context is current: the
/// call is ignored, and TERRAZZO_DEBUG=gl says so.
[[gnu::cold]] void not_here(const char* command);
/// GL_INVALID_OPERATION: this context has no such command; `needs` says what would have.
[[gnu::cold]] void unsupported(st::Context& c, const char* command, const char* needs);
/// GL_CONTEXT_LOST: the device was reset.
[[gnu::cold]] void lost(st::Context& c, const char* command);
[[gnu::cold]] void out_of_memory(st::Context& c, const char* command);

struct ProcAddress {
    const char* name;
    void (*address)();
};
/// Every gl* function, sorted by name (generated); those of OpenGL ES 1.1 alone stand apart.
extern const ProcAddress kProcAddresses[], kEs1ProcAddresses[];
extern const unsigned kProcAddressCount, kEs1ProcAddressCount;
/// Null for an unknown name.
[[nodiscard]] void (*find(const char* name))();

}  // namespace terrazzo::gl_entry

/// The entry points stay inside libterrazzo; libGLESv2.so.2 reaches them through terrazzo_gl_table.
#define TZ_GL_EXPORT __attribute__((visibility("hidden")))
