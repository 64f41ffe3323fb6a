// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The main() of test_common.
#define DOCTEST_CONFIG_IMPLEMENT  // for a precompiled doctest.h, which has not seen the next line
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
