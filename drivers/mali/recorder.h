// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context records between two submissions: three command streams, the memory that they point to, and
// who must live and must be waited for until they have run. One thread.
//
// The fragment stream waits for the vertex stream pass by pass, by the queues' sequence numbers: the n-th
// pass with tiling work makes the vertex queue's n; the n-th fragment job the fragment queue's. Both count
// from the beginning of the group. Compute jobs (copies) stand between fragment jobs: they wait for those
// before, and the fragment queue waits for them and counts them as jobs of its own, so that whoever waits for
// its number need not know of them.
#pragma once

#include <deque>
#include <vector>

#include "drivers/mali/cs_builder.h"
#include "drivers/mali/resource.h"
#include "drivers/mali/tiler_oom.h"

namespace terrazzo::mali {

struct VaRange {
    uint64_t begin = 0, end = 0;
    [[nodiscard]] bool meets(const VaRange& o) const { return begin < o.end && o.begin < end; }
};

class Recorder {
  public:
    /// Throws std::bad_alloc.
    Recorder(pipe::Ref<Device> device, std::unique_ptr<Queues> queues);
    ~Recorder();

    Pool pool;
    CsBuilder vertex, fragment, compute;

    /// Unique in the process; changes with every submission.
    [[nodiscard]] uint64_t serial() const { return serial_; }
    /// Work that is recorded reads (or writes) the resource's present storage.
    void read(MaliResource& r) {
        if (r.read_by.load(std::memory_order_relaxed) != serial_) [[unlikely]]
            note(r, false);
    }
    void write(MaliResource& r) {
        if (r.written_by.load(std::memory_order_relaxed) != serial_) [[unlikely]]
            note(r, true);
    }
    /// Keeps an object (a view, a program) alive that has `held_by`.
    template <class T>
    void hold(T& object) {
        if (object.held_by.load(std::memory_order_relaxed) == serial_) return;
        held_.push_back(pipe::Ref<const pipe::RefCounted>(&object));
        object.held_by.store(serial_, std::memory_order_relaxed);
    }
    void hold_always(pipe::Ref<const pipe::RefCounted> object) { held_.push_back(std::move(object)); }

    /// The same of memory that is no resource.
    void use(const pipe::Ref<Bo>& bo, bool write) { uses_.push_back({bo, write}); }

    /// Whether recorded work uses the storage so that an access of that kind must come after (or before) it.
    [[nodiscard]] bool uses(const Bo& bo, bool write) const;
    [[nodiscard]] bool empty() const { return vertex.empty() && fragment.empty() && compute.empty(); }
    /// Work recorded from the next submission on begins after the point.
    void wait_for(const Point& point) { waits_.push_back(point); }

    /// What a queue is told before its first work in a group, and keeps: slots, resources, the heap.
    void open_vertex();
    void open_fragment();
    /// Ends the vertex queue's part of a pass, in the vertex stream.
    void signal_vertex();
    /// In the fragment stream: goes on when all vertex work so far is done.
    void await_vertex();
    /// The fragment queue's number when all fragment jobs so far are done; the queue gives it where it has
    /// not yet.
    [[nodiscard]] uint64_t signal_fragment();
    /// In the vertex stream: goes on when the fragment jobs up to `job` are done, for vertices that read what
    /// they drew.
    void await_fragment(uint64_t job);

    /// Around RUN_COMPUTEs in the compute stream, which come after all that is recorded (the pass has ended)
    /// and before all that will be. Of the compute queue itself, only jobs that touch the same memory are
    /// waited for.
    void begin_compute(const VaRange& reads, const VaRange& writes);
    void end_compute();

    /// RUN_FRAGMENT, its registers set. `tiler_va`: the tiler context that it draws, whose heap is given back
    /// then; 0: none.
    void run_fragment(uint64_t tiler_va);
    /// The last one's number, which is unique in the process, and above those before.
    [[nodiscard]] uint64_t fragment_job() const { return fragment_job_; }
    /// Whether caches were not emptied in the vertex stream after that job.
    [[nodiscard]] bool vertex_must_flush(uint64_t job) const { return job > vertex_flushed_job_; }
    /// In the fragment stream: the jobs up to `job` are done.
    void settle_fragment(uint64_t job);
    /// In the fragment stream: what the jobs up to `job` drew is what the next job reads.
    void flush_fragment(uint64_t job);

