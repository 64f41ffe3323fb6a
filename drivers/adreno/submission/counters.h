// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of a context. A query's counters are selected and read around the work in each submission, and the GPU adds up the differences: other
// contexts may have the GPU, and select others, between submissions. Source: Mesa 25.0.7, fd6_query.cc (perfcntr_resume, perfcntr_pause).
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
    /// Of a counter in memory.
    static constexpr uint32_t kSum_B = 0, kBegin_B = 8, kEnd_B = 16, kSize_B = 24;
    std::vector<Counter> counters;
    submission::SampleCount memory;
};

class AdrenoCounters final : public pipe::PerformanceCounters {
  public:
    /// `submit` hands what is recorded to the kernel. Both outlive it.
    AdrenoCounters(Recorder& recorder, std::function<void()> submit)
        : recorder_(recorder), submit_(std::move(submit)) {}

    std::span<const pipe::CounterGroup> groups() const override;
    pipe::Ref<pipe::CounterQuery> create_counter_query(std::span<const pipe::CounterId> ids) override;
    void begin_counters(pipe::CounterQuery& query) override;
    void end_counters(pipe::CounterQuery& query) override;
    bool counter_values(pipe::CounterQuery& query, bool wait, uint64_t* values) override;

    /// Around a submission, outside of passes.
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
