// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/pass_queue.h"

#include <algorithm>
#include <new>
#include <utility>

#include "drivers/soft/binning/pipeline_limits.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

namespace {

/// With fewer fragments, waking a thread costs more than it saves.
constexpr uint64_t kParallelWork_px = 16 * 1024;
/// The size of a pass when other threads draw: submitting has a cost, too, and more threads need more tiles.
constexpr size_t kSharedRecord_B = size_t(2) << 20, kRecordOfThread_B = size_t(512) << 10;

}  // namespace

void PassQueue::Job::work(unsigned worker, TileWorker& scratch) {
    scratch.samples = pass.samples_of(worker);
    scratch.edge = pass.edge_room_of(worker);
    bool ok = true;
    for (uint32_t i; next(worker, &i);) {
        if (i == 0) time_.begin_tiles();
        ok &= pass.run_tile(run_tile, i, scratch);
    }
    if (!ok) failed.store(true, std::memory_order_relaxed);
}

size_t PassQueue::limit_B(const ThreadPool& pool) {
    return pool.threads() > 1 ? std::max(kSharedRecord_B, pool.threads() * kRecordOfThread_B)
                              : kMaxRecorded_B;
}

PassQueue::PassQueue(pipe::Ref<ThreadPool> pool, RunTileFn run_tile, TimeLimit& limit,
                     const ForeignUses& uses, std::pmr::memory_resource* memory, bool bounded)
    : queue_(pipe::Ref<JobQueue>::adopt(new JobQueue(pool))),
      pool_(*pool),
      run_tile_(run_tile),
      time_(limit),
      uses_(uses),
      threads_(pool->threads()),
      jobs_{{memory, limit_B(*pool), bounded, limit},
            {memory, limit_B(*pool), bounded, limit},
            {memory, limit_B(*pool), bounded, limit}} {
    for (Job& j : jobs_)
        j.run_tile = run_tile;
}

PassQueue::~PassQueue() {
    (void)queue_->wait(last_, pipe::Fence::kForever);
    queue_->close();
}

void PassQueue::reap() {
    for (Job& j : jobs_) {
        if (!j.seq || !queue_->done(j.seq)) continue;
        j.seq = 0;
        if (j.failed.exchange(false, std::memory_order_relaxed)) failed_ = true;
        j.pass.forget();
        j.pass.detach();
    }
}

bool PassQueue::take_failure() {
    return std::exchange(failed_, false);
}

PassQueue::Job& PassQueue::free_job() {
    while (true) {
        reap();
        Job* oldest = jobs_;
        for (Job& j : jobs_) {
            if (!j.seq) return j;
            if (j.seq < oldest->seq) oldest = &j;
        }
        (void)queue_->wait(oldest->seq, pipe::Fence::kForever);
    }
}

void PassQueue::draw_here(Pass& pass) {
    pass.prepare(1, time_.watch(), this, uses_);
    time_.begin_tiles();
    TileWorker& worker = queue_->scratch.tile;
    worker.args.arrays = queue_->scratch.memory.arrays();
    worker.samples = pass.samples_of(0);
    worker.edge = pass.edge_room_of(0);
    for (uint32_t i = 0; i < pass.tile_count(); ++i)
        if (!pass.run_tile(run_tile_, i, worker)) failed_ = true;
    time_.end_tiles();
    pass.finish();
    pass.forget();
}

void PassQueue::submit(Pass& pass, bool goes_on) {
    const bool alone = idle() && (threads_ == 1 || pass.work_px() < kParallelWork_px);
    if (alone || !pool_.start()) {
        reap();
        draw_here(pass);
        if (!goes_on) pass.detach();
        return;
    }
    Job& job = free_job();
    if (goes_on) pass.attach_next(&job.pass);
    pass.prepare(threads_, time_.watch(), this, uses_);
    std::swap(pass, job.pass);
    job.set_items(job.pass.tile_count());
    job.seq = last_ + 1;
    job.pass.set_seq_of_queries(job.seq);
    last_ = pool_.add(*queue_, job);
}

void PassQueue::wait(uint64_t seq) {
    (void)queue_->wait(seq, pipe::Fence::kForever);
    reap();
}

uint64_t PassQueue::last_use(const pipe::Resource& r, bool also_read) const {
    uint64_t seq = 0;
    for (const Job& j : jobs_)
        if (j.seq > seq && (j.pass.writes(r) || (also_read && j.pass.reads(r)))) seq = j.seq;
    return seq;
}

}  // namespace terrazzo::soft
