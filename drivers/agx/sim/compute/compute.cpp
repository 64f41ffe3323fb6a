// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CDM: walks its stream, and runs the workgroups of a launch on several threads. Grids are in threads, so
// that workgroups at the edge may be smaller.
#include <algorithm>
#include <optional>
#include <utility>

#include "drivers/agx/hw/stream_position.h"
#include "drivers/agx/sim/bound_program.h"
#include "drivers/agx/sim/render.h"
#include "drivers/agx/sim/resources/resource_units.h"
#include "drivers/common/units/workgroups.h"

namespace terrazzo::agx::sim {

namespace {

constexpr uint64_t kMostBlocks = uint64_t(1) << 24, kBlocksPerQuestion = 1024;
constexpr uint32_t kMostGroupThreads = 1024;

/// A thread's state.
struct Worker {
    explicit Worker(Machine& m) : core(m.host.space(), units) {}
    ResourceUnits units;
    Core core;
    std::vector<SimdGroup> groups;
    std::vector<uint8_t> local;
};

struct Launch {
    BoundProgram program;
    units::Grid threads;     // of the grid
    units::Grid group_size;  // threads of a whole workgroup
    units::Grid groups;
    uint32_t local_B = 0;
};

class Engine final : public ComputeEngine {
  public:
    explicit Engine(Machine& machine) : machine_(machine) {}

    bool run(const ComputeCommand& command, Fault* fault) override {
        command_ = &command;
        fault_ = fault;
        at_.emplace(command.cdm_ctrl_stream_base);
        ends_ = false;
        begin_worker(0);
        for (uint64_t n = 0; n < kMostBlocks; ++n) {
            uint32_t word;
            if (n % kBlocksPerQuestion == 0 && machine_.host.should_stop()) return true;
            if (!read(at_->va, &word, sizeof word, "CDM stream")) return false;
            ++machine_.counters.packets;
            if (!block(word)) return false;
            if (ends_) return true;
        }
        return refuse("the stream does not end");
    }
    void count(host::Counters* c) override {
        host::Counters now;
        for (const auto& w : workers_) {
            now.instructions += w->core.stats().instructions;
            now.texture_fetches += w->units.texture_fetches();
        }
        *c += now - std::exchange(counted_, now);
    }

  private:
    template <class... Part>
    bool refuse(const Part&... part) {
        return fail(fault_, Exception::BadCommand, "CDM stream at ", host::hex_text(at_->va), ": ", part...);
    }
    bool read(uint64_t va, void* to, uint64_t size_B, const char* what) {
        return machine_.memory.read(va, to, size_B) || fail_access(fault_, machine_.memory, what);
    }
    template <class T>
    bool take(T* out) {
        uint32_t words[T::kSize_dw];
        if (!read(at_->va, words, T::kSize_B, "CDM stream")) return false;
        if (!unpack(words, out)) return refuse("a block has bits without a meaning");
        at_->va += T::kSize_B;
        return true;
    }

    bool block(uint32_t word) {
        switch (hw::CdmBlock(word >> 29)) {
            case hw::CdmBlock::Launch:
                return launch();
            case hw::CdmBlock::StreamLink: {
                hw::CdmStreamLink to;
                return take(&to) && (at_->link(to.target_high, to.target_low, to.with_return) ||
                                     refuse("too many streams wait for others"));
            }
            case hw::CdmBlock::StreamTerminate: {
                hw::CdmStreamTerminate end;
                ends_ = true;
                return take(&end);
            }
            case hw::CdmBlock::Barrier: {
                hw::CdmBarrier barrier;
                return take(&barrier) &&
                       (!barrier.returns || at_->go_back() || refuse("nothing to return to"));
            }
            case hw::CdmBlock::StreamReturn: {
                hw::CdmStreamReturn back;
                return take(&back) && (at_->go_back() || refuse("nothing to return to"));
            }
        }
        return refuse("no block has type ", word >> 29);
    }

    bool sizes(const hw::CdmLaunch& l, units::Grid* threads, units::Grid* group) {
        const auto grid_of = [](const hw::CdmSize& s) { return units::Grid{{s.x, s.y, s.z}}; };
        hw::CdmSize size;
        hw::CdmIndirect indirect;
        uint32_t words[6] = {};
        if (l.mode == hw::CdmMode::Direct) {
            if (!take(&size)) return false;
            *threads = grid_of(size);
        } else {
            const bool both = l.mode == hw::CdmMode::IndirectLocal;
            if (!take(&indirect)) return false;
            const uint64_t va = uint64_t(indirect.address_high) << 32 | indirect.address_low;
            if (!read(va, words, both ? 24 : 12, "sizes of a launch")) return false;
            *threads = {{words[0], words[1], words[2]}};
            *group = {{words[3], words[4], words[5]}};
            if (both) return true;
        }
        if (!take(&size)) return false;
        *group = grid_of(size);
        return true;
    }

