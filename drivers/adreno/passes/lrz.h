// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ: a depth for each block of 8x8 pixels, behind which nothing is visible. The hardware finds it out before the tiles are drawn: so a draw may be hidden by
// one that comes later. Which draws may take part is decided here.
//
// A pixel of draw A is hidden by draw C. If C came before A, the depth test would hide it, too, as long as depths have moved in one direction only. If C comes
// later, C must certainly pass, and overwrite all of A; and nobody between them may see that A is not there. So
// - depth that is written in another direction, or in none, ends all tests;
// - C writes LRZ if it writes depth wherever its triangle is, and all channels (or no draw before has written colours);
// - behind a draw that writes depth and leaves something of the colours below (blending, masks), or whose effects tell what passed (queries, stencil, memory),
//   nobody writes LRZ any more.
//
// Behind a pass whose depths are stored, LRZ is kept for the next one (kept_lrz.h): all of its draws are done, so that what they left of the colours below does
// not matter any more. Only the direction of depths does.
#pragma once

#include <cstdint>

#include "drivers/adreno/state/depth_planes.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// What LRZ asks of a draw.
struct LrzDraw {
    bool depth_test = false, depth_write = false;
    pipe::Compare compare = pipe::Compare::Less;
    bool covers_colors = true;   // what it leaves of the colours below is nothing
    bool writes_colors = true;   // any
    bool may_leave_out = false;  // fragments of its triangles: by discard, masks of samples, the stencil test
    bool own_depth = false;      // the shader's
    bool has_effects = false;    // beside colours and depth: stencil, queries, memory
};
/// Follows the draws of a pass, in order.
class LrzTracker {
  public:
    /// All of the depth attachment has been cleared.
    void begin() { *this = {}, valid_ = true; }
    /// From here on nothing is known of the depths, so no draw uses LRZ.
    void end() { valid_ = false; }
    /// A pass goes on where another one ended: its draws are there already.
    void resume(const LrzTracker& before) { *this = before, open_ = true, has_colors_ = false; }
    /// Depths are on the near side of what LRZ says.
    [[nodiscard]] bool valid() const { return valid_; }
    [[nodiscard]] LrzUse add(const LrzDraw& d);

  private:
    enum class Direction : uint8_t { Unknown, Less, Greater };
    bool valid_ = false;       // may be tested
    bool open_ = true;         // may be written
    bool has_colors_ = false;  // a draw before has written some
    Direction direction_ = Direction::Unknown;
};

/// How the buffer lies in memory: rows of 16-bit values, a value a block of 8x8 samples, of which pixels have one, two below each other, or two by two.
struct LrzLayout {
    uint32_t pitch = 0, rows = 0;  // in blocks
    /// Behind them there is a bit for each group of 16x4 blocks, whether it was written since a fast clear. That has room for so many groups.
    static constexpr uint32_t kGroups = 4096, kFastClear_B = 1024;
    bool has_fast_clear = false;
    [[nodiscard]] uint32_t blocks_B() const { return pitch * rows * 2; }
    [[nodiscard]] uint32_t size_B() const { return blocks_B() + (has_fast_clear ? kFastClear_B : 0); }
    /// A block that was not written since is the farthest depth then, whatever the direction will be: so it must have been cleared to an end of the range.
    [[nodiscard]] bool clears_fast(float depth) const { return has_fast_clear && (depth == 0 || depth == 1); }
};
[[nodiscard]] LrzLayout lrz_layout(const hw::Chip& chip, uint32_t w_px, uint32_t h_px, uint32_t samples);
/// Fills the buffer with a depth by the 2D engine, which must be set up for sysmem; caches are the caller's.
void clear_lrz(CsBuilder& cs, const hw::Chip& chip, const LrzLayout& layout, uint64_t va, float depth);
/// The same by LRZ itself, of buffers that clear fast.
void clear_lrz_fast(CsBuilder& cs, const LrzLayout& layout, uint64_t va);
/// The draws that follow use the buffer; 0: none. `fast`: it clears fast.
void write_lrz_buffer(CsBuilder& cs, const LrzLayout& layout, uint64_t va, bool fast);
/// What was written goes to memory. `fast`: the bits of fast clears, too.
void flush_lrz(CsBuilder& cs, bool fast);

}  // namespace terrazzo::adreno
