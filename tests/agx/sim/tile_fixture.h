// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group of threads with a tilebuffer.
#pragma once

#include "drivers/agx/sim/resources/tile_buffer.h"
#include "tests/agx/sim/resource_fixture.h"

namespace terrazzo::tests::agx {

/// A tile whose programs are in the threads' hands: thread n has the pixel (n % 8, n / 8) of it.
class TileUnits : public sim::Units {
  public:
    bool tile(sim::UnitCall& call, std::string* why) override { return buffer.access(call, why); }
    bool image_write_block(sim::UnitCall& call, std::string* why) override {
        return buffer.store_block(call, bounds, why);
    }
    void begin(int32_t x, int32_t y, unsigned samples, unsigned stride_B) {
        hw::UscShared shape;
        shape.layout = hw::SharedLayout::N16x16;
        shape.sample_count = samples;
        shape.sample_stride = stride_B / 8;
        bounds = {x, y, x + 16, y + 16};
        std::string why;
        REQUIRE(buffer.begin(shape, bounds, &why));
    }
    sim::TileBuffer buffer;
    pipe::raster::PixelRect bounds;
};

struct HasTile {
    TileUnits units;
};
struct TileThreads : HasTile, Threads {
    explicit TileThreads(unsigned samples = 1, unsigned stride_B = 16, int32_t x = 32, int32_t y = 16)
        : Threads(static_cast<sim::Units&>(units)) {
        units.begin(x, y, samples, stride_B);
        for (unsigned n = 0; n < sim::kThreads; ++n) {
            wave::put_at(group.special.in_grid[0], n, uint32_t(x) + n % 8);
            wave::put_at(group.special.in_grid[1], n, uint32_t(y) + n / 8);
        }
    }
};

}  // namespace terrazzo::tests::agx
