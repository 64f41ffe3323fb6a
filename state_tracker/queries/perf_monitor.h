// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Monitors of GL_AMD_performance_monitor.
#pragma once

#include <vector>

#include "pipe/counters.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

class PerfMonitor final : public Object {
  public:
    using Object::Object;
    std::vector<pipe::CounterId> selected;  // in the order of selection
    pipe::Ref<pipe::CounterQuery> query;    // of the selected counters; null: not begun since the selection
    bool ended = false;
};

}  // namespace terrazzo::st
