// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The passes of a context that wait to be drawn or are being drawn, in order. If the queue is empty, the
// caller draws a small pass at once: waking a thread would cost more. Only the recording thread uses the
// tables here; workers use the jobs.
#pragma once

#include "drivers/soft/passes/pass.h"
#include "drivers/soft/screen/thread_pool.h"
#include "drivers/soft/screen/time_limit.h"

namespace terrazzo::soft {

class PassQueue {
  public:
    /// `limit` and `uses` must outlive it. Throws std::bad_alloc.
    PassQueue(pipe::Ref<ThreadPool> pool, RunTileFn run_tile, TimeLimit& limit, const ForeignUses& uses,
              std::pmr::memory_resource* memory, bool bounded);
    /// The size of a pass in this queue: small enough that workers start early.
    [[nodiscard]] static size_t limit_B(const ThreadPool& pool);
    ~PassQueue();
    PassQueue(const PassQueue&) = delete;
    PassQueue& operator=(const PassQueue&) = delete;

    /// Queues or draws the recorded work of `pass`. `pass` is then empty; it keeps its attachments if it
    /// `goes_on`, else it has none. Waits if too much is queued. If it throws std::bad_alloc, `pass` is
    /// unchanged.
    void submit(Pass& pass, bool goes_on);

    /// Whether the recorded work should be submitted while more is recorded: workers are idle and it is
    /// enough for them. A clear alone does not count: later draws may cover it while the tile is in the
    /// cache.
    [[nodiscard]] bool wants(const Pass& pass) const {
        return threads_ > 1 && pass.drawn_px() >= kEarlyWork_px && idle();
    }

    /// The number of the last pass; 0: there was none.
    [[nodiscard]] uint64_t last() const { return last_; }
    [[nodiscard]] bool done(uint64_t seq) const { return queue_->done(seq); }
    /// The same for a caller that polls: if no thread is available for this queue, the caller draws a tile.
    [[nodiscard]] bool poll(uint64_t seq) { return queue_->wait(seq, 0); }
    /// Draws tiles while it waits.
    void wait(uint64_t seq);
    /// The last unfinished pass that writes the image or, with `also_read`, samples it; 0: none.
    [[nodiscard]] uint64_t last_use(const pipe::Resource& r, bool also_read) const;
    /// Whether a pass could not be drawn because memory ran out, since the last call.
    [[nodiscard]] bool take_failure();
    [[nodiscard]] const pipe::Ref<JobQueue>& jobs() const { return queue_; }
    /// See ThreadPool::reserve_arrays.
    void reserve_arrays() { queue_->reserve_arrays(); }
    /// Releases the objects of finished passes.
    void reap();

  private:
    static constexpr unsigned kPasses = 3;  // waiting or being drawn
    static constexpr uint64_t kEarlyWork_px = 96 * 1024;

    class Job final : public PoolJob {
      public:
        Job(std::pmr::memory_resource* memory, size_t limit_B, bool bounded, TimeLimit& time)
            : pass(memory, limit_B, bounded), time_(time) {}
        void set_items(uint32_t n) { items_ = n; }

        Pass pass;
        RunTileFn run_tile = nullptr;
        uint64_t seq = 0;  // 0: free
        std::atomic<bool> failed{false};

      private:
        void work(unsigned worker, TileWorker& scratch) override;
        void finish() override {
            time_.end_tiles();
            pass.finish();
        }
        TimeLimit& time_;
    };

    [[nodiscard]] bool idle() const { return queue_->done(last_); }
    [[nodiscard]] Job& free_job();
    void draw_here(Pass& pass);

    const pipe::Ref<JobQueue> queue_;
    ThreadPool& pool_;
    const RunTileFn run_tile_;
    TimeLimit& time_;
    const ForeignUses& uses_;
    const unsigned threads_;
    Job jobs_[kPasses];
    uint64_t last_ = 0;
    bool failed_ = false;
};

}  // namespace terrazzo::soft
