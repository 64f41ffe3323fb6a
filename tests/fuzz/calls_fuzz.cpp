// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: sequences of OpenGL ES and EGL calls (commands.h) on two contexts of a share group. The first
// byte says which contexts are robust and how they are destroyed. Each further call reads as many bytes as it
// has choices. Other devices: TERRAZZO_DEVICE=sim:mali-g610 (slower), noop:mali-g610.
#include <GLES2/gl2.h>

#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/commands.h"
#include "tests/fuzz/contexts.h"
#include "tests/fuzz/target.h"

namespace {

/// The most calls of an input: more of them cost time and find nothing new.
constexpr unsigned kMaxCalls = 400;

/// If something that every sequence needs fails, the target or the library has a bug. The run ends.
void require(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "calls_fuzz: %s\n", what);
    std::abort();
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    static const std::vector<const fuzz::Command*> table = fuzz::weighted_commands();
    static const fuzz::Arena arena = [] {
        const fuzz::Arena a = fuzz::map_arena();
        require(a.bytes != nullptr, "no memory");
        fuzz::fill(a, 1);
        return a;
    }();
    if (!size) return 0;
    fuzz::Contexts c;
    require(c.create(data[0] & 3), "no context");
    fuzz::Random r({data + 1, size - 1}, arena);
    for (unsigned n = 0; n < kMaxCalls && r.has_more(); ++n) {
        if (const uint32_t which = r.below(0x10000); which % 64 == 0)
            c.call(r);
        else
            table[which % table.size()]->call(r);
        // After the end of the bytes all choices are 0, which are ordinary calls.
    }
    require(fuzz::known_error(glGetError()), "glGetError gave what is no error");
    c.destroy((data[0] & 4) != 0);
    return 0;
}
