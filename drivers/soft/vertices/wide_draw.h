// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Large draws, whose vertices are shaded, clipped and binned by all threads. The batches of a draw are cut
// into parts. Each part is recorded in bins of its thread, and the parts' lists are appended to the pass's in
// the order of the draw. The result is the same as if one thread had recorded it.
#pragma once

#include <memory>
#include <vector>

#include "drivers/soft/screen/thread_pool.h"
#include "drivers/soft/vertices/draw.h"

namespace terrazzo::soft {

class WideDraw final : PoolJob {
  public:
    /// Throws std::bad_alloc.
    WideDraw(pipe::Ref<ThreadPool> pool, std::pmr::memory_resource* memory);
    ~WideDraw() override;

    /// Whether the draw is large enough to wake threads.
    [[nodiscard]] static bool is_worth(const Batches& all, uint32_t instances) {
        return uint64_t(all.prims) * instances >= kMinPrimitives && all.total > 1;
    }
    /// Draws batches from 0 on into `pass`, which call.setup refers to, too. The draw must not capture or
    /// store to memory. Returns how many batches were drawn; one thread must draw the rest. Throws
    /// std::bad_alloc.
    [[nodiscard]] uint64_t draw(DrawCall& call, Pass& pass, const Batches& all, bool has_arrays);

  private:
    static constexpr uint64_t kMinPrimitives = 8192;
    static constexpr uint32_t kPartPrimitives = 2048, kPartsPerThread = 4;

    /// A thread's state.
    struct Worker {
        explicit Worker(std::pmr::memory_resource* memory) : bins(memory) {}
        VertexStage stage;
        Bins bins;
    };
    struct Part {
        uint64_t begin = 0, end = 0;  // batches
        bool failed = false;          // its bins are full, or out of memory
        uint64_t work_px = 0;
        std::vector<TileList> lists;
    };

    void work(unsigned worker, TileWorker& scratch) override;
    void finish() override {}
    void record(Worker& w, Part& part) const;
    [[nodiscard]] bool merge(Pass& pass);

    const pipe::Ref<ThreadPool> pool_;
    // Separate from the context's queue, so that earlier passes are drawn meanwhile.
    const pipe::Ref<JobQueue> queue_;
    std::pmr::memory_resource* const memory_;
    std::vector<std::unique_ptr<Worker>> workers_;  // each created by its own thread
    // The current draw:
    std::vector<Part> parts_;
    const DrawCall* call_ = nullptr;
    const Batches* all_ = nullptr;
    bool has_arrays_ = false;
};

}  // namespace terrazzo::soft
