// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work that a context records between two submissions: three command streams, the memory to which they
// point, and the objects that must live, and the fences that must be waited for, until they ran. For one
// thread at a time.
//
// Jobs have numbers. At the current end of each stream the recorder knows which jobs of every queue have
// ended, and whose results are visible past the caches (Known). Work states which jobs it depends on (Needs,
// from LastJobs of images), and meet() emits what is missing: a WAIT for the queue's own jobs, a SYNC_WAIT
// for the sequence number of another queue, a flush. A queue that waited for a number knows what the
// signalling queue knew. The vertex queue signals its number at the end of each pass, the other queues where
// a wait requires it.
#pragma once

#include <deque>
#include <vector>

#include "drivers/common/submission/queued_recording.h"
#include "drivers/mali/images/resource.h"
#include "drivers/mali/stream/cs_builder.h"
#include "drivers/mali/submission/queues.h"
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
    /// Waits for the submitted work.
    ~Recorder() override;

    CsBuilder vertex, fragment, compute;

    /// Outside passes: it is time to submit.
    [[nodiscard]] bool is_much() const { return vertex.emitted_B() > kMuch_B || is_awaited(); }

    /// Emits the state that a queue needs before its first work in a group, and keeps: slots, resources, the
    /// heap.
    void open_vertex();
    void open_fragment();
    /// Emits the waits and flushes into the queue's stream after which `needs` are met.
    void meet(QueueKind queue, const Needs& needs);
    /// Ends the vertex queue's part of a pass in the vertex stream.
    void signal_vertex();
    /// The fragment stream waits for all vertex work so far.
    void await_vertex() { follow(QueueKind::Fragment, QueueKind::VertexTiler, last(QueueKind::VertexTiler)); }
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
    void end_compute();
    /// Later vertex work waits for all writes of buffers.
    void await_buffers();

    /// A new job number, unique in the process and above all earlier ones.
    [[nodiscard]] static uint64_t next_job();
    /// Emits RUN_FRAGMENT, whose registers must be set. `tiler_va`: the tiler context that it draws, whose
    /// heap chunks are freed after it; 0: none.
    void run_fragment(uint64_t job, uint64_t tiler_va);

    /// The address of a LocalStorage descriptor with at least `tls_B` bytes a thread. Throws std::bad_alloc.
    [[nodiscard]] uint64_t local_storage(uint32_t tls_B);

    /// The table of sample positions for FramebufferParameters, for one sample.
    [[nodiscard]] uint64_t sample_locations_va() const { return sample_locations_.va; }

    void retire() override;
    [[nodiscard]] const hw::Chip& chip() const { return device_->chip(); }
    /// Once the recorded work ran, reports (Device::slow) if the out-of-memory handler drew parts of that
    /// pass.
    void watch_heap(const uint8_t* oom_context) { watched_.push_back(oom_context); }
    [[nodiscard]] bool tells_slow() const { return device_->tells_slow(); }
    [[nodiscard]] Queues& queues() const { return static_cast<Queues&>(queue()); }

  private:
    static constexpr uint64_t kMuch_B = 1 << 20;
    struct Watched {
        uint64_t point;
        std::vector<const uint8_t*> contexts;
    };
    [[nodiscard]] bool is_empty() const override {
        return vertex.empty() && fragment.empty() && compute.empty();
    }
    void finish_streams() override;
    [[nodiscard]] uint64_t submit_streams(const submission::Needs& needs) override;
    void discard_streams() override;
    void begin_streams(bool ran) override;
    void tell_exhausted(const Watched& w) const;
    void begin();
    void forget_streams();
    void write_sample_locations();
    [[nodiscard]] CsBuilder& stream(QueueKind q) {
        return q == QueueKind::VertexTiler ? vertex : q == QueueKind::Fragment ? fragment : compute;
    }
    void open_compute();
    /// Emits a wait into the stream of `q` for the jobs of `other`, possibly the same queue, up to `job`.
    void follow(QueueKind q, QueueKind other, uint64_t job);
    /// The sequence number that the queue signals when its jobs so far have ended. Emits the signal if it is
    /// missing.
    uint64_t signal(QueueKind q);
    void add_number(QueueKind q, uint32_t wait_mask);
    [[nodiscard]] uint64_t last(QueueKind q) const { return now_.last[unsigned(q)]; }
    /// The scoreboard slots of the fragment stream's work that may not have ended.
    [[nodiscard]] uint32_t fragment_slots() const;
    void flush_caches(QueueKind q, bool for_host, uint32_t wait_mask = 0);

    /// The last jobs of each queue that have ended (`done`) and whose results caches do not hide (`seen`).
    struct Known {
        JobNumbers done{}, seen{};
        void learn(const Known& from);
    };
    /// The state of each queue at the end of its stream.
    struct Ledger {
        std::array<Known, kQueueCount> known, signalled;  // now; at its last signal
        JobNumbers last{};                                // the last jobs
        std::array<uint64_t, kQueueCount> count{};        // the last numbers signalled
    };
    /// Whether `have` is short of a job of this recorder that is `needed`.
    [[nodiscard]] bool lacks(const JobNumbers& have, const JobNumbers& needed) const;

    const pipe::Ref<Device> device_;
    const std::unique_ptr<TilerOomHandler> oom_handler_;
    Block sample_locations_;
    std::array<Stream, kQueueCount> streams_;  // between finish_streams() and submit_streams()
    std::vector<const uint8_t*> watched_;      // OomContexts in pool memory
    std::deque<Watched> watched_in_flight_;
    bool vertex_open_ = false, fragment_open_ = false, compute_open_ = false;  // in the current group
    bool freeing_heap_ = false;  // FINISH_FRAGMENT may be under way
    uint32_t generation_ = 0;
    Ledger now_, submitted_;  // the latter: at the last submission
    // Memory that compute jobs access which may be under way, or whose results may be in caches.
    struct Computed {
        VaRange range;
        uint64_t job;
        bool written;
    };
    std::vector<Computed> computed_;
    uint64_t compute_job_ = 0;  // between begin_compute() and end_compute()
    uint64_t buffer_job_ = 0;   // the last job that wrote a buffer
    uint64_t local_storage_va_ = 0;
    uint32_t local_storage_B_ = 0;
    pipe::Ref<Bo> tls_;
};

}  // namespace terrazzo::mali
