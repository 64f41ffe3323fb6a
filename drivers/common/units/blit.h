// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work of a 2D engine: copies with conversion, scaling, filters and resolves, and fills of some of a
// pixel's bits. The vendor decodes its registers, and accesses memory.
#pragma once

#include "drivers/common/units/rows.h"
#include "pipe/raster/edge.h"

namespace terrazzo::units {

struct BlitDesc {
    // ---- Source ----
    FormatReader source;
    pipe::raster::PixelRect source_rect;
    uint32_t source_w_px = 0, source_h_px = 0;  // pixels outside have the edge's values
    uint32_t samples = 1;
    bool average = false;  // reads the mean of the samples; otherwise the first sample
    bool filter = false;   // interpolates four pixels if the blit scales; otherwise reads the nearest one
    bool flips_x = false, flips_y = false;
    // ---- Target: one sample ----
    FormatReader target;
    pipe::raster::PixelRect rect, clipped;  // the rectangle for all of source_rect; its part that is written
    bool whole = true;                      // all bits of a pixel are written
    uint8_t bits[kMaxPixel_B] = {};         // otherwise these bits are
};

/// Memory as the engine accesses it: rows of pixels with R first, `row_B` apart. A function that returns
/// false ends the blit.
class BlitMemory {
  public:
    virtual ~BlitMemory() = default;
    [[nodiscard]] virtual bool read_source(const pipe::raster::PixelRect& rect, uint8_t* rows,
                                           size_t row_B) = 0;
    /// Called only if BlitDesc::whole is false.
    [[nodiscard]] virtual bool read_target(const pipe::raster::PixelRect& rect, uint8_t* rows,
                                           size_t row_B) = 0;
    [[nodiscard]] virtual bool write_target(const pipe::raster::PixelRect& rect, const uint8_t* rows,
                                            size_t row_B) = 0;
    /// Called for each band of rows.
    [[nodiscard]] virtual bool should_stop() = 0;
};

/// Copies pixels. If the formats are equal, their bits do not change; otherwise pixels are converted through
/// 32-bit numbers, and either both formats or none must have integers. Positions are those of pipe/blit.
/// False: a function of `memory` returned false, or should_stop() returned true.
[[nodiscard]] bool blit(const BlitDesc& desc, BlitMemory& memory);
/// Fills `clipped` with a pixel of the target's format.
[[nodiscard]] bool fill(const BlitDesc& desc, const uint8_t* pixel, BlitMemory& memory);

}  // namespace terrazzo::units
