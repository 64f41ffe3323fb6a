// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT  // for a precompiled doctest.h, which has not seen the next line
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

/// AddressSanitizer asks. A fork's child leaves the thread that compiles, which it has not got, and what that
/// held.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    return "leak:create_tiered_compiler";
}

/// ThreadSanitizer asks. Children of a fork start threads: that is what is tested.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options();
const char* __tsan_default_options() {
    return "die_after_fork=0";
}
