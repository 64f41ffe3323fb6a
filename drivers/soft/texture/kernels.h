// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sampling code of each instruction set; prepare.cpp chooses. All give the same bits.
#pragma once

#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

struct SampleKernels {
    SampleFn full;             // everything
    SampleFn packed_2d[4][4];  // [bytes - 1][channels - 1]; may be null
    /// Texels of bytes: one level, or several with one filter; nearest, linear; repeat, clamp, any wrap.
    SampleFn bytes_2d[2][2][3];
    SampleFn bytes_any_2d;  // minified and magnified differently
    SampleFn bytes_cube;
};
extern const SampleKernels kSampleBaseline;
#ifdef TERRAZZO_SOFT_AVX2
extern const SampleKernels kSampleAvx2;
#endif

}  // namespace terrazzo::soft
