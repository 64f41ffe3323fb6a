// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments that are shaded together.
#pragma once

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/pixel/area.h"
#include "drivers/adreno/sim/pixel/lrz.h"
#include "drivers/common/units/fragment_primitive.h"
#include "drivers/common/units/fragment_quads.h"

namespace terrazzo::adreno::sim {

struct FragmentPrimitive : units::FragmentPrimitive {
    bool low_resolution_depth = false;  // tests and writes it
};

/// A wave has 16 or 32 quads.
inline constexpr unsigned kBatchQuads = 32, kBatchLanes = 4 * kBatchQuads;

struct FragmentBatch : units::FragmentQuads<FragmentPrimitive, kBatchQuads> {
    uint8_t sample[kBatchQuads] = {};  // the sample that is shaded, if each is shaded separately
};

}  // namespace terrazzo::adreno::sim
