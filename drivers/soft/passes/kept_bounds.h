// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth bounds (kernel/depth_bounds.inc) that outlive a pass. They belong to an image: a pass that draws to
// its depth acquires them when it is submitted, and its tiles keep them valid for the next pass.
//
// Why they are valid: a pass' initial bounds describe the memory after all earlier passes, and each pass
// updates them. Every other writer of the image must call forget() first. Contexts are not ordered: if
// another context's pass is in flight, the newer pass starts without bounds, and the older one's results are
// dropped.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "pipe/format.h"
#include "pipe/ref.h"

namespace terrazzo::soft {

/// The part of an image that a pass draws to. Squares at a right or upper border cover only the pass' pixels,
/// so bounds are only valid for passes of the same size.
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

/// 64 bytes per tile of 64x64 pixels: 1/256 of a depth buffer with 32 bits and one sample.
class TileBounds final : public pipe::RefCounted {
  public:
    /// kBoundsPerTile per tile. Written by the thread that draws the tile.
    [[nodiscard]] float* data() const { return depth_.get(); }
    /// The pass is done. Thread: any.
    void end_use() { uses_.fetch_sub(1, std::memory_order_release); }

  private:
    friend class KeptBounds;
    TileBounds(const BoundedPart& part, std::unique_ptr<float[]> depth)
        : part_(part), depth_(std::move(depth)) {}
    ~TileBounds() override = default;

    const BoundedPart part_;
    const std::unique_ptr<float[]> depth_;
    const void* owner_ = nullptr;
    std::atomic<uint32_t> uses_{0};  // unfinished passes, all of the owner
};

/// The bounds of an image. Thread: any.
class KeptBounds {
  public:
    /// For a pass that is about to be submitted: the known bounds, or new ones without information. `owner`
    /// executes its passes in order. end_use() must follow. Null: out of memory.
    [[nodiscard]] pipe::Ref<TileBounds> acquire(const BoundedPart& part, size_t tiles, const void* owner);
    /// Called by other writers of the image. Bounds of passes in flight are no longer shared.
    void forget();

  private:
    std::mutex mutex_;
    std::atomic<bool> any_{false};
    std::vector<pipe::Ref<TileBounds>> all_;  // their parts do not overlap
};

}  // namespace terrazzo::soft
