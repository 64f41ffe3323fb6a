// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group's queues run in turn, as the kernel schedules them: each until it ends or waits for another one.
#include "drivers/mali/sim/replay.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "drivers/mali/sim/csf/front_end.h"
#include "drivers/mali/sim/fragment/picture.h"
#include "drivers/mali/sim/jobs.h"
#include "winsys/clock.h"

namespace terrazzo::mali::sim {

namespace {

constexpr unsigned kQueues = 8;  // the most queues of a group, in captures' numbers
constexpr uint64_t kTimestamp_hz = 24'000'000;

/// The recording's memory, with checks of the order of its readers and writers.
class ReplaySpace final : public Space {
  public:
    Mapping find(uint64_t va) override { return memory.find(va); }
    uint64_t epoch() const override { return memory.epoch(); }
    const char* read_image(uint64_t va, uint64_t size_B) override { return order_->read(queue_, va, size_B); }
    void stored(uint64_t va, uint64_t size_B) override { order_->stored(queue_, va, size_B); }
    void enter(Order& order, unsigned queue) {
        order_ = &order;
        queue_ = queue;
    }
    capture::RecordedSpace memory;

  private:
    Order* order_ = nullptr;
    unsigned queue_ = 0;
};

class ReplayHost final : public Host {
  public:
    ReplaySpace& space() override { return memory; }
    /// Chunks that the recording has not seen are at addresses that drivers do not use.
    uint64_t grow_heap(uint64_t, uint32_t, uint32_t) override {
        constexpr uint64_t kHeap = uint64_t(1) << 46, kChunk_B = 2 << 20, kMostChunks = 1024;
        if (chunks_ == kMostChunks) return 0;
        const uint64_t va = kHeap + chunks_++ * kChunk_B;
        return memory.memory.map(va, kChunk_B) ? va | kChunk_B >> 12 : 0;
    }
    uint64_t timestamp() const override { return winsys::monotonic_ns() / 1000 * kTimestamp_hz / 1'000'000; }
    bool should_stop() const override { return winsys::monotonic_ns() > deadline_ns; }

    ReplaySpace memory;
    uint64_t deadline_ns = 0;

  private:
    uint64_t chunks_ = 0;
};

/// Counts jobs and passes them on.
class CountingJobs final : public Jobs {
  public:
    CountingJobs(std::unique_ptr<Jobs> jobs, capture::ReplayCounts& counts)
        : jobs_(std::move(jobs)), counts_(counts) {}
    JobStatus idvs(const hw::CsRunIdvs& how, const CsRegisters& r, HeapUse& heap, DrawProgress* progress,
                   Fault* fault) override {
        // A draw that continues after the heap ran out is the same draw.
        counts_.draws += !progress->instance && !progress->primitive;
        return jobs_ ? jobs_->idvs(how, r, heap, progress, fault) : JobStatus::Done;
    }
    JobStatus fullscreen(const hw::CsRunFullscreen& how, const CsRegisters& r, HeapUse& heap,
                         Fault* fault) override {
        ++counts_.draws;
        return jobs_ ? jobs_->fullscreen(how, r, heap, fault) : JobStatus::Done;
    }
    JobStatus fragment(const hw::CsRunFragment& how, const CsRegisters& r, Fault* fault) override {
        return jobs_ ? jobs_->fragment(how, r, fault) : JobStatus::Done;
    }
    JobStatus compute(const hw::CsRunCompute& how, const CsRegisters& r, Fault* fault) override {
        ++counts_.dispatches;
        return jobs_ ? jobs_->compute(how, r, fault) : JobStatus::Done;
    }
    JobStatus compute_indirect(const hw::CsRunComputeIndirect& how, const CsRegisters& r,
                               Fault* fault) override {
        ++counts_.dispatches;
        return jobs_ ? jobs_->compute_indirect(how, r, fault) : JobStatus::Done;
    }
    JobStatus finish_tiling(const CsRegisters& r, HeapUse& heap, Fault* fault) override {
        return jobs_ ? jobs_->finish_tiling(r, heap, fault) : JobStatus::Done;
    }
    JobStatus finish_fragment(uint64_t first, uint64_t last, HeapUse& heap, Fault* fault) override {
        return jobs_ ? jobs_->finish_fragment(first, last, heap, fault) : JobStatus::Done;
    }

  private:
    const std::unique_ptr<Jobs> jobs_;  // null: nothing is executed
    capture::ReplayCounts& counts_;
};

/// A group's machine.
struct Group {
    Group(const hw::Chip& chip, ReplayHost& host, const capture::ReplayOptions& options,
          TargetWatcher* watcher, capture::ReplayCounts& counts)
        : machine(chip, host, options.threads),
          jobs(options.draws_nothing ? nullptr : make_watched_jobs(machine, watcher), counts) {
        for (unsigned i = 0; i < kQueues; ++i)
            reset(i);
    }
    void reset(unsigned queue) {
        queues[queue] = {std::make_unique<FrontEnd>(machine, jobs, progress, queue)};
    }
    struct Queue {
        std::unique_ptr<FrontEnd> front;
        bool runs = false;
        uint64_t submission = 0;
    };
    Machine machine;
    Progress progress;
    CountingJobs jobs;
    std::array<Queue, kQueues> queues;
};

class Player final : public capture::CapturePlayer {
  public:
    Player(const capture::ReplayOptions& options, fields::Sink& sink, capture::ReplayCounts* counts)
        : options_(options), sink_(sink), counts_(*counts) {}
    capture::RecordedSpace& memory() override { return host_.memory.memory; }

