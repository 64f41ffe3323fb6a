// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tilebuffer: threadgroup memory that programs of a tile load and store by pixels, in a format of their
// instructions. End-of-tile programs store it to images. A pixel's samples follow each other; each has the
// same number of bytes. Sources: Mesa 25.0.7, src/asahi/lib/agx_tilebuffer.c, agx_nir_lower_tilebuffer.c,
// agx_bg_eot.c, src/asahi/compiler/agx_compile.c.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/sim/core/units.h"
#include "pipe/raster/edge.h"

namespace terrazzo::agx::sim {

class TileBuffer {
  public:
    /// The shape that the programs of the tile have in common. False: no tilebuffer has it, or it is not the
    /// size of `tile`.
    [[nodiscard]] bool begin(const hw::UscShared& shape, const pipe::raster::PixelRect& tile,
                             std::string* why);
    /// ld_tile and st_tile of the threads' pixels (special.in_grid, or the instruction's coordinates): of the
    /// samples in the instruction's mask. A load of several samples has the first one.
    bool access(UnitCall& call, std::string* why);
    /// image_write_block: stores the pixels inside of `bounds` to an image.
    bool store_block(UnitCall& call, const pipe::raster::PixelRect& bounds, std::string* why);
    [[nodiscard]] std::span<uint8_t> bytes() { return memory_; }

  private:
    uint8_t* at(int32_t x, int32_t y) {
        const size_t n = size_t(y - tile_.y0) * size_t(tile_.x1 - tile_.x0) + size_t(x - tile_.x0);
        return memory_.data() + n * samples_ * sample_B_;
    }

    std::vector<uint8_t> memory_;
    pipe::raster::PixelRect tile_;
    unsigned samples_ = 1, sample_B_ = 0;
};

}  // namespace terrazzo::agx::sim
