// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Used by the generated gl* entry points: the thread's current context, and the end of calls that fail. A
// thread has a current context of OpenGL ES 2.0 and later, or one of OpenGL ES 1.1, or none. Commands that
// both versions have look for the former first.
#pragma once

#include "state_tracker/context.h"

namespace terrazzo::es1 {
class Context;
}

namespace terrazzo::gl_entry {

/// The context of OpenGL ES 2.0 or later that is current on this thread. Null: GL calls are ignored, as the
/// EGL spec (3.7.3) allows.
extern thread_local constinit st::Context* tls_current __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline st::Context* current() {
    return tls_current;
}
/// The context of OpenGL ES 1.1 that is current on this thread, or null.
extern thread_local constinit es1::Context* tls_es1_current __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline es1::Context* es1_current() {
    return tls_es1_current;
}
/// `es1`: the context of OpenGL ES 1.1 that uses `c`, or null.
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
/// For a command that the current context's API lacks: GL_INVALID_OPERATION. Without a context the call is
/// ignored, and TERRAZZO_DEBUG=gl reports it.
[[gnu::cold]] void not_here(const char* command);
/// GL_INVALID_OPERATION: this context lacks the command; `needs` says what would have it.
[[gnu::cold]] void unsupported(st::Context& c, const char* command, const char* needs);
/// GL_CONTEXT_LOST: the device was reset.
[[gnu::cold]] void lost(st::Context& c, const char* command);
[[gnu::cold]] void out_of_memory(st::Context& c, const char* command);

struct ProcAddress {
    const char* name;
    void (*address)();
};
/// Every gl* function, sorted by name (generated); those that only OpenGL ES 1.1 has are in the second list.
extern const ProcAddress kProcAddresses[], kEs1ProcAddresses[];
extern const unsigned kProcAddressCount, kEs1ProcAddressCount;
/// Null for an unknown name.
[[nodiscard]] void (*find(const char* name))();

}  // namespace terrazzo::gl_entry

/// The entry points are hidden in libterrazzo; libGLESv2.so.2 calls them through terrazzo_gl_table.
#define TZ_GL_EXPORT __attribute__((visibility("hidden")))
