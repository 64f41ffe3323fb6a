// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Chooses the tile kernel for this CPU.
#include "drivers/soft/kernel/kernel.h"

namespace terrazzo::soft {

RunTileFn select_run_tile() {
#ifdef TERRAZZO_SOFT_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return avx2::run_tile;
#endif
    return baseline::run_tile;
}

}  // namespace terrazzo::soft
