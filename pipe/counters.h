// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of a device: groups of counters, of which some can count at the same time. Optional:
// see Context::counters(). They count the context's work between begin_counters() and end_counters().
#pragma once

#include <cstdint>
#include <span>

#include "pipe/ref.h"

namespace terrazzo::pipe {

/// A counter. All values are 64-bit numbers.
struct Counter {
    const char* name;
};

struct CounterGroup {
    const char* name;
    uint32_t max_active;  // number of counters that can count at the same time
    std::span<const Counter> counters;
};

/// The indices in groups() and in the group.
struct CounterId {
    uint32_t group = 0, counter = 0;
};

/// Counters that count together. The query may be begun and ended repeatedly; each begin_counters() resets
/// the values.
class CounterQuery : public RefCounted {};

class PerformanceCounters {
  public:
    virtual ~PerformanceCounters() = default;
    /// Constant while the context lives.
    [[nodiscard]] virtual std::span<const CounterGroup> groups() const = 0;
    /// At least one counter, and at most CounterGroup::max_active of each group. Null: out of memory.
    [[nodiscard]] virtual Ref<CounterQuery> create_counter_query(std::span<const CounterId>) = 0;
    /// Outside render passes, one query at a time.
    virtual void begin_counters(CounterQuery&) = 0;
    virtual void end_counters(CounterQuery&) = 0;
    /// The values of an ended query, in the order of its counters. False: they are not available yet, and
    /// `wait` is false.
    [[nodiscard]] virtual bool counter_values(CounterQuery&, bool wait, uint64_t* values) = 0;
};

}  // namespace terrazzo::pipe
