// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A run of steps of a warp: chooses the threads that run together, checks the accesses, executes the block,
// then what its last instruction does in addition, and updates control flow.
#include "drivers/mali/sim/core/core.h"

#include <algorithm>
#include <bit>

#include "drivers/common/host/commands.h"
#include "drivers/mali/sim/core/memory_ops.h"
#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Message;

constexpr unsigned kMaxStaged = 16;
// A shader with 32 registers has r0 to r15 and r48 to r63 (Mesa 25.0.7, bi_ra.c).
constexpr uint64_t kHalfOfRegisters = 0xffff00000000ffffull;

}  // namespace

/// A run() of one warp.
class Execution {
  public:
    Execution(Core& core, Warp& warp, CoreFault* fault) : core_(core), warp_(warp), fault_(fault) {}

    Outcome run() {
        for (;;) {
            if (regroup_ && !choose()) return Outcome::Done;
            if (!may_go_on() || !enter()) return Outcome::Fault;
            const Run& run = program_->run_at(at_);
            if (!(permits(run) ? execute(run) : one_by_one(run.steps))) return Outcome::Fault;
            if (stop_) return Outcome::Barrier;
        }
    }

  private:
    // ---- Active threads and program counter ----

    bool choose() {
        regroup_ = false;
        if (warp_.waiting.empty()) return false;
        pc_ = warp_.waiting.lowest();
        active_ = warp_.waiting.take(pc_);
        active_count_ = unsigned(std::popcount(active_));
        return true;
    }
    bool may_go_on() {
        if (core_.stats_.instructions < core_.asks_at_) return true;
        core_.asks_at_ = core_.stats_.instructions + core::kTurnsPerQuestion;
        return !core_.host || !core_.host->should_stop() || fail("the program was stopped");
    }
    // Sets at_ to the step at pc_.
    bool enter() {
        if (!program_ || pc_ < program_->va || (pc_ - program_->va) / 8 >= program_->steps.size()) {
            if (pc_ % 8) return fail("the program counter is not a multiple of 8");
            program_ = core_.programs_.find(core_.memory_, pc_).get();
            if (program_->steps.empty()) return fail_access(core_.memory_.fault(), 0);
        }
        at_ = (pc_ - program_->va) / 8;
        return true;
    }

    // ---- Checks ----

    // Whether no check of any of its steps fails.
    [[nodiscard]] bool permits(const Run& r) const {
        return r.good && !core_.single_steps && !(warp_.tested && r.works) &&
               !(r.touches & warp_.all_writing) &&
               (warp_.register_count == kRegisters || !(r.touches & ~kHalfOfRegisters)) &&
               !(r.reads & ~warp_.defined) && !warp_.dead(r.reads, active_) &&
               !warp_.held_by_messages(r.dies, active_) && r.uniforms <= warp_.fau.size() &&
               turns_ + r.steps <= core_.turn_limit;
    }

