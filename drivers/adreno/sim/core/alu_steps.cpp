// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Categories 1 to 4 and bary.f: straight runs as a whole, and single steps with all checks.
#include <algorithm>

#include "drivers/adreno/sim/core/execution.h"
#include "drivers/adreno/sim/core/lower.h"

namespace terrazzo::adreno::sim {

core::LaneState Execution::lane_state() {
    return {&w_.rows[0][0], kMaxGroups, w_.groups, w_.constants.data(), running_};
}

// False: the run must be executed step by step, up to its end.
bool Execution::run_straight() {
    const Run& run = program_->runs->from(*program_, uint32_t(flow_.pc), w_.mode());
    const bool merged_fits = w_.merged_registers && run.half_registers <= 2 * w_.full_registers;
    if (run.steps == 0 || h_.barrier_ss || h_.barrier_sy || w_.check_defined || !exec_.any() ||
        run.full_registers > w_.full_registers || (run.half_registers > w_.half_registers && !merged_fits) ||
        run.constants > w_.constants.size() || !within_limit(run.steps) || !may_start(run, h_, exec_) ||
        !load_planes(run.planes)) {
        stepwise_until_ = uint32_t(flow_.pc) + std::max(run.steps, 1u);
        return false;
    }
    if (run.code) run.code->run(lane_state());
    sim::advance(run, &h_, exec_);
    core_.stats_.add(run.stats);
    core_.stats_.lane_instructions += uint64_t(count_) * run.steps;
    count(run.steps);
    flow_.pc += run.steps;
    return true;
}

// The checks of a straight step, in the order of its accesses.
bool Execution::check_accesses() {
    const bool special = s_->kind == StepKind::Special;
    const auto read = [&](const Access& a) {
        const Operand& o = *a.operand;
        const unsigned i = unsigned(o.index) + a.step;
        if (o.from == From::Constant)
            return check_constants_written() && check_constant(i, o, exec_.any() ? exec_.lowest() : 0);
        return check_footprint(o.from, i) &&
               check_read(units_of(o.from, i, o.half), o.from != From::Half, h_.now + a.cycle,
                          special ? Reader::Unit : Reader::Alu, exec_);
    };
    const auto write = [&](const Access& a) {
        const Operand& d = *a.operand;
        if (!exec_.any()) return true;
        const unsigned i = unsigned(d.index) + a.step;
        const UnitRange units = units_of(d.from, i, d.half);
        if (!check_footprint(d.from, i) || !check_written(units, exec_)) return false;
        if (w_.check_defined) w_.defined.add(units, exec_);
        if (special) {
            h_.wrote_later(units);
            h_.result_ss.add(units, exec_);
        } else {
            h_.wrote(units, d.from != From::Half, h_.now + a.cycle + 1, exec_);
        }
        return true;
    };
    return each_access(*s_, read, write);
}

// The planes that a run reads are in rows.
bool Execution::load_planes(uint32_t locations) {
    locations &= ~w_.planes;
    if (!locations) return true;
    const core::DenormalMode keep(core::DenormalMode::Mode::Keep);
    if (!core_.units_->planes(w_, locations)) return false;
    w_.planes |= locations;
    return true;
}

// A step with operands that have no row: values are read and written with all checks, execution by execution.
bool Execution::alu_apart() {
    const core::MicroBlock& block = program_->runs->step(*program_, uint32_t(flow_.pc), w_.mode());
    const bool special = s_->kind == StepKind::Special;
    for (unsigned r = 0; r < executions(*s_); ++r) {
        for (unsigned n = 0; n < source_count(*s_); ++n) {
            const Access a = source_of(*s_, n, r);
            U32* const row = w_.rows[kSourceRow + n];
            const U32* v =
                read(*a.operand, a.step, h_.now + a.cycle, special ? Reader::Unit : Reader::Alu, row);
            if (!v) return false;
            if (v != row) std::copy_n(v, w_.groups, row);
        }
        core::interpret(block, lane_state());
        for (unsigned n = 0; n < result_count(*s_); ++n) {
            const Access a = result_of(*s_, n, r);
            const U32* v = w_.rows[kResultRow + n];
            // Sources are held only after the loop: a repeat may overwrite those of earlier repeats.
            if (!(special ? write_result(*a.operand, a.step, v, isa::Sync::kSs)
                          : write(*a.operand, a.step, v, h_.now + a.cycle)))
                return false;
        }
    }
    return true;
}

bool Execution::alu() {
    held_count_ = 0;
    if (s_->straight) {
        if (!check_accesses()) return false;
        core::interpret(program_->runs->step(*program_, uint32_t(flow_.pc), w_.mode()), lane_state());
    } else if (!alu_apart()) {
        return false;
    }
    if (s_->kind == StepKind::Special) hold_sources(true);
    if (s_->dst[0].from == From::Shared && s_->kind != StepKind::Moves) hold_sources_of_shared();
    return true;
}

// Results for shared registers are written later.
void Execution::hold_sources_of_shared() {
    const bool scalar = core_.has_scalar_alu && s_->scalar, moves = s_->kind == StepKind::Move;
    for (unsigned n = 0; n < s_->source_count; ++n) {
        const Operand& o = s_->src[n];
        if (o.from == From::Full || o.from == From::Half || (o.from == From::Shared && !moves))
            (scalar && o.from == From::Shared ? h_.source_scalar : h_.source_ss)
                .add(units_of(o.from, unsigned(o.index), o.half), exec_);
    }
}

bool Execution::movmsk() {
    for (unsigned n = 0; n < s_->instr.mask_words(); ++n) {
        const uint32_t bits = n < 4 ? uint32_t(exec_.word[n / 2] >> 32 * (n & 1)) : 0;
        Lanes v;
        for (U32& g : v)
            g = wave::splat(bits);
        if (!write(s_->dst[0], n, v, h_.now + n)) return false;
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