    /// A LocalStorage descriptor with at least `tls_B` bytes a thread. Throws std::bad_alloc.
    [[nodiscard]] uint64_t local_storage(uint32_t tls_B);

    /// Where in a pixel samples are, for FramebufferParameters: the table of one sample.
    [[nodiscard]] uint64_t sample_locations_va() const { return sample_locations_.va; }

    /// Hands everything to the kernel. False: it was lost (the group is; the next recording begins in a new
    /// one).
    bool submit();
    /// Forgets what is recorded: a lost group's successor begins with nothing.
    void discard();
    /// Why the last submission that failed did.
    [[nodiscard]] GroupState lost() const { return lost_; }
    [[nodiscard]] const hw::Chip& chip() const { return device_->chip(); }
    /// Says (Device::slow) when recorded work has run whether the handler drew parts of that pass.
    void watch_heap(const uint8_t* oom_context) { watched_.push_back(oom_context); }
    [[nodiscard]] bool tells_slow() const { return device_->tells_slow(); }
    [[nodiscard]] const Queues& queues() const { return *queues_; }
    [[nodiscard]] Queues& queues() { return *queues_; }
    [[nodiscard]] uint64_t last_point() const { return queues_->last_point(); }
    /// Lets go of what finished submissions used.
    void retire();
    /// Waits for all submissions.
    WaitResult finish();

  private:
    struct Use {
        pipe::Ref<Bo> bo;
        bool write;
    };
    struct InFlight {
        uint64_t point;
        std::vector<pipe::Ref<Bo>> chunks;
        std::vector<pipe::Ref<const pipe::RefCounted>> held;
        std::vector<Use> uses;
        std::vector<const uint8_t*> watched;
    };
    void tell_exhausted(const InFlight& f) const;
    void note(MaliResource& r, bool write);
    void begin();
    void forget_streams();
    void write_sample_locations();
    void await(CsBuilder& b, QueueKind queue, uint64_t value, uint64_t* awaited);
    void signal(CsBuilder& b, QueueKind queue, uint32_t wait_mask);
    /// In the fragment stream: waits for the compute jobs so far, before anything else is emitted there.
    void follow_compute(bool flushes);
    /// Of the fragment stream: what may still be under way.
    [[nodiscard]] uint32_t fragment_slots() const;
    static void flush_caches(CsBuilder& b, bool for_host, uint32_t wait_mask = 0);

    const pipe::Ref<Device> device_;
    const std::unique_ptr<Queues> queues_;
    const std::unique_ptr<TilerOomHandler> oom_handler_;
    Block sample_locations_;
    uint64_t serial_ = 0;
    std::vector<pipe::Ref<const pipe::RefCounted>> held_;
    std::vector<Use> uses_;
    std::vector<Point> waits_;
    std::vector<const uint8_t*> watched_;  // OomContexts in the pool's memory
    std::deque<InFlight> in_flight_;
    bool vertex_open_ = false, fragment_open_ = false, compute_open_ = false;  // of the group that there is
    bool freeing_heap_ = false;  // FINISH_FRAGMENT was not waited for
    uint32_t generation_ = 0;
    GroupState lost_ = GroupState::Usable;
    // Sequence numbers that recorded work will have reached, and those that a stream waits for already.
    uint64_t vertex_count_ = 0, fragment_count_ = 0, vertex_awaited_ = 0, fragment_awaited_ = 0;
    uint64_t compute_count_ = 0, compute_awaited_ = 0, fragment_awaited_by_compute_ = 0;
    // Fragment jobs: the last; that when the submission began; up to which one the fragment queue has said
    // that they are done, its stream has waited, and caches were emptied after them in the fragment stream
    // and in the vertex stream, there also before its last number, and in the compute stream; the last that
    // stands for compute jobs.
    uint64_t fragment_job_ = 0, begun_job_ = 0, signalled_job_ = 0, settled_job_ = 0, flushed_job_ = 0,
             vertex_flushed_job_ = 0, vertex_signalled_flush_ = 0, compute_job_ = 0;
    uint64_t drawn_job_ = 0, signalled_flush_ = 0, compute_awaited_job_ = 0;
    // By compute jobs since their stream last waited for them and emptied caches.
    std::vector<VaRange> computed_from_, computed_to_;
    bool unfollowed_ = false;  // the fragment stream has not waited for the last compute job
    uint64_t local_storage_va_ = 0;
    uint32_t local_storage_B_ = 0;
    pipe::Ref<Bo> tls_;
};

}  // namespace terrazzo::mali
