// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT  // the precompiled doctest.h was compiled without this
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

/// For AddressSanitizer. A fork's child does not have the compiling thread, and leaks that thread's memory.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    return "leak:create_tiered_compiler";
}

/// For ThreadSanitizer. The tests include children of a fork that start threads.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options();
const char* __tsan_default_options() {
    return "die_after_fork=0";
}
