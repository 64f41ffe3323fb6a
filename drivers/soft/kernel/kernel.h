// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tile kernels: clear, rasterise, test, shade and write the primitives of a tile. The same source
// (tile.inc and its includes) is compiled for each instruction set; all builds give bit-identical pixels.
#pragma once

#include "drivers/soft/binning/raster_types.h"

namespace terrazzo::soft {

namespace baseline {
void run_tile(const TileJob& job, uint32_t tile, TileWorker& worker);
}
#ifdef TERRAZZO_SOFT_AVX2
namespace avx2 {
void run_tile(const TileJob& job, uint32_t tile, TileWorker& worker);
}
#endif

/// The kernel for this CPU.
[[nodiscard]] RunTileFn select_run_tile();

}  // namespace terrazzo::soft
