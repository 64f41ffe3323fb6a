// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A point of a timeline as the API's fence. May outlive context and screen.
#pragma once

#include <new>
#include <utility>

#include "drivers/common/memory/timeline.h"
#include "pipe/screen.h"

namespace terrazzo::memory {

class Fence final : public pipe::Fence {
  public:
    explicit Fence(Point p) : point(std::move(p)) {}
    /// Lost work counts as done: waiting for it is pointless.
    [[nodiscard]] bool wait(uint64_t timeout_ns) override {
        return point.value == 0 || point.timeline->wait(point.value, timeout_ns) != WaitResult::Timeout;
    }
    [[nodiscard]] int export_fd() override {
        return point.timeline ? point.timeline->export_sync_file(point.value) : -1;
    }
    const Point point;  // value 0: nothing to wait for
};

/// The fence of a sync file (pipe::Screen::import_fence). Null: `fd` is no sync file, or out of memory.
[[nodiscard]] inline pipe::Ref<pipe::Fence> import_fence(Device& device, int fd) {
    pipe::Ref<Timeline> timeline = Timeline::import_sync_file(device, fd);
    return timeline ? pipe::Ref<pipe::Fence>::adopt(new (std::nothrow) Fence({std::move(timeline), 1}))
                    : nullptr;
}

}  // namespace terrazzo::memory
