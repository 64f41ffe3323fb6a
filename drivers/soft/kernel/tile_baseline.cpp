// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tile kernel for every CPU of the architecture.
#define TERRAZZO_KERNEL baseline
#include "drivers/soft/kernel/tile.inc"
