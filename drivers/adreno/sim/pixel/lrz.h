// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ: a depth of 16 bits for each block of 8x8 samples; fragments farther away are hidden. It is tested
// before pixels, and written by triangles that cover a block, in binning passes and in sysmem. Facts: Mesa
// 25.0.7, docs/drivers/freedreno/hw/lrz.rst, fd6_emit.cc (build_lrz), fd6_blitter.cc (fd6_clear_lrz: rows of
// the pitch, 16-bit UNORM), freedreno_lrz_layout.h (several samples). A block is visible unless it is
// certainly hidden.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/pixel/state.h"

namespace terrazzo::adreno::sim {

/// A block has 8x8 samples: the buffer has the size of the image with the samples of a pixel below each other
/// (two samples) or two by two (four).
struct LrzBlock {
    unsigned log2_w = 3, log2_h = 3;
    constexpr int32_t w_px() const { return 1 << log2_w; }
    constexpr int32_t h_px() const { return 1 << log2_h; }
};
[[nodiscard]] constexpr LrzBlock lrz_block(unsigned samples) {
    return {samples >= 4 ? 2u : 3u, samples >= 2 ? 2u : 3u};
}

/// The hidden blocks of a primitive, a bit each, starting at the block of its bounds' first pixel.
struct HiddenBlocks {
    LrzBlock block;
    int32_t x0 = 0, y0 = 0, columns = 0;  // in blocks
    bool any = false;
    void set(size_t block, size_t blocks) {
        any = true;
        if (block < kFew) {
            few_ |= uint64_t(1) << block;
        } else {
            more_.resize(blocks - kFew);
            more_[block - kFew] = true;
        }
    }
    bool has(int32_t x_px, int32_t y_px) const {
        const size_t i =
            size_t((y_px >> block.log2_h) - y0) * size_t(columns) + size_t((x_px >> block.log2_w) - x0);
        return i < kFew ? few_ >> i & 1 : i - kFew < more_.size() && more_[i - kFew];
    }

  private:
    static constexpr size_t kFew = 64;  // most primitives have fewer blocks, which need no memory
    uint64_t few_ = 0;
    std::vector<bool> more_;
};

class LowResolutionDepth {
  public:
    explicit LowResolutionDepth(Machine& machine) : machine_(machine) {}
    /// A draw begins: its first primitive reads the registers.
    void begin_draw() { loaded_ = false; }
    /// Call in the order of the primitives. *seen: some of it may be visible. `hidden`: the hidden blocks, if
    /// there are any (else no bits); may be null. `depth`: of `p`'s fragments.
    [[nodiscard]] bool test(const units::RasterPrimitive& p, const units::FragmentDepth& depth, bool* seen,
                            HiddenBlocks* hidden, Fault* fault);
    /// For a binning pass, in which the primitive is not set up for pixels.
    [[nodiscard]] bool test(const DrawnPrimitive& d, bool* seen, Fault* fault);
    /// Reads the registers; whether the draw is tested is tests().
    [[nodiscard]] bool load(Fault* fault);
    [[nodiscard]] bool tests() const { return tests_; }

    /// LRZ_CLEAR: if registers enable it, all blocks are cleared through one bit per group of blocks.
    [[nodiscard]] bool clear(Fault* fault);
    // The cache: blocks of one buffer, read and written through the UCHE (Mesa 25.0.7, tu_clear_blit.cc,
    // tu6_clear_lrz). The kernel does not flush it between submits.

    /// Its contents are another submit's.
    void begin_submit() { cached_base_ = 0, stale_ = dirty_ = false, unknown_ = true; }
    /// False: the cache still holds writes of draws.
    [[nodiscard]] bool end_submit(Fault* fault);
    /// LRZ_FLUSH: the cache is empty.
    void flush();
    /// The 2D engine wrote there.
    [[nodiscard]] bool wrote(uint64_t va, Fault* fault);

  private:
    struct Range {
        double low, high;  // in steps of 1/65535
    };
    /// The byte with a group's bit: whether memory has its 16x4 blocks. Null (fault): no such memory.
    uint8_t* group_bits(uint32_t group, Fault* fault);
    bool fill_group(int32_t x, int32_t y, Fault* fault);
    bool check_cache(Fault* fault);
    bool hides(uint16_t stored, const Range& z) const;
    void write(uint16_t* stored, const Range& z) const;

    Machine& machine_;
    bool loaded_ = false, tests_ = false, writes_ = false, greater_ = false;
    uint64_t base_ = 0;
    uint32_t pitch_ = 0;  // in blocks
    uint64_t bits_ = 0;   // of fast clears; 0: none
    PixelState state_;    // of a binning pass: samples, scissors, bias
    LrzBlock block_;
    pipe::raster::PixelRect window_;
    uint64_t cached_base_ = 0, dirty_B_ = 0;
    bool stale_ = false, dirty_ = false, unknown_ = false;
};

}  // namespace terrazzo::adreno::sim
