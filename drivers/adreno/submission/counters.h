// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of a context. Source: Mesa 25.0.7, fd6_query.cc (perfcntr_resume, perfcntr_pause).
#pragma once

#include "drivers/adreno/submission/recorder.h"
#include "drivers/common/submission/counter_queries.h"

namespace terrazzo::adreno {

class AdrenoCounters final : public submission::CounterQueries {
  public:
    /// See CounterQueries().
    AdrenoCounters(Recorder& recorder, std::function<void()> submit);

  private:
    void resume(const submission::CounterQuery& q) override;
    void pause(const submission::CounterQuery& q) override;

    Recorder& recorder_;
};

}  // namespace terrazzo::adreno
