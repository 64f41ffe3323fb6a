// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Binning: a pass over all vertices, before the tiles, finds out which draws and primitives each tile needs (VSC). Tiles are shared out to pipes; each pipe
// has a stream of draws and one of primitives, which the CP reads when it draws a tile.
#pragma once

#include <span>

#include "drivers/adreno/passes/tiles.h"
#include "drivers/adreno/submission/recorder.h"

namespace terrazzo::adreno {

/// A pipe is a rectangle of tiles; those of the last column and row may be cut.
struct PipePlan {
    uint32_t tiles_x = 1, tiles_y = 1;  // of a pipe
    uint32_t count_x = 0, count_y = 0;  // of pipes
    [[nodiscard]] uint32_t count() const { return count_x * count_y; }
};
/// As many pipes as there are, about square. False: there are more tiles than all pipes can have.
[[nodiscard]] bool plan_pipes(const TilePlan& tiles, PipePlan* out);

/// A tile's pipe, and which of the pipe's tiles it is.
struct TilePlace {
    uint32_t pipe, slot;
    uint32_t pipe_tiles;
};
[[nodiscard]] TilePlace place_of(const TilePlan& tiles, const PipePlan& pipes, uint32_t tile);

/// What the draws of a pass put into the streams.
struct StreamNeed {
    uint64_t draws = 0, instances = 0, primitives = 0;
};

/// A context's streams. Passes use them one after another. They grow by what passes are expected to need, and where they were too small all the same: the GPU
/// says so, and everything is visible in that pass.
class VisibilityStreams {
  public:
    /// Before a binning pass. Throws std::bad_alloc.
    void begin(Recorder& recorder, const TilePlan& tiles, const PipePlan& pipes, const StreamNeed& need);
    /// Registers of VSC.
    void write_setup(CsBuilder& cs) const;
    /// Behind the binning pass, when its results are in memory: from here on draws look at them.
    void write_end(CsBuilder& cs) const;
    /// The draws that follow are of that tile.
    void select_tile(CsBuilder& cs, uint32_t tile) const;
    /// Calls the stream where something is visible in the tile.
    void call_if_visible(CsBuilder& cs, uint32_t tile, std::span<const Segment> stream) const;

    /// For tests: bytes of a pipe's streams now.
    [[nodiscard]] uint32_t draw_pitch_B() const { return draw_pitch_B_; }
    [[nodiscard]] uint32_t primitive_pitch_B() const { return primitive_pitch_B_; }

  private:
    void grow(Device& device, const StreamNeed& need);

    TilePlan tiles_;
    PipePlan pipes_;
    uint32_t draw_pitch_B_ = 0, primitive_pitch_B_ = 0;
    pipe::Ref<Bo> draws_, primitives_;
    Block too_small_;             // the GPU writes `size_number_` there
    uint32_t size_number_ = 0;    // of the sizes that the streams have
    uint64_t overflowed_va_ = 0;  // of this pass: not 0 where a stream was too small
    uint64_t held_in_ = 0;        // the recorder's serial
};

}  // namespace terrazzo::adreno
