// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory for recorded primitives, and for each tile the list of primitives that touch it. One thread at a
// time.
#pragma once

#include <span>
#include <vector>

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/passes/pass_memory.h"

namespace terrazzo::soft {

/// The primitives of one tile in a part of a draw.
struct TileList {
    uint32_t tile;
    BinChunk *first, *last;
};

class Bins {
  public:
    explicit Bins(std::pmr::memory_resource* memory) : arena_(memory) {}

    /// Creates empty bins: one per tile of each layer. Throws std::bad_alloc.
    void resize(int32_t tiles_x, int32_t tiles_y, uint32_t layers = 1);
    /// Later pushes go to this layer.
    void set_layer(uint32_t layer) { layer_first_ = layer * per_layer_; }
    [[nodiscard]] uint32_t layer() const { return per_layer_ ? layer_first_ / per_layer_ : 0; }
    [[nodiscard]] uint32_t per_layer() const { return per_layer_; }
    [[nodiscard]] Arena& arena() { return arena_; }
    [[nodiscard]] const Arena& arena() const { return arena_; }
    [[nodiscard]] const Bin* data() const { return bins_.data(); }
    [[nodiscard]] int32_t tiles_x() const { return tiles_x_; }
    [[nodiscard]] uint32_t count() const { return uint32_t(bins_.size()); }
    /// The tiles with a non-empty list, in the order of their first primitive.
    [[nodiscard]] const std::vector<uint32_t>& touched() const { return touched_; }

    /// Appends to a tile's list.
    void push(int32_t tile_x, int32_t tile_y, const PrimHeader* prim) {
        push(uint32_t(tile_y) * uint32_t(tiles_x_) + uint32_t(tile_x), prim);
    }
    void push(uint32_t tile, const PrimHeader* prim) {
        Bin& bin = bins_[layer_first_ + tile];
        if (!bin.last || bin.last->count == BinChunk::kCapacity) grow(bin);
        bin.last->prims[bin.last->count++] = prim;
    }
    /// Appends to every tile that the rectangle touches. It must be inside the bins and not empty.
    void push_rect(const Rect& r, const PrimHeader* prim);
    /// An estimate of the fragments, which decides how many threads to wake.
    void add_work(uint64_t px) { work_px_ += px; }
    [[nodiscard]] uint64_t work_px() const { return work_px_; }

    /// Moves the lists into `out`, which is cleared first. Their memory stays in the arena. If it throws
    /// std::bad_alloc, nothing has changed.
    void take(std::vector<TileList>* out);
    /// Appends lists of other bins. The caller must keep the arena that holds them.
    void append(std::span<const TileList> lists);
    /// Empties the lists; the arena keeps its memory.
    void drop();
    /// Empties the lists and frees the arena.
    void forget() {
        drop();
        arena_.reset();
    }

  private:
    void grow(Bin& bin);

    Arena arena_;
    std::vector<Bin> bins_;
    std::vector<uint32_t> touched_;  // capacity: as many as bins_
    int32_t tiles_x_ = 0;
    uint32_t per_layer_ = 0, layer_first_ = 0;  // tiles
    uint64_t work_px_ = 0;
};

}  // namespace terrazzo::soft
