// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A run of steps of a warp: chooses the threads that run together, checks the accesses, executes the block,
// then what its last instruction does in addition, and updates control flow.
//
// The warps of a bundle have executed the same instructions, so one of them, the first, keeps account of
// hazards and of the program counter for all. Only the threads that live are each warp's own.
#pragma once

#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "drivers/common/host/text.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/core/memory_ops.h"
#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

using isa::Message;

/// A run() of one warp or of a bundle.
class Execution : public core::Execution<Execution, Core, core::LaneFlow<uint32_t, kWarpLanes>> {
  public:
    Execution(Core& core, std::span<Warp> warps, CoreFault* fault)
        : Base(core, warps[0].flow, fault), warp_(warps[0]), warps_(warps) {}

    /// run(), and the fault of a warp that the bundle has lost.
    Outcome run_all() {
        const Outcome outcome = run();
        if (outcome != Outcome::Done || !lost_) return outcome;
        *fault_ = std::move(*lost_);
        return Outcome::Fault;
    }

  private:
    static constexpr unsigned kMaxStaged = 16;
    // A shader with 32 registers has r0 to r15 and r48 to r63 (Mesa 25.0.7, bi_ra.c).
    static constexpr uint64_t kHalfOfRegisters = 0xffff00000000ffffull;
    using Base = core::Execution<Execution, Core, core::LaneFlow<uint32_t, kWarpLanes>>;
    friend Base;

    bool advance() {
        if (flow_.running != counted_) {
            counted_ = flow_.running;
            active_count_ = 0;
            for (const Warp& w : warps_)
                active_count_ += unsigned(std::popcount(w.flow.running));
        }
        if (!enter()) return false;
        const Run& run = program_->run_at(at_);
        return permits(run) ? execute(run) : is_bundle() ? part(nullptr) : one_by_one(run.steps);
    }
    [[nodiscard]] bool is_bundle() const { return warps_.size() > 1; }
    /// The threads for which hazards are noted and looked for.
    [[nodiscard]] uint32_t threads() const { return is_bundle() ? kAllThreads : flow_.running; }

    // Sets program_ and at_ to the step at the program counter.
    bool enter() {
        if (!program_ || flow_.pc < program_->va || (flow_.pc - program_->va) / 8 >= program_->steps.size()) {
            if (flow_.pc % 8) return fail("the program counter is not a multiple of 8");
            program_ = core_.programs_.find(core_.memory_, flow_.pc).get();
            if (program_->steps.empty()) return fail_access(core_.memory_.fault(), 0);
        }
        at_ = (flow_.pc - program_->va) / 8;
        return true;
    }

    // ---- Checks ----

    // Whether no check of any of its steps fails.
    [[nodiscard]] bool permits(const Run& r) const {
        return r.good && !core_.single_steps && !(warp_.tested && r.works) &&
               !(r.touches & warp_.all_writing) &&
               (warp_.register_count == kRegisters || !(r.touches & ~kHalfOfRegisters)) &&
               !(r.reads & ~warp_.defined) && !warp_.dead(r.reads, threads()) &&
               !warp_.held_by_messages(r.dies, threads()) && r.uniforms <= warp_.fau.size() &&
               within_limit(r.steps);
    }

    // permits() of the step at at_; the fault names what it refuses.
    bool check(const Step& s) {
        if (!within_limit(1)) return fail("the program does not end");
        if (!s.good) return fail(program_->reasons[at_]);
        if (warp_.tested && s.kind != StepKind::Nothing)
            return fail("an instruction follows ATEST, and slot 0 was not waited for at once");
        const uint64_t reads = s.reads | s.staged_reads, touches = reads | s.writes | s.staged_writes;
        if (const uint64_t early = touches & warp_.all_writing)
            return fail_register(early, "is used before the message that writes it was waited for");
        if (warp_.register_count < kRegisters)
            if (const uint64_t beyond = touches & ~kHalfOfRegisters)
                return fail_register(beyond, "is beyond the shader's registers");
        if (const uint64_t unset = reads & ~warp_.defined) return fail_register(unset, "was never written");
        if (const uint64_t dead = warp_.dead(reads, flow_.running))
            return fail_register(dead, "is read after an instruction that was said to be its last use");
        if (const uint64_t held = warp_.held_by_messages(s.dies, flow_.running))
            return fail_register(held, "is said to be dead while a message that reads it is in flight");
        if (s.uniforms > warp_.fau.size())
            return fail("uniform u", s.uniforms - 1, " is beyond the shader's ", warp_.fau.size(), " words");
        return true;
    }

    // ---- Execution ----

    // Steps of which a check may fail, so that the fault names the step.
    bool one_by_one(uint32_t steps) {
        for (;; ++at_) {
            if (!check(program_->steps[at_]) || !execute(program_->make_run(at_, 1))) return false;
            if (!--steps) return true;
        }
    }

