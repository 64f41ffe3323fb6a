// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A point of a timeline as the API's fence. It outlives context and screen.
#pragma once

#include <utility>

#include "drivers/common/memory/timeline.h"
#include "pipe/screen.h"

namespace terrazzo::memory {

class Fence final : public pipe::Fence {
  public:
    explicit Fence(Point p) : point(std::move(p)) {}
    /// Lost work counts as done, too: there is nothing to wait for.
    [[nodiscard]] bool wait(uint64_t timeout_ns) override {
        return point.value == 0 || point.timeline->wait(point.value, timeout_ns) != WaitResult::Timeout;
    }
    [[nodiscard]] int export_fd() override {
        return point.value ? point.timeline->export_sync_file(point.value) : -1;
    }
    const Point point;  // value 0: nothing to wait for
};

}  // namespace terrazzo::memory
