// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/kept_bounds.h"

#include <algorithm>
#include <new>

#include "drivers/soft/binning/raster_types.h"

namespace terrazzo::soft {

pipe::Ref<TileBounds> KeptBounds::acquire(const BoundedPart& part, size_t tiles, const void* owner) {
    const std::lock_guard lock(mutex_);
    pipe::Ref<TileBounds> b;
    std::erase_if(all_, [&](const pipe::Ref<TileBounds>& old) {
        if (!old->part_.overlaps(part)) return false;
        const bool ordered = old->owner_ == owner || !old->uses_.load(std::memory_order_acquire);
        if (ordered && old->part_ == part) b = old;
        return true;
    });
    try {
        if (!b) {
            auto depth = std::make_unique_for_overwrite<float[]>(tiles * kBoundsPerTile);
            std::fill_n(depth.get(), tiles * kBoundsPerTile, kNoBound);
            b = pipe::Ref<TileBounds>::adopt(new TileBounds(part, std::move(depth)));
        }
        all_.push_back(b);
        any_.store(true, std::memory_order_relaxed);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    b->owner_ = owner;
    b->uses_.fetch_add(1, std::memory_order_relaxed);
    return b;
}

void KeptBounds::forget() {
    // If another thread submitted a pass that this writer must follow, their synchronisation makes any_
    // visible here without the lock.
    if (!any_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    all_.clear();
    any_.store(false, std::memory_order_relaxed);
}

}  // namespace terrazzo::soft
