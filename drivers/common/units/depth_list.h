// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth tests of a list of quads, two quads at a time, on CPUs with AVX2. Internal to units/.
#pragma once

#include "drivers/common/units/fragment_tests.h"

namespace terrazzo::units {

/// Tests with one sample in each pixel, a depth test, and neither stencil nor depth bounds. The depth is not
/// constant. Arguments and results are those of FragmentTests::run() for a list.
using DepthListTest = void (*)(const FragmentTests&, const RasterPrimitive&, bool writes, DepthStencilTile&,
                               PrimitiveQuads&);
/// Null: the CPU has no AVX2, or the layout has no depth of this format.
DepthListTest depth_list_avx2(DepthLayout layout, DepthFormat format);

}  // namespace terrazzo::units
