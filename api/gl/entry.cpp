// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rare ends of GL calls, and the lookup of commands by name.
#include "api/gl/entry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "pipe/debug.h"

namespace terrazzo::gl_entry {

thread_local constinit st::Context* tls_current = nullptr;

void no_context(const char* command) {
    if (!pipe::debug(pipe::DebugWord::Gl)) return;
    // In one piece, and without an allocation: nobody catches what is thrown here.
    std::fprintf(stderr, "terrazzo: %s: no context is current on this thread; the call does nothing\n",
                 command);
}

void unsupported(st::Context& c, const char* command, const char* needs) {
    c.error(GL_INVALID_OPERATION, command,
            "the context (OpenGL ES %d.%d) does not have this command; it needs %s", version(c) / 10,
            version(c) % 10, needs);
}

void lost(st::Context& c, const char* command) {
    c.error(GL_CONTEXT_LOST_KHR, command,
            "the device was reset and the context is lost; only a new one can draw");
}

void out_of_memory(st::Context& c, const char* command) {
    c.out_of_memory(command);
}

void (*find(const char* name))() {
    const ProcAddress* end = kProcAddresses + kProcAddressCount;
    const ProcAddress* it =
        std::lower_bound(kProcAddresses, end, name,
                         [](const ProcAddress& a, const char* n) { return std::strcmp(a.name, n) < 0; });
    return it != end && std::strcmp(it->name, name) == 0 ? it->address : nullptr;
}

}  // namespace terrazzo::gl_entry
