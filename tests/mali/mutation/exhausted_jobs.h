// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Jobs of a group in a recording that is replayed, with a heap that is exhausted at times, and a callback at
// the end of each job.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/sim/csf/front_end.h"
#include "drivers/mali/sim/jobs.h"

namespace terrazzo::test {

namespace sim = mali::sim;
namespace hw = mali::hw;
using hw::CsOpcode;

constexpr unsigned kFragmentQueue = 1;  // of our driver: the queue for whose end the host waits

/// The kind of job that a queue's streams start. A handler of the vertex queue may start other kinds.
inline CsOpcode job_of(unsigned queue) {
    return queue == 0                ? CsOpcode::RUN_IDVS
           : queue == kFragmentQueue ? CsOpcode::RUN_FRAGMENT
                                     : CsOpcode::RUN_COMPUTE;
}

/// Reports an exhausted heap at the first two draws of a pass, until the earlier passes have been drawn.
class ExhaustedJobs final : public sim::Jobs {
  public:
    /// done(kind): called after a job that ended without an error.
    ExhaustedJobs(std::unique_ptr<sim::Jobs> jobs, sim::Order& order, bool active,
                  std::function<void(CsOpcode)> done)
        : jobs_(std::move(jobs)), order_(order), active_(active), done_(std::move(done)) {}
    void begin_stream() { passes_.clear(); }
    sim::JobStatus idvs(const hw::CsRunIdvs& how, const sim::CsRegisters& r, sim::HeapUse& heap,
                        sim::DrawProgress* progress, sim::Fault* fault) override {
        Pass& pass = passes_[r.pair(hw::IdvsRegisters::tiler_context)];
        if (active_ && pass.draws < 2 && !pass.refused) {
            pass.refused = true;
            return sim::JobStatus::OutOfHeap;
        }
        // The jobs of the fragment queue that the vertex queue has waited for.
        if (pass.refused &&
            (heap.in_flight > 1 || !order_.knows(0, kFragmentQueue, order_.job(kFragmentQueue)))) {
            fault->report = "the heap is still exhausted: passes before were not waited for";
            return sim::JobStatus::Fault;
        }
        const sim::JobStatus s = jobs_->idvs(how, r, heap, progress, fault);
        if (s == sim::JobStatus::Done) ++pass.draws, pass.refused = false;
        return ended(CsOpcode::RUN_IDVS, s);
    }
    sim::JobStatus fullscreen(const hw::CsRunFullscreen& how, const sim::CsRegisters& r, sim::HeapUse& heap,
                              sim::Fault* fault) override {
        return jobs_->fullscreen(how, r, heap, fault);
    }
    sim::JobStatus fragment(const hw::CsRunFragment& how, const sim::CsRegisters& r,
                            sim::Fault* fault) override {
        return ended(CsOpcode::RUN_FRAGMENT, jobs_->fragment(how, r, fault));
    }
    sim::JobStatus compute(const hw::CsRunCompute& how, const sim::CsRegisters& r,
                           sim::Fault* fault) override {
        return ended(CsOpcode::RUN_COMPUTE, jobs_->compute(how, r, fault));
    }
    sim::JobStatus compute_indirect(const hw::CsRunComputeIndirect& how, const sim::CsRegisters& r,
                                    sim::Fault* fault) override {
        return jobs_->compute_indirect(how, r, fault);
    }
    sim::JobStatus finish_tiling(const sim::CsRegisters& r, sim::HeapUse& heap, sim::Fault* fault) override {
        return jobs_->finish_tiling(r, heap, fault);
    }
    sim::JobStatus finish_fragment(uint64_t first, uint64_t last, sim::HeapUse& heap,
                                   sim::Fault* fault) override {
        return jobs_->finish_fragment(first, last, heap, fault);
    }

  private:
    sim::JobStatus ended(CsOpcode kind, sim::JobStatus s) {
        if (s == sim::JobStatus::Done) done_(kind);
        return s;
    }
    struct Pass {
        unsigned draws = 0;
        bool refused = false;
    };
    const std::unique_ptr<sim::Jobs> jobs_;
    sim::Order& order_;
    const bool active_;
    const std::function<void(CsOpcode)> done_;
    std::map<uint64_t, Pass> passes_;
};

}  // namespace terrazzo::test
