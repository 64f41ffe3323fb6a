// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of a device: groups of things that it can count, of each a few at a time. Optional: see Context::counters(). What is counted is the work
// of the context between begin() and end().
#pragma once

#include <cstdint>
#include <span>

#include "pipe/ref.h"

namespace terrazzo::pipe {

/// What the values are: 64-bit numbers, all of them.
struct Counter {
    const char* name;
};

struct CounterGroup {
    const char* name;
    uint32_t max_active;  // that can count at a time
    std::span<const Counter> counters;
};

/// By their places in groups() and in the group.
struct CounterId {
    uint32_t group = 0, counter = 0;
};

/// Counters that count together, begun and ended any number of times: a new begin() forgets what was counted before.
class CounterQuery : public RefCounted {};

class PerformanceCounters {
  public:
    virtual ~PerformanceCounters() = default;
    /// The same as long as the context lives.
    [[nodiscard]] virtual std::span<const CounterGroup> groups() const = 0;
    /// Not more of a group than can count at a time, and one or more. Null: out of memory.
    [[nodiscard]] virtual Ref<CounterQuery> create_counter_query(std::span<const CounterId>) = 0;
    /// Outside render passes, and one query at a time.
    virtual void begin_counters(CounterQuery&) = 0;
    virtual void end_counters(CounterQuery&) = 0;
    /// Of a query that has ended: a value for each counter, in its order. False where not yet available and !wait.
    [[nodiscard]] virtual bool counter_values(CounterQuery&, bool wait, uint64_t* values) = 0;
};

}  // namespace terrazzo::pipe
