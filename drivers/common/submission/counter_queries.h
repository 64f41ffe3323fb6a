// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of a context. The counters of a query are selected and read at the begin and end of
// its work in each submission, and the GPU adds up the differences. Between submissions the GPU can run work
// of other contexts, which may select other counters.
#pragma once

#include <functional>
#include <vector>

#include "drivers/common/submission/queued_recording.h"
#include "drivers/common/submission/sample_count.h"
#include "pipe/counters.h"

namespace terrazzo::submission {

/// An event that a block of the GPU (the group) can count. Programs may use `slots` counters of the block,
/// each of which counts one selected row at a time.
struct CounterRow {
    const char* group;
    unsigned slots;
    const char* name;
};

/// A vendor's rows, ordered by group, in the form of pipe::PerformanceCounters.
class CounterTable {
  public:
    explicit CounterTable(std::span<const CounterRow> rows);
    [[nodiscard]] std::span<const pipe::CounterGroup> groups() const { return groups_; }
    /// The row of a counter.
    [[nodiscard]] size_t row(const pipe::CounterId& id) const { return first_[id.group] + id.counter; }

  private:
    std::vector<pipe::Counter> counters_;
    std::vector<pipe::CounterGroup> groups_;
    std::vector<size_t> first_;  // the first row of each group
};

class CounterQuery final : public pipe::CounterQuery {
  public:
    struct Counter {
        size_t row;
        unsigned slot;  // the number of the block's counter that is used
    };
    /// The memory of one counter: its sum, and its values at the begin and end of the current submission's
    /// work.
    static constexpr uint32_t kSum_B = 0, kBegin_B = 8, kEnd_B = 16, kSize_B = 24;
    std::vector<Counter> counters;
    SampleCount memory;
    [[nodiscard]] uint64_t va(size_t counter) const { return memory.memory()->block.va + counter * kSize_B; }
};

/// A vendor's counters derive from this class.
class CounterQueries : public pipe::PerformanceCounters {
  public:
    [[nodiscard]] std::span<const pipe::CounterGroup> groups() const final { return table_.groups(); }
    pipe::Ref<pipe::CounterQuery> create_counter_query(std::span<const pipe::CounterId> ids) final;
    void begin_counters(pipe::CounterQuery& query) final;
    void end_counters(pipe::CounterQuery& query) final;
    bool counter_values(pipe::CounterQuery& query, bool wait, uint64_t* values) final;

    /// Called before and after each submission, outside of passes.
    void before_submit() {
        if (active_) pause(*active_);
    }
    void after_submit() {
        if (active_) resume(*active_);
    }

  protected:
    /// `submit` submits the recorded work. The table, the recording, and the objects that `submit` uses must
    /// outlive this object.
    CounterQueries(const CounterTable& table, QueuedRecording& recording, std::function<void()> submit)
        : table_(table), recording_(recording), submit_(std::move(submit)) {}

  private:
    // --- a vendor's part
    /// Selects the counters, and records that their values are written to CounterQuery::kBegin_B. The
    /// recording already holds the memory.
    virtual void resume(const CounterQuery& q) = 0;
    /// Records that the counters' values are written to kEnd_B, and the differences added to kSum_B.
    virtual void pause(const CounterQuery& q) = 0;

    const CounterTable& table_;
    QueuedRecording& recording_;
    const std::function<void()> submit_;
    pipe::Ref<CounterQuery> active_;
};

}  // namespace terrazzo::submission
