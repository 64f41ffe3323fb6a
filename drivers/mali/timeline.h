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

enum class WaitResult : uint8_t { Done, Timeout, Lost };

/// Points are signalled in order. Thread: any.
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

  private:
    Timeline(Device& device, uint32_t syncobj);
    ~Timeline() override;
    std::atomic<uint64_t> reached_{0};
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
    /// Waits for writers, and for readers too where the access is a write.
    [[nodiscard]] WaitResult wait(bool write, uint64_t timeout_ns);
    /// Appends what a submission of `own` must wait for: other timelines' unfinished points.
    void collect(const Timeline& own, bool write, std::vector<Point>* out);
    [[nodiscard]] bool busy(bool write) { return wait(write, 0) == WaitResult::Timeout; }

  private:
    struct Use {
        pipe::Ref<Timeline> timeline;
        uint64_t read = 0, written = 0;
    };
    std::mutex mutex_;
    std::vector<Use> uses_;  // finished ones are dropped as they are met
};

}  // namespace terrazzo::mali
