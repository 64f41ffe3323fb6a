// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The main() of test_winsys.
#define DOCTEST_CONFIG_IMPLEMENT  // the precompiled doctest.h was compiled without this
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

/// For AddressSanitizer. A program that disconnects its wl_display before eglTerminate has freed the memory
/// that proxies point to. WaylandWindow does not destroy them, since accessing them would be worse than the
/// leak.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    return "leak:libwayland-client.so";
}
