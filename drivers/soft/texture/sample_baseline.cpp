// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture sampling for every CPU of the architecture.
#define TERRAZZO_ISA kSampleBaseline
// Clang takes more than ten minutes to instrument this file. On machines with AVX2, the other build of the
// same source runs and is instrumented.
#if defined(__clang__) && defined(TERRAZZO_SOFT_AVX2)
#pragma clang attribute push(__attribute__((no_sanitize("address", "undefined", "coverage"))), \
                             apply_to = function)
#endif
#include "drivers/soft/texture/sample.inc"
#if defined(__clang__) && defined(TERRAZZO_SOFT_AVX2)
#pragma clang attribute pop
#endif
