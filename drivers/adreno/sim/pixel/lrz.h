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
#include <mutex>

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

/// The hidden blocks of a primitive in an area of pixels, a bit each.
class HiddenBlocks {
  public:
    void begin(LrzBlock block, int32_t x0, int32_t y0, int32_t columns) {
        block_ = block;
        x0_ = x0, y0_ = y0, columns_ = columns;
        hidden_ = 0;
    }
    void clear() { hidden_ = 0; }
    void set(int32_t x, int32_t y) { hidden_ |= bit(x, y); }
    bool any() const { return hidden_ != 0; }
    bool has(int32_t x_px, int32_t y_px) const {
        return (hidden_ & bit(x_px >> block_.log2_w, y_px >> block_.log2_h)) != 0;
    }

  private:
    uint64_t bit(int32_t x, int32_t y) const { return uint64_t(1) << ((y - y0_) * columns_ + x - x0_); }
    LrzBlock block_;
    int32_t x0_ = 0, y0_ = 0, columns_ = 0;  // in blocks
    uint64_t hidden_ = 0;
};

class LowResolutionDepth {
  public:
    explicit LowResolutionDepth(Machine& machine) : machine_(machine) {}
    /// A draw begins: its first primitive reads the registers.
    void begin_draw() { loaded_ = false; }
    /// The part of a primitive in an area of at most kMostBlocks blocks, after load(). Call in the order of
    /// the primitives of each area. Several threads may call it for areas that share no block, each with its
    /// own view of memory. *seen: some of it may be visible. `hidden`: the hidden blocks. `depth`: of `p`'s
    /// fragments.
    [[nodiscard]] bool test(const units::RasterPrimitive& p, const units::FragmentDepth& depth,
                            const pipe::raster::PixelRect& area, window::Window& memory, bool* seen,
                            HiddenBlocks* hidden, Fault* fault);
    static constexpr int32_t kMostBlocks = 64;
    /// Whether a block of the area may hide a fragment now. If none may, primitives for which may_write() is
    /// false need no test. Tests in the area may change the result.
    [[nodiscard]] bool may_hide(const pipe::raster::PixelRect& area, const units::FragmentDepth& depth,
                                window::Window& memory);
    /// Whether a primitive with these bounds may write depth: only primitives that contain a block do.
    [[nodiscard]] bool may_write(const pipe::raster::PixelRect& bounds) const {
        return writes_ &&
               (bounds.x1 - bounds.x0 >= block_.w_px() || bounds.x1 >= window_.x1 ||
                bounds.x0 <= window_.x0) &&
               (bounds.y1 - bounds.y0 >= block_.h_px() || bounds.y1 >= window_.y1 || bounds.y0 <= window_.y0);
    }
    /// For a binning pass, in which the primitive is not set up for pixels.
    [[nodiscard]] bool test(const DrawnPrimitive& d, bool* seen, Fault* fault);
    /// Reads the registers, once a draw. After it, used() says whether blocks are tested or written.
    [[nodiscard]] bool load(Fault* fault);
    [[nodiscard]] bool used() const { return tests_ || writes_; }

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
    uint8_t* group_bits(uint32_t group, window::Window& memory, Fault* fault);
    bool fill_group(int32_t x, int32_t y, window::Window& memory, Fault* fault);
    bool begin_block(int32_t x, int32_t y, uint8_t* bits, window::Window& memory, Fault* fault);
    bool find_block(int32_t x, int32_t y, window::Window& memory, uint8_t** bits, bool* has_contents,
                    Fault* fault);
    bool needs_test(const pipe::raster::PixelRect& pixels, const units::FragmentDepth& depth, bool writes,
                    window::Window& memory, bool* is_needed, Fault* fault);
    uint32_t group_of(int32_t x, int32_t y) const;
    pipe::raster::PixelRect blocks_of(const pipe::raster::PixelRect& pixels) const;
    pipe::raster::PixelRect pixels_of(int32_t x, int32_t y) const;
    uint16_t* row_at(const pipe::raster::PixelRect& blocks, int32_t y, window::Window& memory,
                     Fault* fault) const;
    bool check_cache(Fault* fault);
    bool hides(uint16_t stored, const Range& z) const;
    bool may_hide(uint16_t stored, const units::FragmentDepth& depth) const;
    void write(uint16_t* stored, const Range& z) const;

    Machine& machine_;
    bool loaded_ = false, tests_ = false, writes_ = false, greater_ = false;
    uint64_t base_ = 0;
    uint32_t pitch_ = 0;  // in blocks
    uint64_t bits_ = 0;   // of fast clears; 0: none
    std::mutex filling_;  // groups: several areas have blocks of one
    PixelState state_;    // of a binning pass: samples, scissors, bias
    LrzBlock block_;
    pipe::raster::PixelRect window_;
    uint64_t cached_base_ = 0, dirty_B_ = 0;
    bool stale_ = false, dirty_ = false, unknown_ = false;
};

}  // namespace terrazzo::adreno::sim
