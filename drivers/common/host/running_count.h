// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A count of events that command streams can start and stop. A machine counts all events; this is the number
// of those that occurred while the count was running.
#pragma once

#include <cstdint>

namespace terrazzo::host {

/// `now`: the machine's count of all events so far.
class RunningCount {
  public:
    void run(bool runs, uint64_t now) {
        if (runs != runs_) value_ += runs ? 0 - now : now;
        runs_ = runs;
    }
    bool runs() const { return runs_; }
    uint64_t value(uint64_t now) const { return value_ + (runs_ ? now : 0); }

  private:
    bool runs_ = false;
    uint64_t value_ = 0;  // while it runs, minus the machine's count at the start
};

}  // namespace terrazzo::host
