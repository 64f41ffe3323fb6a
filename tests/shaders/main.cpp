// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// main() of the compiler's tests.
#define DOCTEST_CONFIG_IMPLEMENT  // the precompiled doctest.h was compiled without this
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

/// For ThreadSanitizer. After an exception in glslang its recursive mutex may or may not be locked.
/// LibraryUse always unlocks it, which has no effect if it is not locked.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {
    return "mutex:LibraryUse::~LibraryUse";
}
