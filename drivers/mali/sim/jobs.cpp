// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One object for all jobs, and their workers.
#include "drivers/mali/sim/jobs.h"

#include "drivers/mali/sim/compute/compute.h"
#include "drivers/mali/sim/fragment/job.h"
#include "drivers/mali/sim/tiler/idvs.h"
#include "drivers/mali/sim/worker.h"

namespace terrazzo::mali::sim {

namespace {

class Units3d final : public Jobs {
  public:
    Units3d(Machine& machine, TargetWatcher* watcher)
        : machine_(machine), watcher_(watcher), idvs_(machine), compute_(machine) {}

    JobStatus idvs(const hw::CsRunIdvs& how, const CsRegisters& registers, HeapUse& heap,
                   DrawProgress* progress, Fault* fault) override {
        begin();
        return named(idvs_.run(how, registers, heap, progress, fault), fault);
    }
    JobStatus fullscreen(const hw::CsRunFullscreen& how, const CsRegisters& registers, HeapUse& heap,
                         Fault* fault) override {
        begin();
        return named(add_fullscreen(how, registers, heap, fault), fault);
    }
    JobStatus fragment(const hw::CsRunFragment& how, const CsRegisters& registers, Fault* fault) override {
        begin();
        return FragmentJob(machine_, fragment_memory_, watcher_).run(how, registers, fault);
    }
    JobStatus compute(const hw::CsRunCompute& how, const CsRegisters& registers, Fault* fault) override {
        begin();
        return compute_.run(how.srt_select, how.fau_select, how.spd_select, how.tsd_select, registers, fault);
    }
    JobStatus compute_indirect(const hw::CsRunComputeIndirect& how, const CsRegisters& registers,
                               Fault* fault) override {
        begin();
        return compute_.run(how.srt_select, how.fau_select, how.spd_select, how.tsd_select, registers, fault);
    }
    JobStatus finish_tiling(const CsRegisters& registers, HeapUse& heap, Fault* fault) override {
        // The list is complete after each draw; only the context is checked.
        begin();
        TilerMemory memory(machine_, heap);
        return memory.open(registers.pair(hw::IdvsRegisters::tiler_context), fault) ? JobStatus::Done
                                                                                    : JobStatus::Fault;
    }
    JobStatus finish_fragment(uint64_t first_chunk, uint64_t last_chunk, HeapUse& heap,
                              Fault* fault) override {
        begin();
        return give_chunks_back(machine_, first_chunk, last_chunk, heap, fault) ? JobStatus::Done
                                                                                : JobStatus::Fault;
    }
    void count(host::Counters* c) const override {
        c->fragments = c->samples_passed = c->instructions = c->texture_fetches = 0;
        idvs_.count(c);
        compute_.count(c);
        for (const auto& w : fragment_memory_.workers) {
            c->fragments += w->fragments;
            c->samples_passed += w->samples_passed;
            count_work(*w, c);
        }
    }

  private:
    void begin() {
        machine_.memory.refresh();
        machine_.programs.begin_job();
    }
    JobStatus named(JobStatus s, Fault* fault) {
        if (s == JobStatus::Fault) prefix(fault, "draw " + std::to_string(machine_.draws));
        return s;
    }
    JobStatus add_fullscreen(const hw::CsRunFullscreen& how, const CsRegisters& r, HeapUse& heap,
                             Fault* fault) {
        using F = hw::FullscreenRegisters;
        TilerMemory memory(machine_, heap);
        if (!memory.open(r.pair(F::tiler_context), fault)) return JobStatus::Fault;
        struct {
            DrawRecord draw;
            SegmentRecord segment;
        } records;
        uint64_t va = 0;
        if (const JobStatus s = memory.allocate(sizeof(records), &va, fault); s != JobStatus::Done) return s;
        records.draw.number = machine_.draws;
        records.draw.dcd = r.pair(how.dcd);
        records.draw.scissor[0] = r.r[F::scissor];
        records.draw.scissor[1] = r.r[F::scissor + 1];
        records.segment.draw = va;
        if (!machine_.memory.write(va, &records, sizeof(records)))
            return report_access(fault, machine_.memory, "tiler heap"), JobStatus::Fault;
        const uint64_t segment = va + uint64_t(reinterpret_cast<uint8_t*>(&records.segment) -
                                               reinterpret_cast<uint8_t*>(&records));
        return memory.append_segment(segment, fault) && memory.close(fault) ? JobStatus::Done
                                                                            : JobStatus::Fault;
    }

    Machine& machine_;
    TargetWatcher* const watcher_;
    Idvs idvs_;
    ComputeJobs compute_;
    FragmentMemory fragment_memory_;
};

}  // namespace

std::unique_ptr<Jobs> make_jobs(Machine& machine, TargetWatcher* watcher) {
    return std::make_unique<Units3d>(machine, watcher);
}

}  // namespace terrazzo::mali::sim
