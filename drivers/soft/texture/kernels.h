// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sampling functions of each instruction set; prepare.cpp chooses. All are bit-identical.
#pragma once

#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

struct SampleKernels {
    SampleFn full;             // supports everything
    SampleFn packed_2d[4][4];  // [bytes - 1][channels - 1]; may be null
    /// Textures of bytes: [one level, several levels with one filter] [nearest, linear] [repeat, clamp, any
    /// wrap].
    SampleFn bytes_2d[2][2][3];
    SampleFn bytes_any_2d;  // different filters for minification and magnification
    SampleFn bytes_cube;
    SampleFn bytes_array[3], bytes_volume[3];  // repeat, clamp, any wrap
    SampleFn compared
        // Depth comparison, of a texture or an array: filtered words that repeat or are clamped, and
        // everything else.
        [3];
    /// Many blocks at once; may be null.
    SampleBlocksFn bytes_blocks[2][2][3];  // as bytes_2d
    SampleBlocksFn bytes_array_blocks[3], bytes_volume_blocks[3],
        compared_blocks[2];        // volumes: one level, as for depths
    SampleGroupFn bytes_group[2];  // one level: nearest, linear; may be null
};
/// Constants of filter8.inc as whole vectors, hidden from the compiler: if GCC 12 knows the values, it
/// recomputes them with three instructions each.
struct FilterConstants {
    alignas(32) int32_t half_texel[8], fraction[8], one[8];
    alignas(32) uint32_t invert_x[8], invert_y[8], spread_y[8];
    alignas(32) int32_t bias[8];
};
extern const FilterConstants kFilter8 __attribute__((visibility("hidden")));
extern const SampleKernels kSampleBaseline;
#ifdef TERRAZZO_SOFT_AVX2
extern const SampleKernels kSampleAvx2;
#endif

}  // namespace terrazzo::soft
