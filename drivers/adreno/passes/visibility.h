// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Binning: a pass over all vertices, before the tiles, finds the draws and primitives that each tile needs
// (VSC, the visibility stream compressor). Tiles are assigned to pipes. Each pipe has a stream of draws and
// one of primitives, which the CP reads when it draws a tile.
#pragma once

#include <span>

#include "drivers/adreno/passes/tiles.h"
#include "drivers/adreno/submission/recorder.h"

namespace terrazzo::adreno {

/// A pipe is a rectangle of tiles; in the last column and row it may be smaller.
struct PipePlan {
    uint32_t tiles_x = 1, tiles_y = 1;  // in a pipe
    uint32_t count_x = 0, count_y = 0;  // the number of pipes
    [[nodiscard]] uint32_t count() const { return count_x * count_y; }
};
/// Uses as many pipes as the hardware has, about square. False: there are more tiles than all pipes can have.
[[nodiscard]] bool plan_pipes(const TilePlan& tiles, PipePlan* out);

/// A tile's pipe and its number in the pipe.
struct TilePlace {
    uint32_t pipe, slot;
    uint32_t pipe_tiles;
};
[[nodiscard]] TilePlace place_of(const TilePlan& tiles, const PipePlan& pipes, uint32_t tile);

/// The amount of data that the draws of a pass write to the streams.
struct StreamNeed {
    uint64_t draws = 0, instances = 0, primitives = 0;
};

/// A context's streams, which its passes use in turn. They are sized by an estimate of each pass' need. If
/// they are too small all the same, the GPU reports it, all is visible in that pass, and the next one has
/// larger streams.
class VisibilityStreams {
  public:
    /// Called before a binning pass. Throws std::bad_alloc.
    void begin(Recorder& recorder, const TilePlan& tiles, const PipePlan& pipes, const StreamNeed& need);
    /// Writes the registers of VSC.
    void write_setup(CsBuilder& cs) const;
    /// Called after the binning pass, when its results are in memory: later draws use them.
    void write_end(CsBuilder& cs) const;
    /// Later draws are for this tile.
    void select_tile(CsBuilder& cs, uint32_t tile) const;
    /// Calls the stream if a draw is visible in the tile.
    void call_if_visible(CsBuilder& cs, uint32_t tile, std::span<const Segment> stream) const;

    /// For tests: the current size of a pipe's streams of primitives.
    [[nodiscard]] uint32_t primitive_pitch_B() const { return primitive_pitch_B_; }

  private:
    void grow(Device& device, const StreamNeed& need);

    TilePlan tiles_;
    PipePlan pipes_;
    uint32_t draw_pitch_B_ = 0, primitive_pitch_B_ = 0;
    pipe::Ref<Bo> draws_, primitives_;
    Block too_small_;             // the GPU writes the size_number_ of streams that were too small
    uint32_t size_number_ = 0;    // counts the changes of the sizes
    uint64_t overflowed_va_ = 0;  // a word of this pass: not 0 if a stream was too small
    uint64_t held_in_ = 0;        // Recorder::serial() of the submission that holds the streams
};

}  // namespace terrazzo::adreno
