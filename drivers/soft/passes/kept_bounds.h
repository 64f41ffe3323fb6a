// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth bounds (kernel/depth_bounds.inc) that outlive a pass. They belong to an image: a pass that draws to
// its depth takes them when it is submitted, and its tiles leave them as true for whoever draws next.
//
// Why they hold: what a pass finds describes the memory when the passes before it are done, and each pass
// keeps them up to date. All others who write the image have them forgotten first. Contexts have no order
// of their own: where another one's pass is still in flight, the newer pass starts with nothing known, and
// what the older one still finds out is dropped.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "pipe/format.h"
#include "pipe/ref.h"

namespace terrazzo::soft {

/// What one pass draws to of an image. Squares at a right or upper border are what the pass has of them, so
/// bounds are of use for passes of one size.
struct BoundedPart {
    pipe::Format format = pipe::Format::None;
    uint32_t level = 0, first_layer = 0, layers = 1, samples = 1;
    int32_t width_px = 0, height_px = 0;

    bool operator==(const BoundedPart&) const = default;
    [[nodiscard]] bool overlaps(const BoundedPart& o) const {
        return level == o.level && first_layer < o.first_layer + o.layers &&
               o.first_layer < first_layer + layers;
    }
};

/// 64 bytes a tile of 64x64 pixels: a 256th of a depth buffer of 32 bits and one sample.
class TileBounds final : public pipe::RefCounted {
  public:
    /// kBoundsPerTile a tile. Whose tile is drawn writes them.
    [[nodiscard]] float* data() const { return depth_.get(); }
    /// The pass is done. Any thread.
    void end_use() { uses_.fetch_sub(1, std::memory_order_release); }

  private:
    friend class KeptBounds;
    TileBounds(const BoundedPart& part, std::unique_ptr<float[]> depth)
        : part_(part), depth_(std::move(depth)) {}
    ~TileBounds() override = default;

    const BoundedPart part_;
    const std::unique_ptr<float[]> depth_;
    const void* owner_ = nullptr;
    std::atomic<uint32_t> uses_{0};  // passes that are not done, all of the owner
};

/// An image's. Thread: any.
class KeptBounds {
  public:
    /// For a pass that is about to be submitted: what is known, or bounds that say nothing. `owner` does its
    /// passes one after the other. end_use() must follow. Null: out of memory.
    [[nodiscard]] pipe::Ref<TileBounds> acquire(const BoundedPart& part, size_t tiles, const void* owner);
    /// Somebody else writes the image. What passes in flight have is theirs alone from now on.
    void forget();

  private:
    std::mutex mutex_;
    std::atomic<bool> any_{false};
    std::vector<pipe::Ref<TileBounds>> all_;  // no two overlap
};

}  // namespace terrazzo::soft
