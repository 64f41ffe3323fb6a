// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Interpolation of floats in the quads of a warp, on CPUs with AVX2: all components of a pixel at a time.
#pragma once

#include "drivers/mali/sim/fragment/shade.h"

namespace terrazzo::mali::sim {

/// Computes `count` components, which vertices have as floats from byte `offset_B` on, for the quads of a bit
/// mask. `out`: a register for each component or, if `to_half`, for each two. False: the caller must compute
/// everything itself, because the CPU has no AVX2, a vertex has no such component, or a half is NaN.
[[nodiscard]] bool mix_quads(const FragmentStage& s, unsigned quads, uint32_t offset_B, unsigned count,
                             bool to_half, Weights weight, U32* out);

}  // namespace terrazzo::mali::sim
