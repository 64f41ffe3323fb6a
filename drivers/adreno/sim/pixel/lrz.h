// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ: a depth in 16 bits for each block of 8x8 samples, behind which all that is drawn there is hidden. It is tested before pixels, and written by triangles
// that cover a block, in binning passes and in sysmem. Facts: Mesa 25.0.7, docs/drivers/freedreno/hw/lrz.rst, fd6_emit.cc (build_lrz), fd6_blitter.cc
// (fd6_clear_lrz: rows of the pitch, 16-bit UNORM), freedreno_lrz_layout.h (several samples). A block that is not hidden for sure is visible.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/pixel/state.h"

namespace terrazzo::adreno::sim {

/// A block has 8x8 samples: the buffer is as large as the image with the samples of a pixel below each other (of two), or two by two (of four).
struct LrzBlock {
    int32_t w_px = 8, h_px = 8;
};
[[nodiscard]] constexpr LrzBlock lrz_block(unsigned samples) {
    return {samples >= 4 ? 4 : 8, samples >= 2 ? 4 : 8};
}

/// Blocks of a primitive that are hidden, a bit each, from the block of its bounds' first pixel on.
struct HiddenBlocks {
    LrzBlock block;
    int32_t x0 = 0, y0 = 0, columns = 0;  // in blocks
    std::vector<bool> bits;
    bool has(int32_t x_px, int32_t y_px) const {
        return bits[size_t(y_px / block.h_px - y0) * size_t(columns) + size_t(x_px / block.w_px - x0)];
    }
};

class LowResolutionDepth {
  public:
    explicit LowResolutionDepth(Machine& machine) : machine_(machine) {}
    /// A draw begins: its registers are read with its first primitive.
    void begin_draw() { loaded_ = false; }
    /// In the order of the primitives. *seen: some of it may be visible. `hidden`: blocks that are not, where there are some (else no bits); null: nobody asks.
    /// `depth`: of `p`'s fragments.
    [[nodiscard]] bool test(const units::RasterPrimitive& p, const units::FragmentDepth& depth, bool* seen,
                            HiddenBlocks* hidden, Fault* fault);
    /// Of a binning pass, where nobody has set the primitive up for pixels.
    [[nodiscard]] bool test(const DrawnPrimitive& d, bool* seen, Fault* fault);
    /// The draw is tested at all.
    [[nodiscard]] bool load(Fault* fault);
    [[nodiscard]] bool tests() const { return tests_; }

    /// LRZ_CLEAR: where registers say so, all is as it was cleared, by a bit for each group of blocks.
    [[nodiscard]] bool clear(Fault* fault);
    // Its cache: blocks of one buffer, which it reads and writes by way of the UCHE (Mesa 25.0.7, tu_clear_blit.cc, tu6_clear_lrz). The kernel does not flush it
    // between submits.

    /// What it holds now is another submit's.
    void begin_submit() { cached_base_ = 0, stale_ = dirty_ = false, unknown_ = true; }
    /// False: the cache still has what draws wrote.
    [[nodiscard]] bool end_submit(Fault* fault);
    /// LRZ_FLUSH: it holds nothing more.
    void flush();
    /// The 2D engine writes there.
    [[nodiscard]] bool wrote(uint64_t va, Fault* fault);

  private:
    struct Range {
        double low, high;  // in steps of 1/65535
    };
    /// Blocks x, y of 16x4: one bit says whether memory has them. Null (fault): no such memory.
    uint8_t* group_bits(uint32_t group, Fault* fault);
    bool fill_group(int32_t x, int32_t y, Fault* fault);
    bool check_cache(Fault* fault);
    bool hides(uint16_t stored, const Range& z) const;
    void write(uint16_t* stored, const Range& z) const;

    Machine& machine_;
    bool loaded_ = false, tests_ = false, writes_ = false, greater_ = false;
    uint64_t base_ = 0;
    uint32_t pitch_ = 0;  // in blocks
    uint64_t bits_ = 0;   // of fast clears; 0: there are none
    PixelState state_;    // of a binning pass: samples, scissors, bias
    LrzBlock block_;
    pipe::raster::PixelRect window_;
    uint64_t cached_base_ = 0, dirty_B_ = 0;
    bool stale_ = false, dirty_ = false, unknown_ = false;
};

}  // namespace terrazzo::adreno::sim
