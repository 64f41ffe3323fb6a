// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture sampling: what every CPU can run.
#define TERRAZZO_ISA kSampleBaseline
#include "drivers/soft/texture/sample.inc"