    bool execute(const Run& r) {
        core_.stats_.instructions += r.steps * warps_.size();
        core_.stats_.lane_instructions += uint64_t(r.steps) * active_count_;
        count(r.steps);
        core_.turns_ += r.steps * (warps_.size() - 1);
        if (r.code) compute(r);
        warp_.defined |= r.writes;
        warp_.used(r.dead, r.alive, threads());
        at_ += r.steps - 1;
        flow_.pc += 8 * (r.steps - 1);
        const Step& s = program_->steps[at_];
        target_ = flow_.pc + 8;
        if (is_bundle() && may_part(s)) return part(&s);
        if (!finish(s)) return false;
        flow(s);
        return true;
    }
    void compute(const Run& r) {
        uint16_t running[kMostBundled];
        for (size_t n = 0; n < warps_.size(); ++n) {
            running[n] = uint16_t(warps_[n].flow.running);
            for (size_t i = 0; i < r.presets.size(); ++i)
                warps_[n].r[kPresetRow + i] = r.presets[i].special == Preset::kActiveLanes
                                                  ? wave::splat(running[n])
                                                  : value_of(r.presets[i]);
        }
        r.code->run({warp_.r, 1, unsigned(warps_.size()), warp_.fau.data(), running});
    }
    [[nodiscard]] U32 value_of(Preset p) const {
        if (p.special == unsigned(isa::Special::kLaneId))
            return U32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        const uint64_t value = warp_.special[p.special % warp_.special.size()];
        return wave::splat(uint32_t(p.high ? value >> 32 : value));
    }

    // What the last step of a run does in addition to arithmetic.
    bool finish(const Step& s) {
        switch (s.kind) {
            case StepKind::Arithmetic:
            case StepKind::Nothing:
                return true;
            case StepKind::Message:
                return send(s);
            case StepKind::Branch:
                branch(s);
                return true;
            case StepKind::Kill:
                flow_.live &= ~(wave::bits_of(warp_.r[kSourceRow]) & flow_.running);
                return true;
            case StepKind::Unknown:
                break;
        }
        return fail(why_unknown(s.instr));
    }

    // ---- Bundles ----

    // The threads that a branch's condition chooses.
    static uint32_t taken_of(const Step& s, const Warp& w) {
        const uint32_t set = wave::bits_of(w.r[kSourceRow]) & w.flow.running;
        return s.instr.eq() ? w.flow.running & ~set : set;
    }
    [[nodiscard]] bool may_part(const Step& s) const;
    bool part(const Step* unfinished);

    void branch(const Step& s) {
        const uint32_t taken = leaving_ = taken_of(s, warp_);
        // Threads that all go to the same place need not look for others, unless the instruction reconverges.
        if (!taken) return;
        const uint64_t next = target_;
        if (s.instr.op == isa::Op::kBranchz) {
            const uint64_t to = next + uint64_t(int64_t(s.instr.immediate(isa::Imm::kOffset)) * 8);
            if (taken == flow_.running || to == next) {
                target_ = to;
                return;
            }
            flow_.park(to, taken);
        } else {
            // 32 bits of an address near the code, or a number of instructions; address 0 ends the thread.
            const U32& word = warp_.r[kSourceRow + 2];
            const auto to = [&](unsigned i) {
                return s.instr.absolute() ? (next & ~0xffffffffull) | word[i]
                                          : next + uint64_t(int64_t(int32_t(word[i])) * 8);
            };
            const uint64_t first = to(unsigned(std::countr_zero(taken)));
            bool together = taken == flow_.running || first == next;
            each_lane(taken, [&](unsigned i) {
                if (s.instr.absolute() && word[i] == 0) flow_.live &= ~(1u << i);
                together &= to(i) == first;
            });
            if (together && !(flow_.running & ~flow_.live)) {
                target_ = first;
                return;
            }
            each_lane(taken, [&](unsigned i) { flow_.park(to(i), 1u << i); });
        }
        flow_.park(next, flow_.running & ~taken);
        parked_ = true;
    }

