// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half's kernels for every CPU of the architecture.
#define TERRAZZO_KERNEL baseline
#include "drivers/soft/front/front.inc"
