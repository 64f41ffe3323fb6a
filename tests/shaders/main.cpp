// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// main() of the compiler's tests.
#define DOCTEST_CONFIG_IMPLEMENT  // for a precompiled doctest.h, which has not seen the next line
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

/// ThreadSanitizer asks. After an exception in glslang its (recursive) mutex may be locked or not: LibraryUse unlocks it
/// all the same, which does nothing where it is not.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();
const char* __tsan_default_suppressions() {
    return "mutex:LibraryUse::~LibraryUse";
}
