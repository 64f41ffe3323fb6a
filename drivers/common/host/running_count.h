// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The part of a count during which a stream let its counter run.
#pragma once

#include <cstdint>

namespace terrazzo::host {

/// `now`: the whole count.
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
    uint64_t value_ = 0;  // while it runs, less what was counted before
};

}  // namespace terrazzo::host
