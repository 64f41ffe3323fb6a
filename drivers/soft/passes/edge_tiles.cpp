// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/edge_tiles.h"

#include <cstring>

#include "drivers/soft/resources/resource.h"

namespace terrazzo::soft {

namespace {

constexpr int32_t kBlockWidth_px = 4, kBlockHeight_px = 2;
static_assert(kTileSize_px % kBlockWidth_px == 0 && kTileSize_px % kBlockHeight_px == 0);

constexpr int32_t align_up(int32_t v, int32_t to) {
    return (v + to - 1) & ~(to - 1);
}
constexpr bool over(int32_t end_px, int32_t block_px, int32_t image_px) {
    return align_up(end_px, block_px) > image_px;
}

constexpr size_t copy_B(uint32_t pixel_B) {
    return size_t(kTileSize_px) * kTileSize_px * pixel_B;
}

void copy_rows(uint8_t* to, size_t to_stride_B, const uint8_t* from, size_t from_stride_B, size_t row_B,
               int32_t rows) {
    for (int32_t y = 0; y < rows; ++y)
        std::memcpy(to + size_t(y) * to_stride_B, from + size_t(y) * from_stride_B, row_B);
}

/// Whether the first clear of the tiles replaces all old contents.
bool cleared(const ClearPrim* clear, const uint8_t* base) {
    for (uint32_t i = 0; clear && i < clear->op_count; ++i)
        if (clear->ops[i].base == base && clear->ops[i].whole) return true;
    return false;
}

}  // namespace

void EdgeTiles::add(unsigned index, const SoftResource& r, uint32_t level, uint32_t pixel_B) {
    if (!r.exact()) return;
    const LevelLayout& l = r.level(level);
    const Target t = {index, int32_t(l.width), int32_t(l.height), pixel_B};
    // The last tile's blocks extend the farthest.
    if (over(t.width_px, kBlockWidth_px, t.width_px) || over(t.height_px, kBlockHeight_px, t.height_px))
        targets_[count_++] = t;
}

size_t EdgeTiles::room_B() const {
    size_t sum_B = 0;
    for (unsigned i = 0; i < count_; ++i)
        sum_B += copy_B(targets_[i].pixel_B);
    return sum_B;
}

bool EdgeTiles::reach_over(const Rect& r) const {
    for (unsigned i = 0; i < count_; ++i)
        if (over(r.x1, kBlockWidth_px, targets_[i].width_px) ||
            over(r.y1, kBlockHeight_px, targets_[i].height_px))
            return true;
    return false;
}

void EdgeTiles::run(RunTileFn run, const TileJob& job, uint32_t tile, const Rect& r, TileWorker& worker,
                    uint8_t* room) const {
    TileJob moved = job;
    MovedTarget list[pipe::kMaxColorTargets + 1] = {};
    struct Place {
        uint8_t *pixels, *copy;
        size_t row_B, copy_stride_B;
    } places[pipe::kMaxColorTargets];
    const int32_t rows = r.y1 - r.y0;
    for (unsigned i = 0; i < count_; ++i) {
        const Target& t = targets_[i];
        const ColorTarget& from = job.color[t.index];
        ColorTarget& to = moved.color[t.index];
        const size_t column_B = size_t(r.x0) * t.pixel_B;
        Place& p = places[i];
        p.copy_stride_B = size_t(kTileSize_px) * t.pixel_B;
        p.row_B = size_t(r.x1 - r.x0) * t.pixel_B;
        p.pixels = from.base + size_t(r.y0) * from.row_stride_B + column_B;
        p.copy = room;
        room += copy_B(t.pixel_B);
        to.row_stride_B = uint32_t(p.copy_stride_B);
        // The base is chosen so that the tile's first pixel is the first one of the copy.
        to.base = reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(p.copy) -
                                             size_t(r.y0) * p.copy_stride_B - column_B);
        list[i] = {from.base, to.base, to.row_stride_B};
        if (!cleared(job.first_clear, from.base))
            copy_rows(p.copy, p.copy_stride_B, p.pixels, from.row_stride_B, p.row_B, rows);
    }
    moved.moved = list;
    run(moved, tile, worker);
    for (unsigned i = 0; i < count_; ++i)
        copy_rows(places[i].pixels, job.color[targets_[i].index].row_stride_B, places[i].copy,
                  places[i].copy_stride_B, places[i].row_B, rows);
}

}  // namespace terrazzo::soft
