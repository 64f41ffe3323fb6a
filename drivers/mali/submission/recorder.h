// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context records between two submissions: three command streams, the memory that they point to, and
// who must live and must be waited for until they have run. One thread.
//
// The queues know of each other's jobs by numbers: each stream's place knows which jobs of every queue have
// ended, and which of their results caches no longer hide (Known). Work says what it needs of that (Needs,
// from what images remember in LastJobs), and meet() writes what is missing: a WAIT for the queue's own jobs,
// a SYNC_WAIT for another's sequence number, which that one then gives, a flush. Who waits for a number knows
// what its giver knew. The vertex queue gives one at each pass' end, the others where somebody waits.
#pragma once

#include <deque>
#include <vector>

#include "drivers/common/submission/queued_recording.h"
#include "drivers/mali/images/resource.h"
#include "drivers/mali/submission/cs_builder.h"
#include "drivers/mali/submission/tiler_oom.h"

namespace terrazzo::mali {

struct VaRange {
    uint64_t begin = 0, end = 0;
    [[nodiscard]] bool meets(const VaRange& o) const { return begin < o.end && o.begin < end; }
};

class Recorder final : public submission::QueuedRecording {
  public:
    /// Throws std::bad_alloc.
    Recorder(pipe::Ref<Device> device, std::unique_ptr<Queues> queues);
    /// Waits for what was submitted.
    ~Recorder() override;

    CsBuilder vertex, fragment, compute;

    [[nodiscard]] bool empty() const { return vertex.empty() && fragment.empty() && compute.empty(); }

    /// What a queue is told before its first work in a group, and keeps: slots, resources, the heap.
    void open_vertex();
    void open_fragment();
    /// In the queue's stream: what is needed has been.
    void meet(QueueKind queue, const Needs& needs);
    /// Ends the vertex queue's part of a pass, in the vertex stream.
    void signal_vertex();
    /// In the fragment stream: goes on when all vertex work so far is done.
    void await_vertex() { follow(QueueKind::Fragment, QueueKind::VertexTiler, last(QueueKind::VertexTiler)); }
    /// What the handler waits for in the vertex stream's middle before it uses the heap again, and where it
    /// `draws` what needs that: the fragment queue's number, 0: nothing. `flushes`: it must before it draws.
    [[nodiscard]] uint64_t signal_handler(const Needs& needs, bool draws, bool* flushes);

    /// Around RUN_COMPUTEs in the compute stream (the pass has ended). Of the compute queue itself, only jobs
    /// that touch the same memory are waited for.
    struct Touched {
        LastJobs* jobs = nullptr;  // of an image; null: memory that compute jobs alone touch
        VaRange range;
    };
    void begin_compute(const Touched& reads, const Touched& writes);
    void end_compute();

    /// The number of a job to come, above all before, unique in the process.
    [[nodiscard]] static uint64_t next_job();
    /// The last fragment job.
    [[nodiscard]] uint64_t fragment_job() const { return last(QueueKind::Fragment); }
    /// RUN_FRAGMENT, its registers set. `tiler_va`: the tiler context that it draws, whose heap is given back
    /// then; 0: none.
    void run_fragment(uint64_t job, uint64_t tiler_va);

    /// A LocalStorage descriptor with at least `tls_B` bytes a thread. Throws std::bad_alloc.
    [[nodiscard]] uint64_t local_storage(uint32_t tls_B);

    /// Where in a pixel samples are, for FramebufferParameters: the table of one sample.
    [[nodiscard]] uint64_t sample_locations_va() const { return sample_locations_.va; }

    bool submit() override;
    void discard() override;
    void retire() override;
    [[nodiscard]] const hw::Chip& chip() const { return device_->chip(); }
    /// Says (Device::slow) when recorded work has run whether the handler drew parts of that pass.
    void watch_heap(const uint8_t* oom_context) { watched_.push_back(oom_context); }
    [[nodiscard]] bool tells_slow() const { return device_->tells_slow(); }
    [[nodiscard]] Queues& queues() const { return static_cast<Queues&>(queue()); }

  private:
    struct Watched {
        uint64_t point;
        std::vector<const uint8_t*> contexts;
    };
    void tell_exhausted(const Watched& w) const;
    void begin();
    void forget_streams();
    void write_sample_locations();
    [[nodiscard]] CsBuilder& stream(QueueKind q) {
        return q == QueueKind::VertexTiler ? vertex : q == QueueKind::Fragment ? fragment : compute;
    }
    void open_compute();
    /// In the queue's stream: another's jobs, or its own, up to that one have ended.
    void follow(QueueKind q, QueueKind other, uint64_t job);
    /// The queue's number when its jobs so far, and what it knows of, are done; it gives it where it has not.
    uint64_t signal(QueueKind q);
    void add_number(QueueKind q, uint32_t wait_mask);
    [[nodiscard]] uint64_t last(QueueKind q) const { return now_.last[unsigned(q)]; }
    /// Of the fragment stream: what may still be under way.
    [[nodiscard]] uint32_t fragment_slots() const;
    void flush_caches(QueueKind q, bool for_host, uint32_t wait_mask = 0);

    /// The last jobs of each queue that have ended, and of which no cache holds anything.
    struct Known {
        JobNumbers done{}, seen{};
        void learn(const Known& from);
    };
    /// Of a queue, at the end of what is recorded.
    struct Ledger {
        std::array<Known, kQueueCount> known, signalled;  // now; when it gave its last number
        JobNumbers last{};                                // its last job
        std::array<uint64_t, kQueueCount> count{};        // its last number
    };
    /// Whether the jobs, as far as they are this recorder's, are not among those.
    [[nodiscard]] bool lacks(const JobNumbers& have, const JobNumbers& needed) const;

    const pipe::Ref<Device> device_;
    const std::unique_ptr<TilerOomHandler> oom_handler_;
    Block sample_locations_;
    std::vector<const uint8_t*> watched_;  // OomContexts in the pool's memory
    std::deque<Watched> watched_in_flight_;
    bool vertex_open_ = false, fragment_open_ = false, compute_open_ = false;  // of the group that there is
    bool freeing_heap_ = false;  // FINISH_FRAGMENT was not waited for
    uint32_t generation_ = 0;
    Ledger now_, submitted_;  // the latter: when the last submission was made
    // What compute jobs touch that may be under way or in caches.
    struct Computed {
        VaRange range;
        uint64_t job;
        bool written;
    };
    std::vector<Computed> computed_;
    uint64_t compute_job_ = 0;  // between begin_compute() and end_compute()
    uint64_t local_storage_va_ = 0;
    uint32_t local_storage_B_ = 0;
    pipe::Ref<Bo> tls_;
};

}  // namespace terrazzo::mali