    // permits() of the step at at_; the fault names what it refuses.
    bool check(const Step& s) {
        if (turns_ >= core_.turn_limit) return fail("the program does not end");
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
        if (const uint64_t dead = warp_.dead(reads, active_))
            return fail_register(dead, "is read after an instruction that was said to be its last use");
        if (const uint64_t held = warp_.held_by_messages(s.dies, active_))
            return fail_register(held, "is said to be dead while a message that reads it is in flight");
        if (s.uniforms > warp_.fau.size())
            return fail("uniform u" + std::to_string(s.uniforms - 1) + " is beyond the shader's " +
                        std::to_string(warp_.fau.size()) + " words");
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
        core_.stats_.instructions += r.steps;
        core_.stats_.lane_instructions += uint64_t(r.steps) * active_count_;
        turns_ += r.steps;
        if (r.code) {
            for (size_t i = 0; i < r.presets.size(); ++i)
                warp_.r[kPresetRow + i] = value_of(r.presets[i]);
            const auto running = uint16_t(active_);
            r.code->run({warp_.r, 1, 1, warp_.fau.data(), &running});
        }
        warp_.defined |= r.writes;
        warp_.used(r.dead, r.alive, active_);
        at_ += r.steps - 1;
        pc_ += 8 * (r.steps - 1);
        const Step& s = program_->steps[at_];
        target_ = pc_ + 8;
        if (!finish(s)) return false;
        flow(s);
        return true;
    }
    [[nodiscard]] U32 value_of(Preset p) const {
        if (p.special == Preset::kActiveLanes) return wave::splat(active_);
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
                warp_.live &= ~(wave::bits_of(warp_.r[kSourceRow]) & active_);
                return true;
            case StepKind::Unknown:
                break;
        }
        return fail(why_unknown(s.instr));
    }

    void branch(const Step& s) {
        uint32_t taken = wave::bits_of(warp_.r[kSourceRow]) & active_;
        if (s.instr.eq()) taken = active_ & ~taken;
        // Threads that all go to the same place need not look for others, unless the instruction reconverges.
        if (!taken) return;
        const uint64_t next = target_;
        if (s.instr.op == isa::Op::kBranchz) {
            const uint64_t to = next + uint64_t(int64_t(s.instr.immediate(isa::Imm::kOffset)) * 8);
            if (taken == active_ || to == next) {
                target_ = to;
                return;
            }
            warp_.park(to, taken);
        } else {
            // 32 bits of an address near the code, or a number of instructions; address 0 ends the thread.
            const U32& word = warp_.r[kSourceRow + 2];
            const auto to = [&](unsigned i) {
                return s.instr.absolute() ? (next & ~0xffffffffull) | word[i]
                                          : next + uint64_t(int64_t(int32_t(word[i])) * 8);
            };
            const uint64_t first = to(unsigned(std::countr_zero(taken)));
            bool together = taken == active_ || first == next;
            each_lane(taken, [&](unsigned i) {
                if (s.instr.absolute() && word[i] == 0) warp_.live &= ~(1u << i);
                together &= to(i) == first;
            });
            if (together && !(active_ & ~warp_.live)) {
                target_ = first;
                return;
            }
            each_lane(taken, [&](unsigned i) { warp_.park(to(i), 1u << i); });
        }
        warp_.park(next, active_ & ~taken);
        parked_ = true;
    }

    bool send(const Step& s) {
        core_.stats_.messages++;
        if (!warp_.is_in_order(s.instr, s.message)) return fail(warp_.out_of_order(s.instr));
        if (s.in.count > kMaxStaged || s.out.count > kMaxStaged) return fail("too many staging registers");
        if (s.in.reg + s.in.count > kRegisters || s.out.reg + s.out.count > kRegisters)
            return fail("staging registers beyond r63");
        U32 out[kMaxStaged];
        for (unsigned i = 0; i < s.out.count; ++i)
            out[i] = U32{};
        U32* const to = &warp_.r[s.out.reg % kRegisters];
        const MessageIn m{s.instr,    active_,     &warp_.r[kSourceRow], &warp_.r[s.in.reg % kRegisters],
                          s.in.count, s.out.count, core_.memory_};
        if (!serve(s, m, to, out)) return false;
        if (active_ == 0xffff) {
            std::copy_n(out, s.out.count, to);
        } else {
            const U32 mask = wave::mask_of(active_);
            for (unsigned i = 0; i < s.out.count; ++i)
                to[i] = wave::select(mask, out[i], to[i]);
        }
        // If a BLEND continues in a blend shader, that reads the registers.
        warp_.sent(s.message, s.slot, to_blend_shader_ ? 0 : s.staged_reads, s.staged_writes, active_);
        return true;
    }

    bool serve(const Step& s, const MessageIn& m, const U32* old, U32* out) {
        Units& units = *core_.units_;
        std::string why;
        AccessFault refused;
        Addresses at;
        uint32_t lane = 0;
        bool good = true, memory = false;
        switch (s.message) {
            case Message::kNone:
                break;
            case Message::kVarying:
                good = units.varying(warp_, m, out, &why);
                break;
            case Message::kAttribute:
                good = units.attribute(warp_, m, out, &why);
                break;
            case Message::kTexture:
            case Message::kVaryingTexture:
                good = units.texture(warp_, m, out, &why);
                break;
            case Message::kLoad:
                memory = s.instr.op < isa::Op::kLdBufferI8 || s.instr.op > isa::Op::kLdBufferI128;
                if (memory && !check_local(m, false, &at)) return false;
                good =
                    memory ? run_load(at, m, out, &refused, &lane) : units.load_buffer(warp_, m, out, &why);
                if (good) place_loaded(s.instr, m.out_count, old, out);
                break;
            case Message::kStore:
                memory = s.instr.op != isa::Op::kStCvt;
                if (memory && !check_local(m, true, &at)) return false;
                good =
                    memory ? run_store(warp_, at, m, &refused, &lane) : units.store_converted(warp_, m, &why);
                break;
            case Message::kAtomic:
                memory = true;
                good = run_atomic(m, out, &refused, &lane);
                break;
            case Message::kBarrier:
                good = units.barrier(warp_, &why);
                stop_ = true;
                break;
            case Message::kBlend: {
                BlendPath path = BlendPath::FixedFunction;
                good = units.blend(warp_, m, &path, &why);
                if (good) blended(s, path);
                break;
            }
            case Message::kTile:
                good = units.tile(warp_, m, out, &why);
                break;
            case Message::kAlphaTest:
                good = units.alpha_test(warp_, m, out, &why);
                break;
            case Message::kDepthStencil:
                good = units.depth_stencil(warp_, m, out, &why);
                break;
        }
        if (good) return true;
        return memory ? fail_access(refused, lane) : fail(why);
    }

    // Thread-local memory: a load only follows an earlier store if that was waited for.
    bool check_local(const MessageIn& m, bool stores, Addresses* at) {
        uint32_t lane = 0;
        if (const char* mistake = find_addresses(warp_, m, at, &lane)) return fail(mistake, lane);
        if (!at->local) return true;
        if (warp_.local_writes || (stores && warp_.local_reads))
            return fail(
                "the thread's own memory is used before the message that stores there was waited for");
        const int slot = program_->steps[at_].slot;
        (stores ? warp_.local_writes : warp_.local_reads) |= uint8_t(slot >= 0 && slot < 8 ? 1u << slot : 0);
        return true;
    }

    // After fixed-function blending, BLEND skips the call of the blend shader; otherwise it falls through,
    // even if it has .end.
    void blended(const Step& s, BlendPath path) {
        to_blend_shader_ = path == BlendPath::Shader;
        if (path == BlendPath::FixedFunction) target_ += 8 * uint64_t(s.instr.immediate(isa::Imm::kTarget));
    }

    // ---- Control flow ----

    void flow(const Step& s) {
        if (s.waits) warp_.wait(s.waits);
        const isa::Flow f = s.instr.flow;
        if (f == isa::Flow::kEnd && !to_blend_shader_) warp_.live &= ~active_;
        if (f == isa::Flow::kDiscard) warp_.live &= ~(active_ & warp_.helpers);
        to_blend_shader_ = false;
        const uint32_t gone = active_ & ~warp_.live;
        regroup_ = parked_ || gone || f == isa::Flow::kReconverge || stop_;
        if (!regroup_) pc_ = target_;
        if (regroup_ && !parked_) warp_.park(target_, active_);
        parked_ = false;
    }

    // ---- Faults ----

    bool fail(std::string reason, uint32_t lane = ~0u) {
        fault_->pc = pc_;
        fault_->reason = std::move(reason);
        fault_->lane = lane != ~0u ? lane : active_ ? uint32_t(std::countr_zero(active_)) : 0;
        fault_->instruction.clear();
        if (program_ && at_ < program_->steps.size()) {
            const Step& s = program_->steps[at_];
            if (s.good)
                isa::print(s.instr, &fault_->instruction);
            else
                fault_->instruction = host::hex_text(s.word);
        }
        return false;
    }
    bool fail_register(uint64_t which, const char* what) {
        return fail("r" + std::to_string(std::countr_zero(which)) + " " + what);
    }
    bool fail_access(const AccessFault& a, uint32_t lane) {
        fail(to_string(a), lane);
        fault_->memory = true;
        fault_->access = a;
        return false;
    }

    Core& core_;
    Warp& warp_;
    CoreFault* fault_;
    const Program* program_ = nullptr;  // the program cache has it
    uint64_t pc_ = 0, target_ = 0, turns_ = 0;
    size_t at_ = 0;
    uint32_t active_ = 0;
    unsigned active_count_ = 0;
    bool regroup_ = true, parked_ = false, stop_ = false, to_blend_shader_ = false;
};

Outcome Core::run(Warp& warp, CoreFault* fault) {
    memory_.refresh();
    return Execution(*this, warp, fault).run();
}

void Core::start(Warp& warp, uint64_t va, uint32_t lanes, uint32_t helpers) {
    warp.lanes = warp.live = lanes;
    warp.helpers = helpers;
    warp.waiting.clear();
    warp.park(va, lanes);
}

}  // namespace terrazzo::mali::sim
