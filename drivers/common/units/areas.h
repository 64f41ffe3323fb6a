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
#include <span>
#include <utility>
#include <vector>

#include "drivers/common/threads/worker_pool.h"
#include "pipe/raster/edge.h"

namespace terrazzo::units {

/// Lists of primitives for each area, in order. The primitives are divided into parts, which several threads
/// list at the same time. The memory is reused in the next run.
class AreaBins {
  public:
    /// `bounds` must not begin below 0; `area_px` is a power of two. `workers`: threads that call add().
    void begin(const pipe::raster::PixelRect& bounds, int32_t area_px, size_t parts, unsigned workers) {
        bounds_ = bounds;
        log2_ = std::countr_zero(uint32_t(area_px));
        x0_ = bounds.x0 >> log2_;
        y0_ = bounds.y0 >> log2_;
        columns_ = bounds.empty() ? 0 : ((bounds.x1 - 1) >> log2_) + 1 - x0_;
        rows_ = bounds.empty() ? 0 : ((bounds.y1 - 1) >> log2_) + 1 - y0_;
        for (const uint32_t a : used_)
            bins_[a].used = false, bins_[a].slices.clear();
        used_.clear();
        large_.clear();
        if (bins_.size() < count()) bins_.resize(count());
        part_count_ = parts;
        most_listed_ = kMostListed / std::max<size_t>(parts, 1);
        if (parts_.size() < parts) parts_.resize(parts);
        if (writers_.size() < workers) writers_.resize(workers);
        for (unsigned n = 0; n < workers; ++n)
            writers_[n].begin(count());
    }
    unsigned count() const { return unsigned(columns_) * unsigned(rows_); }
    /// Adds a primitive to each area that the rectangle touches, in the part that the worker lists. The
    /// numbers of primitives must increase, also from part to part.
    void add(unsigned worker, const pipe::raster::PixelRect& rect, uint32_t primitive) {
        const pipe::raster::PixelRect r = pipe::raster::intersect(rect, bounds_);
        if (r.empty()) return;
        Writer& w = writers_[worker];
        const int32_t x0 = r.x0 >> log2_, y0 = r.y0 >> log2_, x1 = (r.x1 - 1) >> log2_,
                      y1 = (r.y1 - 1) >> log2_;
        const int64_t areas = int64_t(x1 - x0 + 1) * (y1 - y0 + 1);
        if (areas > kFew || w.entries.size() + size_t(areas) > most_listed_)
            return w.large.push_back({r, primitive});
        for (int32_t y = y0; y <= y1; ++y)
            for (int32_t x = x0; x <= x1; ++x)
                w.add(uint32_t((y - y0_) * columns_ + x - x0_), primitive);
    }
    /// The worker has added all primitives of part `n`.
    void end_part(unsigned worker, size_t n) { writers_[worker].end(&parts_[n]); }
    /// Puts the parts together, after the last one.
    void join() {
        // A primitive adds and subtracts 1 at the corners of its rectangle. The sum of all entries above and
        // to the left of an area, with its own, is the number of large primitives that touch it.
        const size_t stride = size_t(columns_) + 1;
        for (size_t n = 0; n < part_count_; ++n) {
            const Part& part = parts_[n];
            for (const Slice& s : part.slices)
                use(s.area).slices.push_back(
                    {part.primitives.data() + s.begin, part.primitives.data() + s.end});
            if (!part.large.empty() && large_.empty()) touched_.assign(stride * (size_t(rows_) + 1), 0);
            for (const Large& l : part.large) {
                large_.push_back(l);
                const auto x0 = size_t((l.rect.x0 >> log2_) - x0_),
                           x1 = size_t(((l.rect.x1 - 1) >> log2_) + 1 - x0_),
                           y0 = size_t((l.rect.y0 >> log2_) - y0_),
                           y1 = size_t(((l.rect.y1 - 1) >> log2_) + 1 - y0_);
                ++touched_[y0 * stride + x0], --touched_[y0 * stride + x1];
                --touched_[y1 * stride + x0], ++touched_[y1 * stride + x1];
            }
        }
        for (size_t y = 0; y < size_t(rows_) && !large_.empty(); ++y) {
            int64_t here = 0;
            for (size_t x = 0; x < size_t(columns_); ++x) {
                here += touched_[y * stride + x];
                touched_[(y + 1) * stride + x] += touched_[y * stride + x];
                if (here > 0) use(uint32_t(y * size_t(columns_) + x));
            }
        }
    }
    /// After join(): the primitives of an area. Thread: any.
    void primitives(unsigned area, std::vector<uint32_t>* out) const {
        out->clear();
        const pipe::raster::PixelRect r = rect(area);
        auto large = large_.begin();
        const auto add_large = [&](uint32_t before) {
            for (; large != large_.end() && large->primitive < before; ++large)
                if (!pipe::raster::intersect(large->rect, r).empty()) out->push_back(large->primitive);
        };
        for (const std::span<const uint32_t> slice : bins_[area].slices)
            for (const uint32_t primitive : slice) {
                add_large(primitive);
                out->push_back(primitive);
            }
        add_large(~0u);
    }
    /// The areas with primitives.
    const std::vector<uint32_t>& used() const { return used_; }
    int32_t x(unsigned area) const { return (x0_ + int32_t(area) % columns_) << log2_; }
    int32_t y(unsigned area) const { return (y0_ + int32_t(area) / columns_) << log2_; }
    /// The area inside of the bounds.
    pipe::raster::PixelRect rect(unsigned area) const {
        const int32_t size = 1 << log2_;
        return pipe::raster::intersect(bounds_, {x(area), y(area), x(area) + size, y(area) + size});
    }

