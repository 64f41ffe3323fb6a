// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of jobs of a context with several queues, whose streams wait for each other by sequence numbers.
//
// Jobs have numbers. For the current end of each stream, Known has the jobs of every queue that have ended
// there, and those whose results are visible past the caches. JobNeeds has the jobs on which new work depends
// (from the LastJobs of images). meet() emits what is missing: a wait for the queue's own jobs, a wait for
// the sequence number of another queue, or a flush. After a wait for a number, a queue knows all that the
// signalling queue knew at its signal.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace terrazzo::submission {

/// A new job number, unique in the process and above all earlier ones.
[[nodiscard]] inline uint64_t next_job() {
    static std::atomic<uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

/// A job number for each queue; 0: none.
template <size_t kQueues>
using JobNumbers = std::array<uint64_t, kQueues>;

/// The last jobs that used an image. Several contexts can record at the same time, and numbers are unique in
/// the process: the greatest one is kept, and each context waits for its own jobs up to that number.
template <size_t kQueues>
struct LastJobs {
    std::array<std::atomic<uint64_t>, kQueues> read{}, written{};
    void note_read(size_t queue, uint64_t job) { note(&read[queue], job); }
    void note_written(size_t queue, uint64_t job) { note(&written[queue], job); }

  private:
    static void note(std::atomic<uint64_t>* last, uint64_t job) {
        uint64_t before = last->load(std::memory_order_relaxed);
        while (before < job && !last->compare_exchange_weak(before, job, std::memory_order_relaxed)) {
        }
    }
};

/// The jobs that must be complete before work begins.
template <size_t kQueues>
struct JobNeeds {
    JobNumbers<kQueues> done{}, seen{};  // they must have ended; their writes must be visible
    void reads(const LastJobs<kQueues>& jobs) { add(jobs.written, true); }
    void writes(const LastJobs<kQueues>& jobs) {
        add(jobs.written, false);
        add(jobs.read, false);
    }

  private:
    void add(const std::array<std::atomic<uint64_t>, kQueues>& jobs, bool sees) {
        for (size_t q = 0; q < kQueues; ++q) {
            const uint64_t job = jobs[q].load(std::memory_order_relaxed);
            done[q] = std::max(done[q], job);
            if (sees) seen[q] = std::max(seen[q], job);
        }
    }
};

/// What the streams know, and what they signalled. `Stream` has functions that emit to a queue's stream:
///   void wait_for_own(queue)                            for all jobs of the queue itself
///   void wait_for(queue, other, uint64_t number)        until the other queue has signalled the number
///   void signal(queue, bool runs)                       adds 1 to the queue's number; `runs`: only once its
///                                                       jobs, which may still run, have ended
///   void flush(queue)                                   flushes its caches: earlier results become visible
template <size_t kQueues>
class JobOrder {
  public:
    using Numbers = JobNumbers<kQueues>;
    using Needs = JobNeeds<kQueues>;

    /// The last jobs of each queue that have ended (`done`) and whose results caches do not hide (`seen`).
    struct Known {
        Numbers done{}, seen{};
        void learn(const Known& from) {
            for (size_t q = 0; q < kQueues; ++q) {
                done[q] = std::max(done[q], from.done[q]);
                seen[q] = std::max(seen[q], from.seen[q]);
            }
        }
    };

    /// New streams begin: each begins after the previous one of its queue has ended, and the kernel flushes
    /// the caches then. `replaced`: the queues are new, and all work of the old ones has ended.
    void begin_streams(bool replaced) {
        if (replaced) {
            now_.count = {};
            for (Known& k : now_.known)
                k.done = now_.last;
            now_.signalled = now_.known;
        }
        for (size_t q = 0; q < kQueues; ++q) {
            now_.known[q].done[q] = now_.last[q];
            now_.known[q].seen = now_.known[q].done;
        }
        begun_ = now_;
    }
    /// The streams since the last begin_streams() will not run: returns to the state at that call.
    void take_back() { now_ = begun_; }

    [[nodiscard]] uint64_t last(size_t queue) const { return now_.last[queue]; }
    [[nodiscard]] const Known& known(size_t queue) const { return now_.known[queue]; }
    /// What was known when the streams began.
    [[nodiscard]] const Known& known_at_begin(size_t queue) const { return begun_.known[queue]; }
    /// What is known after a wait for the queue's last number.
    [[nodiscard]] const Known& signalled(size_t queue) const { return now_.signalled[queue]; }
    [[nodiscard]] uint64_t count(size_t queue) const { return now_.count[queue]; }
    /// Whether the queue's jobs may still run at the end of its stream.
    [[nodiscard]] bool runs(size_t queue) const { return now_.known[queue].done[queue] != now_.last[queue]; }
    /// Whether `needed` has a job of this context that is later than `have`. (The kernel waits for the jobs
    /// of other contexts.)
    [[nodiscard]] bool lacks(const Numbers& have, const Numbers& needed) const {
        for (size_t q = 0; q < kQueues; ++q)
            if (std::min(needed[q], now_.last[q]) > have[q]) return true;
        return false;
    }

    // The vendor calls these when it has written to the queue's stream: a job; a wait for the queue's jobs;
    // an addition to the queue's number; a flush that makes the results of all ended jobs visible.
    void note_job(size_t queue, uint64_t job) { now_.last[queue] = job; }
    void note_ended(size_t queue) { now_.known[queue].done[queue] = now_.last[queue]; }
    void note_signal(size_t queue) {
        ++now_.count[queue];
        now_.signalled[queue] = now_.known[queue];
        now_.signalled[queue].done[queue] = now_.last[queue];
    }
    void note_flush(size_t queue) { now_.known[queue].seen = now_.known[queue].done; }

    /// The sequence number that the queue signals when its jobs so far have ended. Emits the signal if it is
    /// missing.
    template <class Stream>
    uint64_t signal(Stream& stream, size_t queue) {
        Known all = now_.known[queue];
        all.done[queue] = now_.last[queue];
        if (lacks(now_.signalled[queue].done, all.done)) {
            stream.signal(queue, runs(queue));
            note_signal(queue);
        }
        return now_.count[queue];
    }
    /// Emits a wait for the jobs of `other`, possibly the same queue, up to `job`.
    template <class Stream>
    void follow(Stream& stream, size_t queue, size_t other, uint64_t job) {
        Known& known = now_.known[queue];
        job = std::min(job, now_.last[other]);
        if (job <= known.done[other]) return;
        if (queue == other) {
            stream.wait_for_own(queue);
            return note_ended(queue);
        }
        const uint64_t number =
            now_.signalled[other].done[other] >= job ? now_.count[other] : signal(stream, other);
        stream.wait_for(queue, other, number);
        known.learn(now_.signalled[other]);
    }
    /// Emits the waits and flushes after which the queue's work may depend on `needs`.
    template <class Stream>
    void meet(Stream& stream, size_t queue, const Needs& needs) {
        // Waits for the latest job first: it may have waited for earlier jobs of other queues, which then
        // need no wait.
        std::array<size_t, kQueues> order;
        std::iota(order.begin(), order.end(), size_t(0));
        std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            const bool a_own = a == queue, b_own = b == queue;
            return a_own != b_own ? b_own : needs.done[a] > needs.done[b];
        });
        for (const size_t other : order)
            follow(stream, queue, other, needs.done[other]);
        if (!lacks(now_.known[queue].seen, needs.seen)) return;
        stream.flush(queue);
        note_flush(queue);
    }

  private:
    /// The state of each queue at the end of its stream.
    struct State {
        std::array<Known, kQueues> known, signalled;  // now; at its last signal
        Numbers last{};                               // the last jobs
        Numbers count{};                              // the last numbers signalled
    };
    State now_, begun_;
};

