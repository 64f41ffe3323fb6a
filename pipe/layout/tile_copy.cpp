// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Units, and the kernels for this CPU.
#include "pipe/layout/tile_copy.h"

#include <bit>

namespace terrazzo::pipe::detail {

TileShape unit_shape(uint32_t block_B) {
    constexpr TileShape kShapes[8] = {{32, 8}, {32, 4}, {16, 4}, {8, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 1}};
    return kShapes[std::countr_zero(block_B) & 7];
}

std::span<const KernelSet* const> tile_kernels() {
    struct Sets {
        const KernelSet* of[3] = {};
        size_t count = 0;
        Sets() {
#ifdef TERRAZZO_PIPE_AVX512
            if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
                of[count++] = &kKernelsAvx512;
#endif
#ifdef TERRAZZO_PIPE_AVX2
            if (__builtin_cpu_supports("avx2")) of[count++] = &kKernelsAvx2;
#endif
            of[count++] = &kKernelsBaseline;
        }
    };
    static const Sets sets;
    return {sets.of, sets.count};
}

}  // namespace terrazzo::pipe::detail