    bool choose(std::string* error) {
        const std::string name = capture::chip_name(options_);
        if (name.empty()) return true;
        for (const hw::Chip& c : hw::chips())
            if (c.name == name) chip_ = &c;
        if (!chip_) *error = "there is no chip '" + name + "'";
        return chip_;
    }
    bool chip(const capture::Record& r, std::string* error) override {
        if (r.vendor != capture::Vendor::Mali)
            return *error = "it is a capture of another vendor's chip", false;
        for (const hw::Chip& c : hw::chips())
            if (!chip_ && c.gpu_id == r.gpu_id && (c.core_features & 0xff) == r.variant) chip_ = &c;
        if (chip_) return true;
        char what[64];
        std::snprintf(what, sizeof what, "no virtual GPU of a chip 0x%08x, variant %u", r.gpu_id, r.variant);
        *error = what;
        return false;
    }
    bool submit(uint32_t queue, std::span<const capture::RecordedStream> streams,
                std::string* error) override {
        if (!chip_) {
            *error = "the file does not say which chip it is of: --device does";
            return false;
        }
        for (const capture::RecordedStream& s : streams)
            start(queue, s);
        return true;
    }
    /// Queues that still wait never end.
    void finish() {
        run_all();
        for (auto& [number, group] : groups_)
            for (Group::Queue& q : group->queues)
                if (q.runs) fault(*group, q, "it waits for a value that nothing writes");
    }

  private:
    static unsigned long long n(uint64_t value) { return value; }

    void start(uint32_t queue, const capture::RecordedStream& stream) {
        std::unique_ptr<Group>& group = groups_[queue / kQueues];
        if (!group)
            group = std::make_unique<Group>(*chip_, host_, options_, options_.pictures ? &pictures_ : nullptr,
                                            counts_);
        Group::Queue& q = group->queues[queue % kQueues];
        host_.deadline_ns = winsys::monotonic_ns() + options_.limit_ns;
        // The kernel submits a queue's next stream when the one before has ended.
        if (q.runs) run_all();
        if (q.runs) fault(*group, q, "it waits for a value that nothing writes");
        q.front->start(stream.va, uint32_t(std::min<uint64_t>(stream.size_B, UINT32_MAX)), false, false);
        q.runs = true;
        q.submission = counts_.submits++;
        const uint64_t draws = counts_.draws, dispatches = counts_.dispatches;
        bool goes_on = false;
        run(*group, q, &goes_on);
        char text[128];
        std::snprintf(text, sizeof text, "Submission %llu: queue %u, %llu draws, %llu dispatches%s",
                      n(counts_.submits - 1), queue, n(counts_.draws - draws),
                      n(counts_.dispatches - dispatches), q.runs ? ", and it waits" : "");
        sink_.line(0, text);
        tell();
    }
    void run(Group& group, Group::Queue& q, bool* goes_on) {
        if (!q.runs) return;
        host_.memory.enter(group.progress.order, unsigned(&q - group.queues.data()));
        switch (q.front->run()) {
            case StreamStatus::Done:
                q.runs = false;
                *goes_on = true;
                ended(q);
                break;
            case StreamStatus::Blocked:
                *goes_on |= q.front->progressed();
                break;
            case StreamStatus::Fault:
                fault(group, q, q.front->fault().report);
                break;
            case StreamStatus::Stopped:
                fault(group, q, "its time is over");
                break;
        }
    }
    /// Runs until no queue makes progress.
    void run_all() {
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (auto& [number, group] : groups_)
                for (Group::Queue& q : group->queues)
                    run(*group, q, &goes_on);
        }
        tell();
    }
    void ended(const Group::Queue& q) {
        if (!options_.pictures) return;
        std::string why;
        if (const capture::Picture* const last = pictures_.take_last(&why)) {
            capture::Picture picture = *last;
            picture.submission = q.submission;
            options_.pictures->picture(picture);
            ++counts_.pictures;
        } else if (!why.empty()) {
            later_.push_back("no picture of submission " + std::to_string(q.submission) + ": " + why);
        }
    }
    /// The queue is lost and starts again with the next stream.
    void fault(Group& group, Group::Queue& q, const std::string& report) {
        ++counts_.faults;
        later_.push_back("! submission " + std::to_string(q.submission) + ": " + report);
        group.reset(unsigned(&q - group.queues.data()));
    }
    /// Prints findings of running streams after the submission's line.
    void tell() {
        for (const std::string& line : later_)
            sink_.line(1, line);
        later_.clear();
    }

    const capture::ReplayOptions& options_;
    fields::Sink& sink_;
    capture::ReplayCounts& counts_;
    const hw::Chip* chip_ = nullptr;
    ReplayHost host_;
    TargetPictures pictures_;
    std::map<uint32_t, std::unique_ptr<Group>> groups_;
    std::vector<std::string> later_;
};

}  // namespace

bool replay(std::span<const uint8_t> file, const capture::ReplayOptions& options, fields::Sink& sink,
            capture::ReplayCounts* counts, std::string* error) {
    Player player(options, sink, counts);
    if (!player.choose(error)) return false;
    const bool good = capture::play_capture(file, player, error);
    player.finish();
    return good;
}

}  // namespace terrazzo::mali::sim
