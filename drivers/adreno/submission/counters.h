// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of a context. The counters of a query are selected and read at the begin and end of
// its work in each submission, and the GPU adds up the differences: between submissions other contexts can
// run, and select other counters. Source: Mesa 25.0.7, fd6_query.cc (perfcntr_resume, perfcntr_pause).
#pragma once

#include <functional>
#include <vector>

#include "drivers/adreno/submission/recorder.h"
#include "drivers/common/submission/sample_count.h"
#include "pipe/counters.h"

namespace terrazzo::adreno {

class AdrenoCounterQuery final : public pipe::CounterQuery {
  public:
    struct Counter {
        uint16_t select, counter;  // registers
        uint32_t selector;
    };
    /// The memory of one counter: its sum, and its values at the begin and end of the current submission's
    /// work.
    static constexpr uint32_t kSum_B = 0, kBegin_B = 8, kEnd_B = 16, kSize_B = 24;
    std::vector<Counter> counters;
    submission::SampleCount memory;
};

class AdrenoCounters final : public pipe::PerformanceCounters {
  public:
    /// `submit` submits the recorded work. `recorder` and what `submit` refers to must outlive this object.
    AdrenoCounters(Recorder& recorder, std::function<void()> submit)
        : recorder_(recorder), submit_(std::move(submit)) {}

    std::span<const pipe::CounterGroup> groups() const override;
    pipe::Ref<pipe::CounterQuery> create_counter_query(std::span<const pipe::CounterId> ids) override;
    void begin_counters(pipe::CounterQuery& query) override;
    void end_counters(pipe::CounterQuery& query) override;
    bool counter_values(pipe::CounterQuery& query, bool wait, uint64_t* values) override;

    /// Called before and after each submission, outside of passes.
    void before_submit() {
        if (active_) pause(*active_);
    }
    void after_submit() {
        if (active_) resume(*active_);
    }

  private:
    void resume(AdrenoCounterQuery& q);
    void pause(AdrenoCounterQuery& q);

    Recorder& recorder_;
    const std::function<void()> submit_;
    pipe::Ref<AdrenoCounterQuery> active_;
};

}  // namespace terrazzo::adreno
