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
    std::vector<pipe::CounterId> selected;  // in the order in which they were
    pipe::Ref<pipe::CounterQuery> query;    // of those; null: none was begun since they were selected
    bool ended = false;
};

}  // namespace terrazzo::st