  private:
    /// A primitive in more areas than this is not listed by area. Each area looks at all of these.
    static constexpr int64_t kFew = 64;
    /// The most numbers in all lists. Primitives that find no room are treated as large ones.
    static constexpr size_t kMostListed = size_t(1) << 24;
    struct Large {
        pipe::raster::PixelRect rect;
        uint32_t primitive;
    };
    struct Slice {
        uint32_t area;
        uint32_t begin, end;  // of Part::primitives
    };
    struct Part {
        std::vector<uint32_t> primitives;  // area by area
        std::vector<Slice> slices;
        std::vector<Large> large;
    };
    /// Sorts the primitives of a part by areas.
    struct Writer {
        struct Entry {
            uint32_t area, primitive;
        };
        std::vector<Entry> entries;
        std::vector<Slice> slices;       // in the order of the areas' first primitives; `end` counts them
        std::vector<uint32_t> slice_of;  // of each area; 0: none, otherwise counted from 1
        std::vector<Large> large;

        void begin(unsigned areas) {
            clear();  // what a failed run has left
            if (slice_of.size() < areas) slice_of.resize(areas);
        }
        void clear() {
            for (const Slice& s : slices)
                slice_of[s.area] = 0;
            entries.clear();
            slices.clear();
            large.clear();
        }
        void add(uint32_t area, uint32_t primitive) {
            entries.push_back({area, primitive});
            if (!slice_of[area]) {
                slices.push_back({area, 0, 0});
                slice_of[area] = uint32_t(slices.size());
            }
            ++slices[slice_of[area] - 1].end;
        }
        void end(Part* out) {
            uint32_t all = 0;
            for (Slice& s : slices) {
                s.begin = all;
                all += std::exchange(s.end, all);
            }
            out->primitives.resize(all);
            for (const Entry& e : entries)
                out->primitives[slices[slice_of[e.area] - 1].end++] = e.primitive;
            out->slices = slices;
            out->large = large;
            clear();
        }
    };
    struct Bin {
        bool used = false;
        std::vector<std::span<const uint32_t>> slices;  // of the parts
    };
    Bin& use(uint32_t area) {
        Bin& b = bins_[area];
        if (!b.used) used_.push_back(area);
        b.used = true;
        return b;
    }

    pipe::raster::PixelRect bounds_;
    int32_t log2_ = 5, x0_ = 0, y0_ = 0, columns_ = 0, rows_ = 0;
    std::vector<Writer> writers_;
    std::vector<Part> parts_;  // of which the first part_count_ are in use
    size_t part_count_ = 0;
    size_t most_listed_ = 0;  // of a part
    std::vector<Large> large_;
    std::vector<int64_t> touched_;  // by rows of columns_ + 1
    std::vector<Bin> bins_;
    std::vector<uint32_t> used_;
};

enum class AreaResult : uint8_t { Done, Failed, Stopped };

/// The number of threads that pays off: a thread costs more than some areas with few primitives.
inline unsigned area_threads(unsigned areas, size_t primitives, unsigned allowed) {
    constexpr unsigned kFewPrimitives = 64, kAreasAThread = 16, kMost = 63;
    const unsigned worth = primitives < kFewPrimitives ? areas / kAreasAThread : areas;
    return std::clamp(std::min(allowed, worth), 1u, kMost);
}

/// `count` threads of the process's pool, which has `in_pool`.
struct AreaThreads {
    unsigned count, in_pool;
    std::shared_ptr<threads::WorkerPool>* pool;
};

/// Calls run(worker, n, &failure) for each n below `count`, on several threads. run() returns false with a
/// failure, or if should_stop(), which is also called before each run (then *failure is what run() wrote);
/// or throws std::bad_alloc, which out_of_memory(&failure) reports. Of several failures, that of the lowest
/// n is reported. begin(worker) is called before a worker's first run, and must not throw.
template <class Failure, class Run, class OutOfMemory, class Stop, class Begin>
AreaResult run_areas(unsigned count, const AreaThreads& on, Run&& run, OutOfMemory&& out_of_memory,
                     Stop&& should_stop, Failure* failure, Begin&& begin) {
    const auto try_run = [&](unsigned worker, unsigned n, Failure* mine, bool* ran) {
        if (should_stop()) return AreaResult::Stopped;
        *ran = true;
        try {
            if (run(worker, n, mine)) return AreaResult::Done;
            return should_stop() ? AreaResult::Stopped : AreaResult::Failed;
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
            bool ran = false;
            const AreaResult r = try_run(worker, n, &mine, &ran);
            if (r == AreaResult::Done) continue;
            if (r == AreaResult::Stopped) {
                stopped = true;
                const std::lock_guard guard(lock);
                if (ran && failed.load() == count) *failure = std::move(mine);
                return;
            }
            const std::lock_guard guard(lock);
            if (n >= failed.load()) continue;
            failed = n;
            *failure = std::move(mine);
        }
    };
    if (on.count > 1) {
        *on.pool = threads::WorkerPool::acquire(on.in_pool);
        (*on.pool)->run(on.count, work);
    } else {
        work(0);
    }
    if (failed.load() < count) return AreaResult::Failed;
    return stopped.load() ? AreaResult::Stopped : AreaResult::Done;
}
/// The same without begin().
template <class Failure, class Run, class OutOfMemory, class Stop>
AreaResult run_areas(unsigned count, const AreaThreads& on, Run&& run, OutOfMemory&& out_of_memory,
                     Stop&& should_stop, Failure* failure) {
    return run_areas(count, on, run, out_of_memory, should_stop, failure, [](unsigned) {});
}

}  // namespace terrazzo::units