/// The bytes of memory from `begin` to `end`.
struct VaRange {
    uint64_t begin = 0, end = 0;
    [[nodiscard]] bool overlaps(const VaRange& o) const { return begin < o.end && o.begin < end; }
};

/// The memory that jobs of one queue access. Only jobs that may still run, or whose results may be in caches,
/// are remembered.
class JobRanges {
  public:
    /// For a new job: the last earlier job whose writes it reads (`seen`), and the last one that must have
    /// ended before (`done`). `last`: the queue's last job. If too many ranges are remembered, the new job
    /// waits for that.
    struct Needed {
        uint64_t done = 0, seen = 0;
    };
    [[nodiscard]] Needed needed(const VaRange& reads, const VaRange& writes, uint64_t last) const {
        Needed n;
        for (const Access& a : accesses_) {
            if (a.written && a.range.overlaps(reads)) n.seen = std::max(n.seen, a.job);
            if (a.range.overlaps(writes)) n.done = std::max(n.done, a.job);
        }
        if (accesses_.size() + 2 > kMostRemembered) n.seen = last;
        n.done = std::max(n.done, n.seen);
        return n;
    }
    /// Adds the accesses of `job`. Forgets reads of jobs up to `done`, and writes of jobs up to `seen`.
    void add(const VaRange& reads, const VaRange& writes, uint64_t job, uint64_t done, uint64_t seen) {
        std::erase_if(accesses_, [&](const Access& a) { return a.job <= (a.written ? seen : done); });
        accesses_.push_back({reads, job, false});
        accesses_.push_back({writes, job, true});
    }
    void clear() { accesses_.clear(); }

  private:
    static constexpr size_t kMostRemembered = 32;
    struct Access {
        VaRange range;
        uint64_t job;
        bool written;
    };
    std::vector<Access> accesses_;
};

}  // namespace terrazzo::submission
