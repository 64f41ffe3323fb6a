// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tracks the completion of work: a context has a timeline syncobj of the kernel, each submission signals a
// point of it, and each piece of memory knows the points of the submissions that use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/common/memory/kernel.h"
#include "pipe/ref.h"
#include "winsys/clock.h"

namespace terrazzo::memory {

class Device;

/// Lost: the kernel dropped the work (its queue is lost), or the device is gone; the memory that it used is
/// free.
enum class WaitResult : uint8_t { Done, Timeout, Lost };

/// Points are signalled in order. The kernel also signals those of lost work. When a queue is lost
/// (Kernel::queue_state), all its points that are not known to be reached count as lost, so the timeline
/// knows the queue that signals it. After a fault that the queue survives (KernelLimits::faults_in_fences),
/// only that point is lost: its fence has an error. The timeline then holds a sync file of each submitted
/// point, since the kernel forgets the fences of earlier points when they have signalled. Thread: any.
class Timeline final : public pipe::RefCounted {
  public:
    /// Null: out of memory.
    [[nodiscard]] static pipe::Ref<Timeline> create(Device& device);
    /// A timeline without a queue, whose point 1 is signalled with the sync file; the caller keeps `fd`.
    /// Null: no sync file, or out of memory.
    [[nodiscard]] static pipe::Ref<Timeline> import_sync_file(Device& device, int fd);
    const pipe::Ref<Device> device;
    const uint32_t syncobj;

    /// Waits until `point` is signalled, at most `timeout_ns` (0: only checks; ~0: for ever). A reached point
    /// is cached, so that later calls need no request.
    [[nodiscard]] WaitResult wait(uint64_t point, uint64_t timeout_ns);
    [[nodiscard]] bool done(uint64_t point) { return wait(point, 0) == WaitResult::Done; }
    /// A new sync file of the point (0: a signalled one), which the caller owns; -1: it failed.
    [[nodiscard]] int export_sync_file(uint64_t point);

    /// All points up to this one are known to be signalled; needs no request.
    uint64_t reached() const { return reached_.load(std::memory_order_acquire); }

    // For the thread that submits.

    /// A new queue signals the points after `last_point`. False: out of memory.
    [[nodiscard]] bool attach(uint32_t queue, uint64_t last_point);
    /// The queue was destroyed after all its points were waited for.
    void detach();
    /// The work of all points up to this one has been submitted to the queue: called for each point, before
    /// the next one is submitted.
    void note_submitted(uint64_t point);
    /// Queries the kernel and records what was lost. Without a queue: the last queue's state. After a fault
    /// that only a fence tells: Guilty until the next attach(), although the queue goes on.
    [[nodiscard]] QueueState queue_state();

  private:
    struct Range {
        uint64_t first, last;
    };
    Timeline(Device& device, uint32_t syncobj);
    ~Timeline() override;
    /// Called with the lock held.
    [[nodiscard]] QueueState query_queue();
    /// Records the submitted points whose fences have an error. Returns whether there are new ones. With the
    /// lock held.
    bool read_fences();
    void add_lost(const Range& points);
    [[nodiscard]] bool is_lost(uint64_t point) const;

    std::atomic<uint64_t> reached_{0};
    std::atomic<bool> any_lost_{false};
    std::mutex mutex_;
    std::optional<uint32_t> queue_;  // empty: detached, or the queue is lost
    uint64_t queue_first_ = 0, submitted_ = 0;
    QueueState state_ = QueueState::Usable;
    std::vector<Range> lost_;  // has capacity for one more after attach()
    struct Fenced {
        uint64_t point;
        int sync_file;
    };
    std::deque<Fenced> fenced_;  // submitted points that may fault, in order
    bool blind_ = false;         // logged that faults cannot be seen
};

struct Point {
    pipe::Ref<Timeline> timeline;
    uint64_t value = 0;
};

/// The last submission of each timeline that reads or writes some memory. Thread: any; used by submissions
/// and maps only, never by draws.
class Uses {
  public:
    void note(const pipe::Ref<Timeline>& timeline, uint64_t point, bool write);
    /// Waits for writers and, if `write`, for readers, too. Lost work is reported only once.
    [[nodiscard]] WaitResult wait(bool write, uint64_t timeout_ns);
    /// Appends what a submission of `own` must wait for: other timelines' unfinished points.
    void collect(const Timeline& own, bool write, std::vector<Point>* out);
    [[nodiscard]] bool busy(bool write) { return wait(write, 0) == WaitResult::Timeout; }
    /// The number of contexts that have recorded writes to it and not submitted them.
    std::atomic<uint32_t> recorded_writes{0};

  private:
    struct Use {
        pipe::Ref<Timeline> timeline;
        uint64_t read = 0, written = 0;
    };
    std::mutex mutex_;
    std::vector<Use> uses_;  // finished ones are removed when they are found
};

// Deadlines for operations that wait several times (CLOCK_MONOTONIC).

/// The deadline of a wait that begins now, in the form of requests. 0: at once; INT64_MAX: never.
[[nodiscard]] inline uint64_t deadline_of(uint64_t timeout_ns) {
    if (timeout_ns == 0) return 0;
    const uint64_t now = winsys::monotonic_ns();
    return timeout_ns > uint64_t{INT64_MAX} - now ? uint64_t{INT64_MAX} : now + timeout_ns;
}

[[nodiscard]] inline uint64_t left_until(uint64_t deadline_ns) {
    if (deadline_ns == uint64_t{INT64_MAX}) return UINT64_MAX;
    const uint64_t now = deadline_ns ? winsys::monotonic_ns() : 0;
    return deadline_ns > now ? deadline_ns - now : 0;
}

}  // namespace terrazzo::memory
