// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// When work is done: a timeline syncobj of the kernel a context, points on it a submission, and for a piece
// of memory the points of the submissions that use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "pipe/ref.h"

namespace terrazzo::mali {

class Device;

/// Lost: the kernel gave the work up (its group is lost), or the device is gone; memory that it used is free.
enum class WaitResult : uint8_t { Done, Timeout, Lost };

enum class GroupState : uint8_t { Usable, Guilty, Innocent };

/// Points are signalled in order. The kernel signals those of a lost group as well: only the group's state
/// tells them apart, so the timeline knows which group works for it (Queues says so). Thread: any.
class Timeline final : public pipe::RefCounted {
  public:
    /// Null: out of memory.
    [[nodiscard]] static pipe::Ref<Timeline> create(Device& device);
    const pipe::Ref<Device> device;
    const uint32_t syncobj;

    /// Waits until `point` is signalled, at most `timeout_ns` (0: only looks; ~0: for ever). A point that was
    /// reached is remembered, so that asking again costs no request.
    [[nodiscard]] WaitResult wait(uint64_t point, uint64_t timeout_ns);
    [[nodiscard]] bool done(uint64_t point) { return wait(point, 0) == WaitResult::Done; }
    /// A new sync file of the point, the caller's; -1: cannot.
    [[nodiscard]] int export_sync_file(uint64_t point);

    /// All points up to this one are known to be signalled; no request.
    uint64_t reached() const { return reached_.load(std::memory_order_acquire); }

    // For Queues, one thread.

    /// Points after `last_point` are a new group's. False: out of memory.
    [[nodiscard]] bool attach(uint32_t group, uint64_t last_point);
    /// The group goes, all its points were waited for.
    void detach();
    /// The group works for the points up to `point`.
    void note_submitted(uint64_t point);
    /// Asks the kernel; remembers what was lost. Usable where there is no group.
    [[nodiscard]] GroupState group_state();

  private:
    struct Range {
        uint64_t first, last;
    };
    Timeline(Device& device, uint32_t syncobj);
    ~Timeline() override;
    /// Under the lock.
    [[nodiscard]] GroupState ask_group();
    [[nodiscard]] bool is_lost(uint64_t point) const;

    std::atomic<uint64_t> reached_{0};
    std::atomic<bool> any_lost_{false};
    std::mutex mutex_;
    uint32_t group_ = 0;  // 0: none, or it is lost
    uint64_t group_first_ = 0, submitted_ = 0;
    GroupState state_ = GroupState::Usable;
    std::vector<Range> lost_;  // one has room, always
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
    std::vector<Use> uses_;  // finished ones are dropped as they are met
};

}  // namespace terrazzo::mali
