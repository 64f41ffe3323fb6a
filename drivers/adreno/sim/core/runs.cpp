// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Finds straight runs, and executes their hazards once, for lanes that have nothing in flight.
#include "drivers/adreno/sim/core/runs.h"

#include <algorithm>

#include "drivers/adreno/sim/core/lower.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMostSteps = 128;

class RunBuilder {
  public:
    RunBuilder(const Program& program, RegisterMode mode) : program_(program), mode_(mode) {}

    /// Up to `limit` steps. Null: a step breaks a rule, the one after `*steps`.
    std::unique_ptr<Run> build(uint32_t pc, unsigned limit, unsigned* steps) {
        core::MicroBlock block;
        block.row_groups = kMaxGroups;
        core::MicroBuilder micro(&block);
        for (; run_->steps < limit && pc < program_.steps.size(); ++run_->steps, ++pc) {
            const Step& s = program_.steps[pc];
            if (!s.straight || (run_->steps > 0 && (s.jp || s.is_target))) break;
            *steps = run_->steps;
            if (!add(s)) return nullptr;
            if (s.kind != StepKind::Flow) lower(s, mode_, micro);
        }
        finish();
        if (!block.code.empty()) run_->code = core::block_cache().prepare(std::move(block));
        return std::move(run_);
    }

  private:
    static constexpr uint64_t kStart = 16;  // the static clock at the run's start
    /// The last write of a unit.
    struct Last {
        enum class Kind : uint8_t { None, Alu, Later } kind = Kind::None;
        bool full = false;
        uint32_t cycle = 0;
    };

    // False: the step breaks a rule.
    bool add(const Step& s) {
        Run& r = *run_;
        if (s.sy) {
            h_->wait_sy();
            r.waits_sy = true;
        }
        if (s.ss) {
            h_->wait_ss();
            r.waits_ss = true;
            r.results_ss.clear();
            r.sources_ss.clear();
            r.has_results = false;
        }
        if (s.kind != StepKind::Flow && !add_accesses(s)) return false;
        h_->now += s.cycles;
        r.cycles += s.cycles;
        ++r.stats.instructions[s.category];
        r.stats.half_instructions[s.category] += s.half;
        r.stats.idle_cycles += s.kind == StepKind::Flow ? s.cycles : 0;
        return true;
    }

    bool add_accesses(const Step& s) {
        const bool special = s.kind == StepKind::Special;
        std::vector<UnitRange> held;
        for (unsigned r = 0; is_input(s) && s.dst[0].from != From::Nowhere && r <= s.repeat; ++r)
            run_->planes |= 1u << (s.src[0].value + (s.src[0].repeat ? r : 0));
        if (!each_access(
                s, [&](const Access& a) { return read(a, !special, &held); },
                [&](const Access& a) { return write(a, special); }))
            return false;
        if (!special) return true;
        for (const UnitRange units : held) {
            h_->source_ss.add(units, all_);
            run_->sources_ss.add(units);
            run_->has_results = true;
        }
        return true;
    }

    // False: there is no such register.
    bool need_register(const Operand& o, unsigned i) {
        if (i >= kFullRegisters) return false;
        if (o.from == From::Full) run_->full_registers = std::max(run_->full_registers, i / 4 + 1);
        if (o.from == From::Half) run_->half_registers = std::max(run_->half_registers, i / 4 + 1);
        return true;
    }

    bool read(const Access& a, bool alu, std::vector<UnitRange>* held) {
        const Operand& o = *a.operand;
        Run& r = *run_;
        const unsigned i = unsigned(a.operand->index) + a.step;
        if (o.from == From::Constant) {
            r.constants = std::max(r.constants, (o.half && !mode_.demotes ? i / 2 : i) + 1);
            r.constants_before_ss |= !r.waits_ss;
            r.constants_before_sy |= !r.waits_sy;
            return true;
        }
        if (!need_register(o, i)) return false;
        const UnitRange units = units_of(o.from, i, o.half, mode_.merged);
        const bool full = o.from != From::Half;
        if (h_->of_read(units, alu, full, false, h_->now + a.cycle, all_)) return false;
        held->push_back(units);
        add_access(units);
        const uint64_t cycle = h_->now + a.cycle - kStart;
        if (cycle >= Hazards::kMostDelay) return true;
        for (unsigned u = units.first; u < unsigned(units.first) + units.count; ++u) {
            if (last_[u].kind != Last::Kind::None) continue;
            const UnitRange unit{uint16_t(u), 1};
            const auto known = std::find_if(
                r.early_reads.begin(), r.early_reads.end(),
                [&](const Run::Read& e) { return e.units == unit && e.alu == alu && e.full == full; });
            if (known == r.early_reads.end())
                r.early_reads.push_back({unit, alu, full, uint8_t(cycle)});
            else
                known->cycle = std::min(known->cycle, uint8_t(cycle));
        }
        return true;
    }

