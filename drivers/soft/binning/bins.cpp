// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/binning/bins.h"

namespace terrazzo::soft {

void Bins::resize(int32_t tiles_x, int32_t tiles_y, uint32_t layers) {
    per_layer_ = uint32_t(tiles_x) * uint32_t(tiles_y);
    layer_first_ = 0;
    bins_.assign(size_t(per_layer_) * layers, Bin());
    touched_.clear();
    touched_.reserve(bins_.size());
    tiles_x_ = tiles_x;
}

void Bins::grow(Bin& bin) {
    // Not make<>(): entries beyond `count` need not be zeroed.
    BinChunk* const c = static_cast<BinChunk*>(arena_.allocate(sizeof(BinChunk)));
    c->next = nullptr;
    c->count = 0;
    if (bin.last)
        bin.last->next = c;
    else {
        bin.first = c;
        touched_.push_back(uint32_t(&bin - bins_.data()));
    }
    bin.last = c;
}

void Bins::push_rect(const Rect& r, const PrimHeader* prim) {
    for (int32_t y = r.y0 / kTileSize_px; y <= (r.y1 - 1) / kTileSize_px; ++y)
        for (int32_t x = r.x0 / kTileSize_px; x <= (r.x1 - 1) / kTileSize_px; ++x)
            push(x, y, prim);
}

void Bins::take(std::vector<TileList>* out) {
    out->clear();
    out->reserve(touched_.size());
    for (const uint32_t t : touched_)
        out->push_back({t, bins_[t].first, bins_[t].last});
    drop();
}

void Bins::append(std::span<const TileList> lists) {
    for (const TileList& l : lists) {
        Bin& bin = bins_[l.tile];
        if (bin.last)
            bin.last->next = l.first;
        else {
            bin.first = l.first;
            touched_.push_back(l.tile);
        }
        bin.last = l.last;
    }
}

void Bins::drop() {
    for (const uint32_t t : touched_)
        bins_[t] = Bin();
    touched_.clear();
    work_px_ = 0;
}

}  // namespace terrazzo::soft
