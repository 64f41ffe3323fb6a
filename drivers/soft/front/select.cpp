// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Chooses the front half's kernels for this CPU.
#include "drivers/soft/front/front.h"

namespace terrazzo::soft {

const FrontKernels& select_front() {
#ifdef TERRAZZO_SOFT_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return avx2::kFront;
#endif
    return baseline::kFront;
}

}  // namespace terrazzo::soft
