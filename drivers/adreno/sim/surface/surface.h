// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A 2D image in GPU memory or in GMEM, as registers and descriptors say it: one level of one layer. Rectangles are read and written as rows of pixels in the
// order of R first, whatever tiling, compression and channel order memory has. Tiling is pipe/layout's.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/hw/enums.h"
#include "drivers/common/units/format.h"
#include "drivers/common/window/window.h"
#include "pipe/raster/edge.h"

namespace terrazzo::adreno::sim {

struct SurfaceDesc {
    uint64_t va = 0;  // 0 with `gmem`: an offset in GMEM
    uint32_t gmem_offset_B = 0;
    bool in_gmem = false;
    hw::Format format = hw::Format::
        FMT6_NONE;  // GMEM has the samples of a pixel behind each other, rows of `pitch_B`, nothing tiled or compressed
    bool srgb = false;
    hw::TileMode tile_mode = hw::TileMode::TILE6_LINEAR;
    hw::ColorSwap swap = hw::ColorSwap::WZYX;
    uint32_t pitch_B = 0;
    uint32_t width_px = 0, height_px = 0;  // what is outside is not touched
    uint32_t samples = 1;
    bool has_flags = false;  // UBWC
    uint64_t flags_va = 0;
    uint32_t flags_pitch_B = 0;
};

/// A format of RB, of textures or of the 2D engine, as it is read and written. False: none that the model knows.
[[nodiscard]] bool surface_format(hw::Format format, hw::ColorSwap swap, bool srgb, units::FormatReader* out);

class Surface {
  public:
    /// Decodes the description once. False: `why` says what it cannot be.
    [[nodiscard]] bool init(const SurfaceDesc& desc, const hw::Chip& chip, std::string* why);
    const SurfaceDesc& desc() const { return desc_; }
    /// Reads and writes pixels through this; its swap is undone: R first.
    const units::FormatReader& format() const { return format_; }
    uint32_t pixel_B() const { return pixel_B_; }  // with all samples

    /// Pixels of a rectangle that lies within the surface, rows of `row_B` bytes. `gmem`: the machine's. False: an access that memory refuses, or a compression
    /// flag that nobody wrote: `why`.
    [[nodiscard]] bool read(window::Window& memory, const std::vector<uint8_t>& gmem,
                            const pipe::raster::PixelRect& rect, uint8_t* rows, size_t row_B,
                            std::string* why) const;
    [[nodiscard]] bool write(window::Window& memory, std::vector<uint8_t>& gmem,
                             const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                             std::string* why) const;

  private:
    SurfaceDesc desc_;
    units::FormatReader format_;
    uint32_t pixel_B_ = 4;
    uint8_t highest_bank_bit_ = 0, bank_swizzle_ = 0;
    bool eight_channels_ = false;
};

}  // namespace terrazzo::adreno::sim
