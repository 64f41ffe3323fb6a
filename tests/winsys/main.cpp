// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The main() of test_winsys.
#define DOCTEST_CONFIG_IMPLEMENT  // for a precompiled doctest.h, which has not seen the next line
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

/// AddressSanitizer asks. A program that disconnects its wl_display before eglTerminate has freed what
/// proxies point to: WaylandWindow leaves them, since touching them would be worse.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    return "leak:libwayland-client.so";
}
