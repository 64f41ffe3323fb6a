// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work that a context records between two submissions: three command streams, the memory to which they
// point, the objects that must live until the streams have run, and the fences for which the streams must
// wait. Used by one thread at a time.
//
// drivers/common/submission/job_order.h orders the queues' jobs. The vertex queue signals its number at the
// end of each pass, the other queues where a wait requires it.
#pragma once

#include <deque>
#include <vector>

#include "drivers/common/submission/queued_recording.h"
#include "drivers/mali/images/resource.h"
#include "drivers/mali/stream/cs_builder.h"
#include "drivers/mali/submission/queues.h"
#include "drivers/mali/submission/tiler_oom.h"

namespace terrazzo::mali {

using submission::VaRange;

class Recorder final : public submission::VendorRecording<Device, Queues, CsBuilder, kQueueCount> {
  public:
    /// Throws std::bad_alloc.
    Recorder(pipe::Ref<Device> device, std::unique_ptr<Queues> queues);

    CsBuilder &vertex = stream(QueueKind::VertexTiler), &fragment = stream(QueueKind::Fragment),
              &compute = stream(QueueKind::Compute);

    /// Emits the state that a queue needs before its first work in a group, and keeps: slots, resources, the
    /// heap.
    void open_vertex();
    void open_fragment();
    /// Emits the waits and flushes into the queue's stream after which `needs` are met.
    void meet(QueueKind q, const Needs& needs) { order_.meet(*this, size_t(q), needs); }
    /// Ends the vertex queue's part of a pass in the vertex stream.
    void signal_vertex();
    /// The fragment stream waits for all vertex work so far.
    void await_vertex() { follow_all(QueueKind::Fragment, QueueKind::VertexTiler); }
    /// The fragment queue's number for which the out-of-memory handler (tiler_oom.h) must wait before it
    /// reuses the heap and, if it `draws`, before work with `needs`; 0: none. `flushes`: the handler must
    /// flush before it draws.
    [[nodiscard]] uint64_t signal_handler(const Needs& needs, bool draws, bool* flushes);

    /// Called before and after RUN_COMPUTEs in the compute stream, outside of passes. Of the compute queue
    /// itself, only jobs that access the same memory are waited for.
    struct Touched {
        LastJobs* jobs = nullptr;  // of an image; null: memory that only compute jobs access
        VaRange range;
    };
    /// `buffer`: vertex work may access what is written. It notes no reads of buffers, so all of it counts.
    void begin_compute(const Touched& reads, const Touched& writes, bool buffer = false);
    /// Called before the job of an application's compute shader, or of a capture: it may access any buffer,
    /// and waits for all work that may have accessed one, and for `needs`. Ends with end_compute().
    void begin_dispatch(Needs needs);
    [[nodiscard]] uint64_t compute_job() const { return compute_job_; }
    void end_compute();
    /// Fragment shaders of this recording, and maybe of later ones, read buffers.
    void note_fragment_buffers() { fragments_read_buffers_ = true; }
    /// A fragment job, whose number is `job`, stores to buffers.
    void note_fragment_stores(uint64_t job) { fragment_store_job_ = job; }
    /// Later vertex work waits for all writes of buffers; for those of fragment shaders since a memory
    /// barrier.
    void await_buffers();
    void memory_barrier() { awaited_store_job_ = fragment_store_job_; }

    /// Emits RUN_FRAGMENT, whose registers must be set. `tiler_va`: the tiler context that it draws, whose
    /// heap chunks are freed after it; 0: none.
    void run_fragment(uint64_t job, uint64_t tiler_va);
    /// Between fragment jobs whose shaders may store to the same memory: the second waits for the first, and
    /// sees its stores.
    void separate_fragment_jobs() {
        wait_for_own(size_t(QueueKind::Fragment));
        flush(size_t(QueueKind::Fragment));
    }

    /// The address of a LocalStorage descriptor with at least `tls_B` bytes a thread. Throws std::bad_alloc.
    [[nodiscard]] uint64_t local_storage(uint32_t tls_B);
    /// As above, with memory of workgroups: `size_B` for each of as many as may run on a core at a time
    /// (`instances`; the hardware holds back the others). Until the next dispatch, which waits for this one.
    [[nodiscard]] uint64_t workgroup_storage(uint32_t tls_B, uint32_t size_B, uint32_t instances);

    /// The table of sample positions for FramebufferParameters.
    [[nodiscard]] uint64_t sample_locations_va(uint32_t samples) const;

    void retire() override;
    /// Once the recorded work ran, reports (Device::slow) if the out-of-memory handler drew parts of that
    /// pass.
    void watch_heap(const uint8_t* oom_context) { watched_.push_back(oom_context); }

  private:
    struct Watched {
        uint64_t point;
        std::vector<const uint8_t*> contexts;
    };
    void finish_streams() override;
    [[nodiscard]] uint64_t submit_streams(const submission::Needs& needs) override;
    void begin_streams(bool ran) override;
    void tell_exhausted(const Watched& w) const;
    void begin();
    void forget_streams();
    void meet_fragments(Needs* needs) const;
    [[nodiscard]] Block create_sample_locations();
    [[nodiscard]] CsBuilder& stream(QueueKind q) { return builders_[size_t(q)]; }
    void open_compute();
    // --- required by submission::JobOrder
    friend submission::JobOrder<kQueueCount>;
    void wait_for_own(size_t q) { builders_[q].wait(1u << kSlotIterators); }
    void wait_for(size_t q, size_t other, uint64_t number);
    void signal(size_t q, bool runs);
    void flush(size_t q);

    /// The queue waits for all jobs of `other` so far.
    void follow_all(QueueKind q, QueueKind other) {
        order_.follow(*this, size_t(q), size_t(other), order_.last(size_t(other)));
    }
    void add_number(size_t q, uint32_t wait_mask);
    /// The scoreboard slots of the fragment stream's work that may not have ended.
    [[nodiscard]] uint32_t fragment_slots() const;
    void flush_caches(size_t q, bool for_host, uint32_t wait_mask = 0);

    const std::unique_ptr<TilerOomHandler> oom_handler_ = TilerOomHandler::create(device());
    const Block sample_locations_ = create_sample_locations();
    std::array<Stream, kQueueCount> streams_;  // between finish_streams() and submit_streams()
    std::vector<const uint8_t*> watched_;      // OomContexts in pool memory
    std::deque<Watched> watched_in_flight_;
    bool vertex_open_ = false, fragment_open_ = false, compute_open_ = false;  // in the current group
    bool freeing_heap_ = false;  // FINISH_FRAGMENT may be under way
    uint32_t generation_ = queue().generation();
    submission::JobOrder<kQueueCount> order_;
    submission::JobRanges computed_;
    uint64_t compute_job_ = 0;  // between begin_compute() and end_compute()
    uint64_t buffer_job_ = 0;   // the last job of the compute queue that wrote a buffer
    // The last fragment job that stored to buffers, and the one that vertex work waits for.
    uint64_t fragment_store_job_ = 0, awaited_store_job_ = 0;
    bool fragments_read_buffers_ = false;
    uint64_t local_storage_va_ = 0;
    uint32_t local_storage_B_ = 0;
    [[nodiscard]] hw::LocalStorage thread_storage(uint32_t* tls_B);
    [[nodiscard]] uint64_t put_storage(const hw::LocalStorage& d);
    pipe::Ref<Bo> tls_, wls_;
};

}  // namespace terrazzo::mali