    bool launch() {
        hw::CdmLaunch l;
        if (!take(&l)) return false;
        if (l.mode > hw::CdmMode::IndirectLocal) return refuse("mode ", unsigned(l.mode), " of a launch");
        const uint64_t number = ++machine_.counters.dispatches;
        Launch d;
        if (!sizes(l, &d.threads, &d.group_size)) return false;
        if (!d.group_size.count() || d.group_size.count() > kMostGroupThreads)
            return refuse("a workgroup of ", d.group_size.count(), " threads");
        for (unsigned a = 0; a < 3; ++a)
            d.groups.size[a] =
                (uint64_t(d.threads.size[a]) + d.group_size.size[a] - 1) / d.group_size.size[a];
        if (!d.groups.is_countable()) return refuse("2^64 workgroups or more");
        hw::Counts counts;
        counts.uniforms = l.uniforms, counts.textures = l.textures, counts.samplers = l.samplers;
        counts.preshader_registers = l.preshader_registers;
        begin_worker(0);  // an earlier launch may have stored code and descriptors
        if (!bind_program(workers_[0]->core, command_->usc_base, l.pipeline, counts,
                          host::text_of("program of launch ", number), &d.program, fault_))
            return false;
        d.program.bindings.sampler_heap = command_->sampler_heap;
        d.program.bindings.sampler_heap_count = command_->sampler_count;
        if (d.program.has_shared && d.program.shared.uses_shared_memory) d.local_B = d.program.shared.size;
        const bool done = run_groups(d, number);
        machine_.host.note_progress();
        return done;
    }

    void begin_worker(unsigned n) {
        if (workers_.size() == n) workers_.push_back(std::make_unique<Worker>(machine_));
        Worker& w = *workers_[n];
        w.core.memory().refresh();
        w.core.programs().begin_job();
        w.core.turn_limit = machine_.turn_limit;
        w.core.host = &machine_.host;
        w.units.forget();
    }

    bool run_groups(const Launch& d, uint64_t number) {
        const uint64_t count = d.groups.count();
        if (!count) return true;
        const auto simds = unsigned((d.group_size.count() + kThreads - 1) / kThreads);
        const unsigned threads = units::workgroup_threads(count, simds, machine_.threads);
        for (unsigned n = 0; n < threads; ++n) {
            begin_worker(n);
            Worker& w = *workers_[n];
            w.groups.resize(simds);
            w.local.assign(d.local_B, 0);
        }
        units::WorkgroupFailure<Fault> failure;
        const units::AreaResult result = units::run_workgroups(
            {0, count, 1}, machine_.on_threads(threads),
            [&](unsigned worker, uint64_t* group, uint64_t, Fault* mine) {
                return run_group(d, *workers_[worker], *group, number, mine);
            },
            [](Fault* mine) { fail_without_memory(mine); }, [&] { return machine_.host.should_stop(); },
            &failure);
        if (result == units::AreaResult::Failed) *fault_ = std::move(failure.fault);
        return result != units::AreaResult::Failed;
    }

    bool run_group(const Launch& d, Worker& w, uint64_t number, uint64_t launch, Fault* fault) {
        const auto place = d.groups.place_of(number);
        units::Grid size = d.group_size;
        for (unsigned a = 0; a < 3; ++a)
            size.size[a] = std::min(size.size[a], d.threads.size[a] - place[a] * size.size[a]);
        const auto all = uint32_t(size.count());
        const unsigned simds = (all + kThreads - 1) / kThreads;
        for (unsigned n = 0; n < simds; ++n) {
            SimdGroup& g = w.groups[n];
            const uint32_t first = n * kThreads, count = std::min(kThreads, all - first);
            g.threads = count == kThreads ? ~0u : (1u << count) - 1;
            g.helpers = 0;
            g.registers = d.program.registers;
            g.uniforms = const_cast<Uniforms*>(&d.program.uniforms);  // only preshaders write them
            g.bindings = &d.program.bindings;
            g.local = w.local;
            g.stack_B = d.program.stack_B;
            g.special = {};
            g.special.simd_in_group = n;
            auto at = size.place_of(first);
            for (unsigned t = 0; t < count; ++t) {
                wave::put_at(g.special.index_in_group, t, first + t);
                for (unsigned a = 0; a < 3; ++a) {
                    wave::put_at(g.special.in_group[a], t, at[a]);
                    wave::put_at(g.special.in_grid[a], t, place[a] * d.group_size.size[a] + at[a]);
                }
                (void)size.step(&at);
            }
            for (unsigned a = 0; a < 3; ++a) {
                g.special.group[a] = place[a];
                g.special.group_size[a] = size.size[a];
                g.special.whole_group_size[a] = d.group_size.size[a];
            }
            w.core.start(g, d.program.code_va);
        }
        CoreFault f;
        if (core::take_turns(
                simds, [&](unsigned n) { return w.groups[n].flow.live != 0; },
                [&](unsigned n) { return w.core.run(w.groups[n], &f); }))
            return true;
        return fail_core(fault, f, d.program.code_va,
                         host::text_of("program of launch ", launch, ", workgroup ", number));
    }

    Machine& machine_;
    const ComputeCommand* command_ = nullptr;
    Fault* fault_ = nullptr;
    std::optional<hw::StreamPosition> at_;
    bool ends_ = false;
    std::vector<std::unique_ptr<Worker>> workers_;
    host::Counters counted_;
};

}  // namespace

std::unique_ptr<ComputeEngine> create_compute_engine(Machine& machine) {
    return std::make_unique<Engine>(machine);
}

}  // namespace terrazzo::agx::sim
