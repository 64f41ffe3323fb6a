// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine's registers, decoded and checked once per blit. Internal to blit/.
#pragma once

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/units/rows.h"

namespace terrazzo::adreno::sim {

struct EngineSource {
    Surface surface;
    uint32_t width_px = 0, height_px = 0;
    pipe::raster::PixelRect rect;        // within them
    int32_t offset_x = 0, offset_y = 0;  // of the surface in them: GMEM
    uint32_t samples = 1;
    bool filter = false, average = false;
};

struct EngineState {
    hw::Blit2dCntl cntl;
    Surface target;
    pipe::raster::PixelRect rect;            // the target, as coordinates map
    pipe::raster::PixelRect clipped;         // the part that is written
    bool whole = true;                       // all bits of a pixel are written
    uint8_t bits[units::kMaxPixel_B] = {};   // otherwise these
    uint8_t pixel[units::kMaxPixel_B] = {};  // of fills
    EngineSource source;                     // of other blits
};

/// False: a value that no driver may write; `fault` names the register.
[[nodiscard]] bool decode_engine(const Machine& machine, EngineState* out, Fault* fault);

}  // namespace terrazzo::adreno::sim
