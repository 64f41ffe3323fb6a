// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// When work has ended: a context has a timeline syncobj of the kernel, each submission signals a point of it,
// and a piece of memory knows the points of the submissions that use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/common/memory/kernel.h"
#include "pipe/ref.h"

namespace terrazzo::memory {

class Device;

/// Lost: the kernel gave the work up (its queue is lost), or the device is gone; memory that it used is free.
enum class WaitResult : uint8_t { Done, Timeout, Lost };

/// Points are signalled in order. The kernel signals those of a lost queue as well: only the queue's state
/// tells them apart (Kernel::queue_state), so the timeline knows which queue signals it. Thread: any.
class Timeline final : public pipe::RefCounted {
  public:
    /// Null: out of memory.
    [[nodiscard]] static pipe::Ref<Timeline> create(Device& device);
    /// One without a queue, whose point 1 is signalled when the sync file is; the descriptor stays the caller's. Null: no sync
    /// file, or out of memory.
    [[nodiscard]] static pipe::Ref<Timeline> import_sync_file(Device& device, int fd);
    const pipe::Ref<Device> device;
    const uint32_t syncobj;

    /// Waits until `point` is signalled, at most `timeout_ns` (0: only looks; ~0: for ever). A point that was
    /// reached is remembered, so that asking again costs no request.
    [[nodiscard]] WaitResult wait(uint64_t point, uint64_t timeout_ns);
    [[nodiscard]] bool done(uint64_t point) { return wait(point, 0) == WaitResult::Done; }
    /// A new sync file of the point (of 0: one that is signalled), the caller's; -1: cannot.
    [[nodiscard]] int export_sync_file(uint64_t point);

    /// All points up to this one are known to be signalled; no request.
    uint64_t reached() const { return reached_.load(std::memory_order_acquire); }

    // For who submits, one thread.

    /// A new queue signals the points after `last_point`. False: out of memory.
    [[nodiscard]] bool attach(uint32_t queue, uint64_t last_point);
    /// The queue is destroyed, all its points were waited for.
    void detach();
    /// The queue has been given the work of all points up to this one.
    void note_submitted(uint64_t point);
    /// Asks the kernel, and remembers what was lost. Without a queue: as the last one was.
    [[nodiscard]] QueueState queue_state();

  private:
    struct Range {
        uint64_t first, last;
    };
    Timeline(Device& device, uint32_t syncobj);
    ~Timeline() override;
    /// Under the lock.
    [[nodiscard]] QueueState query_queue();
    [[nodiscard]] bool is_lost(uint64_t point) const;

    std::atomic<uint64_t> reached_{0};
    std::atomic<bool> any_lost_{false};
    std::mutex mutex_;
    std::optional<uint32_t> queue_;  // none: detached, or it is lost
    uint64_t queue_first_ = 0, submitted_ = 0;
    QueueState state_ = QueueState::Usable;
    std::vector<Range> lost_;  // there is always room for one more
};

struct Point {
    pipe::Ref<Timeline> timeline;
    uint64_t value = 0;
};

/// The last submission of each timeline that reads or writes something. Thread: any; never touched by draws,
/// only by submissions and by maps.
class Uses {
  public:
    void note(const pipe::Ref<Timeline>& timeline, uint64_t point, bool write);
    /// Waits for writers, and for readers too where the access is a write. What was lost is not reported
    /// again.
    [[nodiscard]] WaitResult wait(bool write, uint64_t timeout_ns);
    /// Appends what a submission of `own` must wait for: other timelines' unfinished points.
    void collect(const Timeline& own, bool write, std::vector<Point>* out);
    [[nodiscard]] bool busy(bool write) { return wait(write, 0) == WaitResult::Timeout; }
    /// Recordings of work that writes it and is not submitted.
    std::atomic<uint32_t> recorded_writes{0};

  private:
    struct Use {
        pipe::Ref<Timeline> timeline;
        uint64_t read = 0, written = 0;
    };
    std::mutex mutex_;
    std::vector<Use> uses_;  // finished ones are removed when they are seen
};

}  // namespace terrazzo::memory
