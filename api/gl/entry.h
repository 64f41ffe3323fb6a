// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the generated gl* entry points need: the thread's current context, and how a call that cannot be
// served ends.
#pragma once

#include "state_tracker/context.h"

namespace terrazzo::gl_entry {

/// The context current on this thread, or null: GL calls are then ignored, as the EGL spec (3.7.3) allows.
extern thread_local constinit st::Context* tls_current __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline st::Context* current() {
    return tls_current;
}
inline void set_current(st::Context* c) {
    tls_current = c;
}

[[nodiscard]] inline int version(const st::Context& c) {
    return c.config.version;
}
/// No context is current: the call is ignored, and TERRAZZO_DEBUG=gl says so.
[[gnu::cold]] void no_context(const char* command);
/// GL_INVALID_OPERATION: this context has no such command; `needs` says what would have.
[[gnu::cold]] void unsupported(st::Context& c, const char* command, const char* needs);
/// GL_CONTEXT_LOST: the device was reset.
[[gnu::cold]] void lost(st::Context& c, const char* command);
[[gnu::cold]] void out_of_memory(st::Context& c, const char* command);

struct ProcAddress {
    const char* name;
    void (*address)();
};
/// Every gl* function, sorted by name (generated).
extern const ProcAddress kProcAddresses[];
extern const unsigned kProcAddressCount;
/// Null for an unknown name.
[[nodiscard]] void (*find(const char* name))();

}  // namespace terrazzo::gl_entry

/// The entry points stay inside libterrazzo; libGLESv2.so.2 reaches them through terrazzo_gl_table.
#define TZ_GL_EXPORT __attribute__((visibility("hidden")))
