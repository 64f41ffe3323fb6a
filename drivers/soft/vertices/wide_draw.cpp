// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/vertices/wide_draw.h"

#include <algorithm>
#include <new>

#include "pipe/screen.h"

namespace terrazzo::soft {

WideDraw::WideDraw(pipe::Ref<ThreadPool> pool, std::pmr::memory_resource* memory)
    : pool_(std::move(pool)),
      queue_(pipe::Ref<JobQueue>::adopt(new JobQueue(pool_))),
      memory_(memory),
      workers_(pool_->threads()),
      parts_(size_t(pool_->threads()) * kPartsPerThread) {}

WideDraw::~WideDraw() {
    queue_->close();
}

void WideDraw::record(Worker& w, Part& part) const {
    const Pass& pass = *call_->setup.pass;
    if (w.bins.count() != pass.bin_count() || w.bins.tiles_x() != pass.job().tiles_x)
        w.bins.resize(pass.job().tiles_x, pass.tiles_y(), pass.layers());
    if (has_arrays_) w.stage.memory().reserve_arrays();
    DrawCall call = *call_;
    call.setup.bins = &w.bins;
    call.relieve = nullptr;
    draw_batches(call, w.stage, *all_, part.begin, part.end);
    part.failed = call.overflow;
    if (call.overflow) return;
    part.work_px = w.bins.work_px();
    w.bins.take(&part.lists);
}

void WideDraw::work(unsigned worker, TileWorker&) {
    std::unique_ptr<Worker>& w = workers_[worker];
    for (uint32_t i; next(worker, &i);) {
        Part& part = parts_[i];
        part.failed = true;
        try {
            if (!w) w = std::make_unique<Worker>(memory_);
            record(*w, part);
        } catch (const std::bad_alloc&) {
            part.failed = true;
        }
        if (part.failed && w) w->bins.drop();
    }
}

/// Appends the parts before the first that failed to the pass. False: a part failed; its batches and those
/// after it are missing.
bool WideDraw::merge(Pass& pass) {
    bool all = true;
    for (uint32_t i = 0; i < items_ && (all = !parts_[i].failed); ++i) {
        pass.bins().append(parts_[i].lists);
        pass.bins().add_work(parts_[i].work_px);
    }
    for (const std::unique_ptr<Worker>& w : workers_)
        if (w && w->bins.arena().used_B()) pass.keep_memory(w->bins.arena());
    return all;
}

uint64_t WideDraw::draw(DrawCall& call, Pass& pass, const Batches& all, bool has_arrays) {
    if (!pool_->start()) return 0;
    call_ = &call;
    all_ = &all;
    has_arrays_ = has_arrays;
    const uint64_t batches = std::max(1u, kPartPrimitives / std::min(all.prims, all.per_batch));
    uint64_t done = 0;
    while (done < all.total && !call.ended) {
        uint32_t n = 0;
        for (uint64_t at = done; at < all.total && n < parts_.size(); ++n) {
            parts_[n].begin = at;
            parts_[n].end = at = at + std::min(batches, all.total - at);
        }
        if (n < 2) break;
        items_ = n;
        (void)queue_->wait(pool_->add(*queue_, *this), pipe::Fence::kForever);
        const bool complete = merge(pass);
        const uint64_t drawn = std::min<uint64_t>((parts_[n - 1].end - done) * all.per_batch, UINT32_MAX);
        call.ended = !call.patience.goes_on(*call.inputs.watch, uint32_t(drawn));
        if (!complete) {
            for (uint32_t i = 0; !parts_[i].failed; ++i)
                done = parts_[i].end;
            break;
        }
        done = parts_[n - 1].end;
        if (pass.full()) call.relieve(call.relieve_data, &call.setup);
    }
    return done;
}

}  // namespace terrazzo::soft
