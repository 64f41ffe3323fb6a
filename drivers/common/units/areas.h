// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A framebuffer divided into square areas: lists of the primitives that touch each area, and a run over all
// areas on several threads. Areas are independent, so results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "drivers/common/threads/worker_pool.h"
#include "pipe/raster/edge.h"

namespace terrazzo::units {

/// The smallest rectangle that contains both.
inline pipe::raster::PixelRect joined(const pipe::raster::PixelRect& a, const pipe::raster::PixelRect& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

/// The areas that some of a draw's primitives touch, in the order of the primitives. A draw can be divided
/// into parts, each with a list of its own, so that several threads work at the same time.
class AreaList {
  public:
    /// `area_px` is a power of two.
    void begin(int32_t area_px) {
        entries_.clear();
        bounds_ = {};
        log2_ = std::countr_zero(uint32_t(area_px));
    }
    /// The rectangle must not begin below 0.
    void add(const pipe::raster::PixelRect& r, uint32_t primitive) {
        if (r.empty()) return;
        bounds_ = joined(bounds_, r);
        const int32_t x0 = r.x0 >> log2_, y0 = r.y0 >> log2_, x1 = (r.x1 - 1) >> log2_,
                      y1 = (r.y1 - 1) >> log2_;
        if (x1 - x0 >= kFew || y1 - y0 >= kFew) return entries_.push_back({kMany, 0, primitive});
        for (int32_t y = y0; y <= y1; ++y)
            for (int32_t x = x0; x <= x1; ++x)
                entries_.push_back({x, y, primitive});
    }
    /// The smallest rectangle that contains all rectangles that were added.
    const pipe::raster::PixelRect& bounds() const { return bounds_; }
    size_t size() const { return entries_.size(); }

  private:
    friend class AreaBins;
    static constexpr int32_t kFew = 4;    // a rectangle with more columns or rows of areas is one entry
    static constexpr int32_t kMany = -1;  // `x` of such an entry: all areas of the primitive's rectangle
    struct Entry {
        int32_t x, y;  // the area's column and row
        uint32_t primitive;
    };
    std::vector<Entry> entries_;
    pipe::raster::PixelRect bounds_;
    int32_t log2_ = 5;
};

/// Lists of primitives for each area, in the order in which they were added. The memory is reused in the next
/// run.
class AreaBins {
  public:
    /// `bounds` must not be empty, nor begin below 0; `area_px` is a power of two.
    void begin(const pipe::raster::PixelRect& bounds, int32_t area_px) {
        for (const uint32_t a : used_)
            bins_[a].clear();
        used_.clear();
        bounds_ = bounds;
        log2_ = std::countr_zero(uint32_t(area_px));
        x0_ = bounds.x0 >> log2_;
        y0_ = bounds.y0 >> log2_;
        columns_ = ((bounds.x1 - 1) >> log2_) + 1 - x0_;
        rows_ = ((bounds.y1 - 1) >> log2_) + 1 - y0_;
        if (bins_.size() < count()) bins_.resize(count());
    }
    unsigned count() const { return unsigned(columns_) * unsigned(rows_); }
    /// Adds a primitive to each area that the rectangle touches. The caller may have clipped the rectangle.
    /// Returns the number of areas.
    size_t add(const pipe::raster::PixelRect& rect, uint32_t primitive) {
        const pipe::raster::PixelRect r = pipe::raster::intersect(rect, bounds_);
        if (r.empty()) return 0;
        size_t areas = 0;
        for (int32_t y = r.y0 >> log2_; y <= (r.y1 - 1) >> log2_; ++y)
            for (int32_t x = r.x0 >> log2_; x <= (r.x1 - 1) >> log2_; ++x, ++areas)
                add_to(x, y, primitive);
        return areas;
    }
    /// Adds the entries of a list from number *at on, and advances *at. Stops when at least `most` areas were
    /// added. The bounds of the bins must contain those of the list, and both must have the same area size.
    /// rect_of(primitive) returns the rectangle that was listed. Returns the number of areas.
    template <class RectOf>
    size_t add(const AreaList& list, size_t* at, size_t most, RectOf&& rect_of) {
        size_t areas = 0;
        for (; *at < list.entries_.size() && areas < most; ++*at) {
            const AreaList::Entry& e = list.entries_[*at];
            if (e.x == AreaList::kMany)
                areas += add(rect_of(e.primitive), e.primitive);
            else
                add_to(e.x, e.y, e.primitive), ++areas;
        }
        return areas;
    }
    const std::vector<uint32_t>& primitives(unsigned area) const { return bins_[area]; }
    /// The areas with primitives, in the order of their first ones.
    const std::vector<uint32_t>& used() const { return used_; }
    int32_t x(unsigned area) const { return (x0_ + int32_t(area) % columns_) << log2_; }
    int32_t y(unsigned area) const { return (y0_ + int32_t(area) / columns_) << log2_; }
    /// The area inside of the bounds.
    pipe::raster::PixelRect rect(unsigned area) const {
        const int32_t size = 1 << log2_;
        return pipe::raster::intersect(bounds_, {x(area), y(area), x(area) + size, y(area) + size});
    }

  private:
    void add_to(int32_t x, int32_t y, uint32_t primitive) {
        const auto a = uint32_t((y - y0_) * columns_ + x - x0_);
        if (bins_[a].empty()) used_.push_back(a);
        bins_[a].push_back(primitive);
    }
    pipe::raster::PixelRect bounds_;
    int32_t log2_ = 5, x0_ = 0, y0_ = 0, columns_ = 0, rows_ = 0;
    std::vector<std::vector<uint32_t>> bins_;
    std::vector<uint32_t> used_;
};

enum class AreaResult : uint8_t { Done, Failed, Stopped };

/// The number of threads that pays off: a thread costs more than some areas with few primitives.
inline unsigned area_threads(unsigned areas, size_t primitives, unsigned allowed) {
    constexpr unsigned kFewPrimitives = 64, kAreasAThread = 16, kMost = 63;
    const unsigned worth = primitives < kFewPrimitives ? areas / kAreasAThread : areas;
    return std::clamp(std::min(allowed, worth), 1u, kMost);
}

/// Calls run(worker, n, &failure) for each n below `count`, on `threads` threads of the process's pool, which
/// has `pool_threads`. begin(worker) is called before a worker's first run, and must not throw. run() may
/// return Failed, with a failure, or Stopped; or throw std::bad_alloc, which out_of_memory(&failure) reports.
/// should_stop() is called before each run. Of several failures, that of the lowest n is reported.
template <class Failure, class Begin, class Run, class OutOfMemory, class Stop>
AreaResult run_areas(unsigned count, unsigned threads, unsigned pool_threads,
                     std::shared_ptr<threads::WorkerPool>* pool, Begin&& begin, Run&& run,
                     OutOfMemory&& out_of_memory, Stop&& should_stop, Failure* failure) {
    const auto try_run = [&](unsigned worker, unsigned n, Failure* mine) {
        try {
            return run(worker, n, mine);
        } catch (const std::bad_alloc&) {  // exceptions must not leave a thread
            out_of_memory(mine);
            return AreaResult::Failed;
        }
    };
    std::atomic<unsigned> next{0}, failed{count};
    std::atomic<bool> stopped{false};
    std::mutex lock;
    auto work = [&](unsigned worker) {
        begin(worker);
        for (unsigned n; (n = next.fetch_add(1)) < count;) {
            if (n > failed.load() || stopped.load()) return;
            Failure mine;
            const AreaResult r = should_stop() ? AreaResult::Stopped : try_run(worker, n, &mine);
            if (r == AreaResult::Done) continue;
            if (r == AreaResult::Stopped) {
                stopped = true;
                return;
            }
            const std::lock_guard guard(lock);
            if (n >= failed.load()) continue;
            failed = n;
            *failure = std::move(mine);
        }
    };
    if (threads > 1) {
        *pool = threads::WorkerPool::acquire(pool_threads);
        (*pool)->run(threads, work);
    } else {
        work(0);
    }
    if (failed.load() < count) return AreaResult::Failed;
    return stopped.load() ? AreaResult::Stopped : AreaResult::Done;
}

}  // namespace terrazzo::units