    bool send(const Step& s) {
        core_.stats_.messages += warps_.size();
        if (!warp_.is_in_order(s.instr, s.message)) return fail(warp_.out_of_order(s.instr));
        if (s.in.count > kMaxStaged || s.out.count > kMaxStaged) return fail("too many staging registers");
        if (s.in.reg + s.in.count > kRegisters || s.out.reg + s.out.count > kRegisters)
            return fail("staging registers beyond r63");
        const bool done = core_.units_->serve_all({s.instr, warps_, s.in, s.out});
        if (done) blend_path_ = BlendPath::FixedFunction;
        for (size_t n = 0; n < warps_.size() && !done; ++n) {
            if (send(s, warps_[n])) continue;
            if (n == 0) return false;
            // The warps before it go on: if one of them has a fault, too, that is the first one.
            lost_ = std::move(*fault_);
            warps_ = warps_.first(n);
            counted_ = 0;
        }
        if (s.message == Message::kBlend) blended(s);
        // If a BLEND continues in a blend shader, that reads the registers.
        warp_.sent(s.message, s.slot, to_blend_shader_ ? 0 : s.staged_reads, s.staged_writes, threads());
        return true;
    }
    bool send(const Step& s, Warp& w) {
        U32* const to = &w.r[s.out.reg % kRegisters];
        const uint32_t running = w.flow.running;
        const MessageIn m{s.instr,    running,     &w.r[kSourceRow], &w.r[s.in.reg % kRegisters],
                          s.in.count, s.out.count, core_.memory_};
        // In place where nothing reads the old values.
        U32 other[kMaxStaged];
        const bool in_place = running == kAllThreads && !s.in.count && s.message != Message::kLoad;
        U32* const out = in_place ? to : other;
        for (unsigned i = 0; i < s.out.count; ++i)
            out[i] = U32{};
        if (!serve(s, w, m, to, out)) return false;
        if (in_place) return true;
        if (running == kAllThreads) {
            for (unsigned i = 0; i < s.out.count; ++i)
                to[i] = out[i];
        } else {
            const U32 mask = wave::mask_of(running);
            for (unsigned i = 0; i < s.out.count; ++i)
                to[i] = wave::select(mask, out[i], to[i]);
        }
        return true;
    }

    // The unit that receives the message of a warp (messages.cpp).
    bool serve(const Step& s, Warp& warp, const MessageIn& m, const U32* old, U32* out);
    bool store_converted(const Step& s, Warp& warp, MessageIn m, std::string* why);
    bool access(const Step& s, Warp& warp, const MessageIn& m, const U32* old, U32* out);
    bool check_memory(const Step& s, Warp& warp, uint32_t threads, const uint64_t* va, unsigned size_B);
    bool check_local(const Warp& warp, const MessageIn& m, bool stores, Addresses* at);

    // After fixed-function blending, BLEND skips the call of the blend shader; otherwise it falls through,
    // even if it has .end.
    void blended(const Step& s) {
        to_blend_shader_ = blend_path_ == BlendPath::Shader;
        if (blend_path_ == BlendPath::FixedFunction)
            target_ += 8 * uint64_t(s.instr.immediate(isa::Imm::kTarget));
    }

    // ---- Control flow ----

    void flow(const Step& s) {
        if (s.waits) warp_.wait(s.waits);
        const isa::Flow f = s.instr.flow;
        // A branch with .end only ends the threads that it does not take: blend shaders return so.
        if (f == isa::Flow::kEnd && !to_blend_shader_) flow_.live &= ~(flow_.running & ~leaving_);
        leaving_ = 0;
        if (f == isa::Flow::kDiscard) end_helpers();
        to_blend_shader_ = false;
        const bool parted = std::exchange(parked_, false);
        if (!parted && !(flow_.running & ~flow_.live) && f != isa::Flow::kReconverge && !stops_) {
            flow_.pc = target_;
            return;
        }
        if (!parted) flow_.park(target_, flow_.running);
        flow_.running = 0;
    }

    void end_helpers() {
        flow_.live &= ~(flow_.running & warp_.helpers);
        if (!is_bundle()) return;
        for (Warp& w : warps_.subspan(1))
            w.flow.end(w.flow.running & w.helpers);
        counted_ = 0;
    }

    // ---- Faults ----

    [[nodiscard]] uint64_t address() const { return flow_.pc; }
    [[nodiscard]] uint32_t executing() const { return flow_.running; }
    [[nodiscard]] std::string text() const {
        if (!program_ || at_ >= program_->steps.size()) return {};
        const Step& s = program_->steps[at_];
        if (!s.good) return host::hex_text(s.word);
        std::string out;
        isa::print(s.instr, &out);
        return out;
    }
    bool fail_register(uint64_t which, const char* what) {
        return fail("r", std::countr_zero(which), " ", what);
    }

    Warp& warp_;  // the first one
    std::span<Warp> warps_;
    std::optional<CoreFault> lost_;
    const Program* program_ = nullptr;  // owned by the program cache
    uint64_t target_ = 0;
    size_t at_ = 0;
    uint32_t counted_ = 0;
    unsigned active_count_ = 0;  // lanes of all warps, while those of the first are counted_
    uint32_t leaving_ = 0;       // threads that take the last step's branch
    bool parked_ = false, to_blend_shader_ = false;
    BlendPath blend_path_ = BlendPath::FixedFunction;
};

}  // namespace terrazzo::mali::sim
