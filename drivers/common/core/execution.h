// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The outer loop of a wave's run: chooses the lanes that run, keeps limits, and reports faults. The vendor
// executes what is at the program counter: a straight run of instructions, or one with all checks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "drivers/common/core/fault.h"
#include "drivers/common/core/waiting.h"
#include "drivers/common/host/text.h"
#include "drivers/common/wave/lane_mask.h"
#include "drivers/common/window/window.h"

namespace terrazzo::host {
class Host;
}

namespace terrazzo::core {

template <class Vendor, class Core, class Flow>
class Execution;

/// What a core keeps from wave to wave. `Programs` is a ProgramCache. A core belongs to one thread.
template <class Units, class Programs, class Stats>
class ShaderCore {
  public:
    ShaderCore(window::Space& space, Units& units) : memory_(space), units_(&units) {}

    window::Window& memory() { return memory_; }
    Programs& programs() { return programs_; }
    const Stats& stats() const { return stats_; }
    /// The instructions that a wave may execute before it counts as endless.
    uint64_t turn_limit = 1ull << 24;
    /// A wave regularly calls its should_stop(), and faults if that is true. Null: waves are never stopped.
    const host::Host* host = nullptr;

  protected:
    template <class Vendor, class Core, class Flow>
    friend class Execution;

    window::Window memory_;
    Units* units_;
    Programs programs_;
    Stats stats_;
    uint64_t turns_ = 0, asks_at_ = 0;  // instructions of all waves; their number at the next should_stop()
};

/// One run() of a wave. `Flow` is the wave's LaneFlow. `Vendor` derives from this class, and has
///     bool advance();                // executes what is at flow_.pc, and says where the lanes go on
///     uint64_t address() const;      // of the instruction at flow_.pc
///     std::string text() const;      // its text
///     Flow::LaneSet executing() const  // the lanes that execute it
/// advance() calls count(), and sets `stops_` where the wave waits for the workgroup's other waves.
template <class Vendor, class Core, class Flow>
class Execution {
  public:
    using LaneSet = typename Flow::LaneSet;
    Execution(Core& core, Flow& flow, CoreFault* fault) : core_(core), flow_(flow), fault_(fault) {}

    Outcome run() {
        while (flow_.running != LaneSet{} || flow_.regroup()) {
            if (!may_go_on() || !vendor().advance()) return Outcome::Fault;
            if (stops_) return Outcome::Barrier;
        }
        return Outcome::Done;
    }

  protected:
    [[nodiscard]] bool within_limit(uint32_t steps) const { return flow_.turns + steps <= core_.turn_limit; }
    void count(uint32_t steps) {
        flow_.turns += steps;
        core_.turns_ += steps;
    }

    // These report a fault, with the parts of its reason (host::text_of), and return false.
    template <class... Part>
    bool fail_lane(unsigned lane, const Part&... reason) {
        *fault_ = {};
        fault_->pc = vendor().address();
        fault_->reason = host::text_of(reason...);
        fault_->instruction = vendor().text();
        fault_->lane = lane;
        return false;
    }
    /// Of the first executing lane.
    template <class... Part>
    bool fail(const Part&... reason) {
        const LaneSet lanes = vendor().executing();
        return fail_lane(lanes == LaneSet{} ? 0 : wave::lowest(lanes), reason...);
    }
    bool fail_access(const window::AccessFault& access, unsigned lane) {
        fail_lane(lane, access);
        fault_->memory = true;
        fault_->access = access;
        return false;
    }

    Core& core_;
    Flow& flow_;
    CoreFault* const fault_;
    bool stops_ = false;

  private:
    Vendor& vendor() { return static_cast<Vendor&>(*this); }
    bool may_go_on() {
        if (!within_limit(1)) return fail("the program does not end");
        if (core_.turns_ < core_.asks_at_) return true;
        core_.asks_at_ = core_.turns_ + kTurnsPerQuestion;
        return !core_.host || !core_.host->should_stop() || fail("the GPU was told to stop");
    }
};

/// The waves of a workgroup take turns: each runs to a barrier or its end, then all run to the next one.
/// Calls run(n) for wave n, which returns an Outcome, while is_live(n). False: a wave has a fault.
template <class IsLive, class Run>
[[nodiscard]] bool take_turns(unsigned waves, IsLive&& is_live, Run&& run) {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (unsigned n = 0; n < waves; ++n) {
            const Outcome outcome = is_live(n) ? run(n) : Outcome::Done;
            if (outcome == Outcome::Fault) return false;
            goes_on |= outcome == Outcome::Barrier;
        }
    }
    return true;
}

}  // namespace terrazzo::core
