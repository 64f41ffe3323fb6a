// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half's kernels for CPUs with AVX2 (compiled with -mavx2; runs only where the CPU has it).
#define TERRAZZO_KERNEL avx2
#include "drivers/soft/front/front.inc"
