// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The main() of test_agx.
#define DOCTEST_CONFIG_IMPLEMENT  // a precompiled doctest.h does not have it
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
