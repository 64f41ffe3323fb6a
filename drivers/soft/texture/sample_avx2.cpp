// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture sampling for CPUs with AVX2 (compiled with -mavx2; runs only where the CPU has it).
#define TERRAZZO_ISA kSampleAvx2
#include "drivers/soft/texture/sample.inc"
