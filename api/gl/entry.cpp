// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The failures of GL calls, and the lookup of commands by name.
#include "api/gl/entry.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "api/es1/context.h"
#include "pipe/debug.h"

namespace terrazzo::gl_entry {

thread_local constinit st::Context* tls_current = nullptr;
thread_local constinit es1::Context* tls_es1_current = nullptr;

void not_here(const char* command) {
    if (es1::Context* c = es1_current())
        return c->gl.error(GL_INVALID_OPERATION, command,
                           "OpenGL ES 1.1, which the context is of, does not have this command");
    if (st::Context* c = current()) return unsupported(*c, command, "OpenGL ES 1.1");
    if (!pipe::debug(pipe::DebugWord::Gl)) return;
    // In one write, without an allocation: there is no handler for exceptions here.
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
    const auto find_in = [&](std::span<const ProcAddress> list) -> void (*)() {
        const auto it =
            std::lower_bound(list.begin(), list.end(), name,
                             [](const ProcAddress& a, const char* n) { return std::strcmp(a.name, n) < 0; });
        return it != list.end() && std::strcmp(it->name, name) == 0 ? it->address : nullptr;
    };
    const auto found = find_in({kProcAddresses, kProcAddressCount});
    return found ? found : find_in({kEs1ProcAddresses, kEs1ProcAddressCount});
}

}  // namespace terrazzo::gl_entry
