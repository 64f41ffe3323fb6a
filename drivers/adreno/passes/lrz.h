// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ (low-resolution Z): for each block of 8x8 pixels, a depth beyond which nothing is visible. The hardware
// computes it before the tiles are drawn, so that a draw can be hidden by a later one. This file decides
// which draws use it.
//
// Let draw C hide a pixel of draw A. If C precedes A, the depth test would hide the pixel as well, provided
// that depths changed in one direction only. If C follows A, then C must certainly pass and overwrite all of
// A, and no draw between them may depend on A. Therefore:
// - depth that is written in another direction, or without one, ends all tests;
// - C writes LRZ only if it writes depth in its whole triangle, and all channels (or no earlier draw wrote
//   colors);
// - no draw writes LRZ after one that writes depth and keeps part of the earlier colors (blending, masks), or
//   after one whose effects depend on what passed (queries, stencil, memory).
//
// After a pass whose depths are stored, LRZ is kept for the next pass (KeptLrz). All draws of the first
// are complete then, so that only the direction of depths still matters.
#pragma once

#include <array>
#include <cstdint>

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/state/depth_stencil.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// The properties of a draw on which LRZ depends.
struct LrzDraw {
    bool depth_test = false, depth_write = false;
    pipe::Compare compare = pipe::Compare::Less;
    bool covers_colors = true;  // it replaces the earlier colors
    bool writes_colors = true;  // of any target
    bool may_leave_out =
        false;               // fragments of its triangles may be missing: discard, sample masks, stencil test
    bool own_depth = false;  // the shader writes the depth
    bool has_effects = false;  // other than colors and depth: stencil, queries, memory
};
/// Follows the draws of a pass, in order.
class LrzTracker {
  public:
    /// The whole depth attachment was cleared.
    void begin() { *this = {}, valid_ = true; }
    /// The depths become unknown: no later draw uses LRZ.
    void end() { valid_ = false; }
    /// Continues after another pass, whose draws are complete.
    void resume(const LrzTracker& before) { *this = before, open_ = true, has_colors_ = false; }
    /// Whether all depths are on the near side of LRZ's.
    [[nodiscard]] bool valid() const { return valid_; }
    [[nodiscard]] LrzUse add(const LrzDraw& d);

  private:
    enum class Direction : uint8_t { Unknown, Less, Greater };
    bool valid_ = false;       // draws may test
    bool open_ = true;         // draws may write
    bool has_colors_ = false;  // an earlier draw wrote colors
    Direction direction_ = Direction::Unknown;
};

/// The memory layout of the buffer: rows of 16-bit values, one for each block of 8x8 samples. The samples of
/// a pixel are one, two in a column, or two by two.
struct LrzLayout {
    uint32_t pitch = 0, rows = 0;  // in blocks
    /// The rows are followed by a bit for each group of 16x4 blocks: whether it was written since a fast
    /// clear. There is room for kGroups.
    static constexpr uint32_t kGroups = 4096, kFastClear_B = 1024;
    bool has_fast_clear = false;
    [[nodiscard]] uint32_t blocks_B() const { return pitch * rows * 2; }
    [[nodiscard]] uint32_t size_B() const { return blocks_B() + (has_fast_clear ? kFastClear_B : 0); }
    /// Whether a clear to `depth` can be fast. A block that was not written since counts as the farthest
    /// depth, in either direction, so the depth must be an end of the range.
    [[nodiscard]] bool clears_fast(float depth) const { return has_fast_clear && (depth == 0 || depth == 1); }
};
[[nodiscard]] LrzLayout lrz_layout(const hw::Chip& chip, uint32_t w_px, uint32_t h_px, uint32_t samples);
/// Fills the buffer with a depth by the 2D engine, which must be set up for sysmem. The caller syncs the
/// caches.
void clear_lrz(CsBuilder& cs, const hw::Chip& chip, const LrzLayout& layout, uint64_t va, float depth);
/// Clears a buffer that has fast-clear bits.
void clear_lrz_fast(CsBuilder& cs, const LrzLayout& layout, uint64_t va);
/// Later draws use the buffer at `va`; 0: none. `fast`: it has fast-clear bits.
void write_lrz_buffer(CsBuilder& cs, const LrzLayout& layout, uint64_t va, bool fast);
/// Flushes LRZ's cache. `fast`: also the fast-clear bits.
void flush_lrz(CsBuilder& cs, bool fast);

// LRZ buffers that are kept after a pass, for the depth images that a context drew into last. One is valid
// for the next pass on the same image if that pass loads the depths and no other work wrote them: then every
// depth is still on the near side of its block's value, in the direction in which depths change.

class KeptLrz {
  public:
    /// The image that a buffer belongs to.
    struct Image {
        uint64_t id = 0;  // AdrenoResource::id
        uint32_t level = 0, layer = 0, width = 0, height = 0;
        bool operator==(const Image&) const = default;
    };
    struct Entry {
        Image image;
        uint64_t writes = 0;  // AdrenoResource::writes() after the pass
        LrzTracker tracker;   // its state after the pass
        bool fast = false;    // the buffer has fast-clear bits
        pipe::Ref<Bo> memory;
        uint64_t used = 0;
    };
    /// The valid buffer of the image. Null: there is none.
    [[nodiscard]] Entry* find(const Image& image, uint64_t writes);
    /// An entry for the image, whose memory may have been another image's.
    [[nodiscard]] Entry& replace(const Image& image);
    /// Drops all entries: recorded work was not executed.
    void forget() { entries_ = {}; }

  private:
    std::array<Entry, 4> entries_;
    uint64_t clock_ = 0;
};

}  // namespace terrazzo::adreno
