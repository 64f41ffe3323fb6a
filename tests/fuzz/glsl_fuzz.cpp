// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: texts of programs (program_texts.h) through the API: compiled, linked, and drawn on the CPU
// driver.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/session.h"
#include "tests/fuzz/target.h"

int fuzz_one(const uint8_t* data, size_t size) {
    // One context for all inputs: a deleted program leaves no state. It ends with the process.
    static fuzz::Session session;
    static const bool created = session.create();
    if (!created) {
        std::fprintf(stderr, "glsl_fuzz: no context\n");
        std::abort();
    }
    std::mt19937 random{uint32_t(size)};  // the same numbers each time
    (void)session.run(fuzz::split_program({reinterpret_cast<const char*>(data), size}), random);
    return 0;
}