    bool write(const Access& a, bool special) {
        const Operand& d = *a.operand;
        const unsigned i = unsigned(a.operand->index) + a.step;
        if (!need_register(d, i)) return false;
        const UnitRange units = units_of(d.from, i, d.half, mode_.merged);
        if (h_->of_write(units, false, all_)) return false;
        add_access(units);
        if (!run_->waits_ss) run_->written_before_ss.add(units);
        if (!run_->waits_ss && !run_->waits_sy) run_->written_before_any.add(units);
        const uint64_t cycle = h_->now + a.cycle + 1;
        const bool full = d.from != From::Half;
        if (special) {
            h_->wrote_later(units);
            h_->result_ss.add(units, all_);
            run_->results_ss.add(units);
            run_->has_results = true;
        } else {
            h_->wrote(units, full, cycle, all_);
        }
        for (unsigned u = units.first; u < unsigned(units.first) + units.count; ++u)
            last_[u] = {special ? Last::Kind::Later : Last::Kind::Alu, full, uint32_t(cycle - kStart)};
        return true;
    }

    void add_access(UnitRange units) {
        if (!run_->waits_ss) run_->accessed_before_ss.add(units);
        if (!run_->waits_sy) run_->accessed_before_sy.add(units);
    }

    void finish() {
        Run& r = *run_;
        for (unsigned u = 0; u < kUnits; ++u) {
            const Last& l = last_[u];
            const UnitRange unit{uint16_t(u), 1};
            if (l.kind == Last::Kind::Later) r.written_later.push_back(unit);
            if (l.kind != Last::Kind::Alu || l.cycle + Hazards::kMostDelay <= r.cycles) continue;
            Run::Write* const before = r.writes.empty() ? nullptr : &r.writes.back();
            if (before && before->units.first + before->units.count == u && before->full == l.full &&
                before->cycle == l.cycle)
                ++before->units.count;
            else
                r.writes.push_back({unit, l.full, l.cycle});
        }
    }

    const Program& program_;
    const RegisterMode mode_;
    const LaneMask all_ = LaneMask::first(kMaxLanes);
    std::unique_ptr<Run> run_ = std::make_unique<Run>();
    std::unique_ptr<Hazards> h_ = std::make_unique<Hazards>();
    std::vector<Last> last_ = std::vector<Last>(kUnits);
};

}  // namespace

bool may_start(const Run& r, const Hazards& h, const LaneMask& lanes) {
    if ((h.constants_ss && r.constants_before_ss) || (h.constants_sy && r.constants_before_sy)) return false;
    if (h.result_ss.intersects(r.accessed_before_ss) || h.scalar_full.intersects(r.accessed_before_ss) ||
        h.scalar_half.intersects(r.accessed_before_ss) || h.result_sy.intersects(r.accessed_before_sy) ||
        h.source_ss.intersects(r.written_before_ss) || h.source_scalar.intersects(r.written_before_ss) ||
        h.source_any.intersects(r.written_before_any))
        return false;
    if (h.is_settled()) return true;
    for (const Run::Read& e : r.early_reads)
        if (h.early(e.units, e.alu, e.full, h.now + e.cycle, lanes)) return false;
    return true;
}

void advance(const Run& r, Hazards* h, const LaneMask& lanes) {
    if (r.waits_sy) h->wait_sy();
    if (r.waits_ss) h->wait_ss();
    for (const UnitRange units : r.written_later)
        h->wrote_later(units);
    for (const Run::Write& w : r.writes)
        h->wrote(w.units, w.full, h->now + w.cycle, lanes);
    if (r.has_results) {
        h->result_ss.add(r.results_ss, lanes);
        h->source_ss.add(r.sources_ss, lanes);
    }
    h->now += r.cycles;
}

const Run& Runs::from(const Program& program, uint32_t pc, RegisterMode mode) {
    auto& runs = runs_[mode.index()];
    if (runs.empty()) runs.resize(program.steps.size());
    unsigned steps = kMostSteps;
    while (!runs[pc])
        runs[pc] = RunBuilder(program, mode).build(pc, steps, &steps);
    return *runs[pc];
}

const core::MicroBlock& Runs::step(const Program& program, uint32_t pc, RegisterMode mode) {
    auto& steps = steps_[mode.index()];
    if (steps.empty()) steps.resize(program.steps.size());
    if (!steps[pc]) {
        steps[pc] = std::make_unique<core::MicroBlock>();
        core::MicroBuilder build(steps[pc].get());
        const Step& s = program.steps[pc];
        s.straight ? lower(s, mode, build) : lower_apart(s, build);
    }
    return *steps[pc];
}

}  // namespace terrazzo::adreno::sim
