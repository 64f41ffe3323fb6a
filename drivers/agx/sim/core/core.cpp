// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/core/core.h"

#include <algorithm>

#include "drivers/agx/sim/core/execution.h"
#include "drivers/common/core/denormals.h"
#include "drivers/common/host/host.h"

namespace terrazzo::agx::sim {

using isa::Op;
using isa::Operand;
using isa::OperandKind;

namespace {

template <class Set>
bool is_within(const Set& inner, const Set& outer) {
    for (unsigned n = 0; n < Set::kWords; ++n)
        if (inner.word[n] & ~outer.word[n]) return false;
    return true;
}
UniformSet bound_of(const SimdGroup& g) {
    UniformSet out;
    if (g.uniforms) std::copy_n(g.uniforms->bound, UniformSet::kWords, out.word);
    return out;
}

// Threads 16 to 31 are the second vector.
uint32_t bits_of(const Words& v) {
    static_assert(kVectors == 2);
    return wave::bits_of(v[0]) | wave::bits_of(v[1]) << wave::kLanes;
}

}  // namespace

void Core::start(SimdGroup& g, uint64_t va) {
    g.flow.start(va, g.threads);
    g.executing = g.threads;
    // Programs that count levels set r0l first.
    for (U32& v : g.r[0])
        v = (v & 0xffff0000u) | 0x5a5au;
    for (SimdGroup::Slot& slot : g.slots)
        slot = {};
    g.late_writes.clear();
    g.stack_at_B = 0;
    g.stack.assign(size_t(g.stack_B) * kThreads, 0);
}

Outcome Core::run(SimdGroup& group, CoreFault* fault) {
    const core::DenormalMode mode(core::DenormalMode::Mode::Flush);
    return Execution(*this, group, fault).run();
}

bool Execution::advance() {
    if (!enter()) return false;
    const Run& run = program_->run_at(at_);
    if (permits(run)) return execute(run);
    for (uint32_t left = run.steps; left; --left, ++at_)
        if (!check(program_->steps[at_]) || !execute(program_->make_run(at_, 1))) return false;
    return true;
}

bool Execution::enter() {
    int64_t n = program_ ? program_->find(flow_.pc) : -1;
    if (n < 0) {
        program_ = core_.programs_.find(core_.memory_, flow_.pc).get();
        if (program_->steps.empty()) return fail_access(core_.memory_.fault(), 0);
        n = program_->find(flow_.pc);
        if (n < 0) {
            program_ = nullptr;  // no instruction is to blame
            return fail("no instruction begins at an odd address");
        }
    }
    at_ = size_t(n);
    return true;
}

bool Execution::permits(const Run& r) const {
    return r.good && !core_.single_steps && r.registers <= 2 * g_.registers && within_limit(r.steps) &&
           !r.reads.intersects(g_.late_writes) && !r.writes.intersects(g_.late_writes) &&
           is_within(r.uniforms, bound_of(g_));
}

// permits() of one step; the fault names what it refuses.
bool Execution::check(const Step& s) {
    if (!within_limit(1)) return fail("the program does not end");
    if (!s.good) return fail(program_->reasons[at_]);
    for (unsigned h = 2 * g_.registers; h < isa::kRegisterHalves; ++h)
        if (s.reads.has(h) || s.writes.has(h))
            return fail("r", h / 2, h % 2 ? "h" : "l", " is beyond the program's ", g_.registers,
                        " registers");
    if (s.reads.intersects(g_.late_writes))
        return fail_register(s.reads, g_.late_writes, "is read before a wait for the slot that writes it");
    if (s.writes.intersects(g_.late_writes))
        return fail_register(s.writes, g_.late_writes,
                             "is written before a wait for the slot that writes it");
    const UniformSet bound = bound_of(g_);
    for (unsigned h = 0; h < isa::kUniformHalves; ++h)
        if (s.uniforms.has(h) && !bound.has(h))
            return fail("uniform u", h / 2, h % 2 ? "h" : "l", " is not bound");
    return true;
}

bool Execution::fail_register(const RegisterSet& which, const RegisterSet& in, const char* what) {
    for (unsigned h = 0; h < isa::kRegisterHalves; ++h)
        if (which.has(h) && in.has(h)) {
            const unsigned slot = g_.slots[0].writes.has(h) ? 0 : 1;
            return fail("r", h / 2, h % 2 ? "h" : "l", " ", what, " (slot ", slot, ")");
        }
    return fail(what);
}

bool Execution::execute(const Run& r) {
    const auto threads = unsigned(std::popcount(g_.executing));
    core_.stats_.instructions += r.steps;
    core_.stats_.thread_instructions += uint64_t(r.steps) * threads;
    count(r.steps);
    at_ += r.steps - 1;
    const Step& s = program_->steps[at_];
    if (r.code) {
        const uint32_t mask = s.kind == StepKind::Mask ? flow_.live : g_.executing;
        const uint16_t running[kVectors] = {uint16_t(mask), uint16_t(mask >> wave::kLanes)};
        r.code->run({&g_.r[0][0], kVectors, kVectors, g_.uniforms ? g_.uniforms->word : nullptr, running});
    }
    flow_.pc = program_->va + s.at_B;
    next_ = flow_.pc + s.length_B;
    if (!finish(s)) return false;
    flow_.pc = next_;
    return true;
}

bool Execution::finish(const Step& s) {
    switch (s.kind) {
        case StepKind::Arithmetic:
        case StepKind::Nothing:
            return true;
        case StepKind::Mask:
            change_mask(s);
            return true;
        case StepKind::Vote:
            return vote(s);
        case StepKind::Flow:
            return flow(s);
        case StepKind::Special:
            return special(s);
        case StepKind::Threads:
            return threads(s);
        case StepKind::Memory:
        case StepKind::Unit: {
            if (s.slot >= 0 && g_.slots[s.slot].count == isa::kMostPending)
                return fail("slot ", int(s.slot), " has ", isa::kMostPending,
                            " instructions already that were not waited for");
            if (!(s.kind == StepKind::Unit ? unit(s) : memory(s))) return false;
            if (s.slot < 0) return true;
            SimdGroup::Slot& slot = g_.slots[s.slot];
            ++slot.count;
            for (unsigned n = 0; n < RegisterSet::kWords; ++n)
                slot.writes.word[n] |= s.writes.word[n], g_.late_writes.word[n] |= s.writes.word[n];
            return true;
        }
        case StepKind::Unknown:
            break;
    }
    return fail("the virtual GPU does not execute this instruction");
}

// ---- The execution mask ----

// else and while look at the condition of threads that do not execute, too.
void Execution::change_mask(const Step& s) {
    const isa::Instr& i = s.instr;
    const auto levels = unsigned(i.src[i.info().source_count - 1].value);
    const uint32_t condition = bits_of(g_.r[kConditionRow]);
    g_.executing = 0;
    wave::each_lane(g_.flow.live, [&](unsigned n) {
        U32& word = g_.r[0][n / wave::kLanes];
        const unsigned lane = n % wave::kLanes;
        unsigned v = word[lane] & 0xffff;
        const bool holds = condition >> n & 1;
        switch (i.op) {
            case Op::kIfIcmp:
            case Op::kIfFcmp:
                v = v ? v + levels : !holds;
                break;
            case Op::kElseIcmp:
            case Op::kElseFcmp:
                if (v == 0)
                    v = levels;
                else if (v == 1)
                    v = !holds;
                break;
            case Op::kWhileIcmp:
            case Op::kWhileFcmp:
                if (v < levels) v = holds ? 0 : levels;
                break;
            default:  // pop_exec
                v = v > levels ? v - levels : 0;
                break;
        }
        word[lane] = (word[lane] & 0xffff0000u) | (v & 0xffff);
        if (!(v & 0xffff)) g_.executing |= 1u << n;
    });
}

bool Execution::flow(const Step& s) {
    const isa::Instr& i = s.instr;
    int32_t offset = 0;
    const bool jumps = isa::jump_offset(i, &offset);
    const uint64_t target = flow_.pc + uint64_t(int64_t(offset));
    switch (i.op) {
        case Op::kStop:
            flow_.end(g_.threads);
            return true;
        case Op::kTrap:
            return fail("a trap was reached");
        case Op::kJmpExecAny:
            if (g_.executing) next_ = target;
            return true;
        case Op::kJmpExecNone:
            if (!g_.executing) next_ = target;
            return true;
        case Op::kCall:
        case Op::kCallReg:
        case Op::kRet: {
            // Code lies in 4 GiB: a register has the low word of an address.
            const uint64_t high = flow_.pc & ~uint64_t(0xffffffff);
            uint64_t to = target;
            if (!jumps) {
                if (!g_.executing) return fail("no thread executes it, so there is no address");
                const auto row = unsigned(i.src[0].value) / 2;
                const uint32_t word = wave::at(g_.r[row], wave::lowest(g_.executing));
                uint32_t others = 0;
                wave::each_lane(g_.executing, [&](unsigned n) { others |= wave::at(g_.r[row], n) ^ word; });
                if (others) return fail("threads have different addresses in r", row);
                to = high | word;
            }
            if (i.op != Op::kRet)
                wave::each_lane(g_.executing, [&](unsigned n) { wave::put_at(g_.r[1], n, uint32_t(next_)); });
            next_ = to;
            return true;
        }
        case Op::kWait: {
            g_.slots[unsigned(i.src[0].value) % isa::kSlots] = {};
            g_.late_writes.clear();
            for (const SimdGroup::Slot& slot : g_.slots)
                for (unsigned n = 0; n < RegisterSet::kWords; ++n)
                    g_.late_writes.word[n] |= slot.writes.word[n];
            return true;
        }
        case Op::kThreadgroupBarrier:
            stops_ = true;
            return true;
        case Op::kMemoryBarrier:
            return true;  // memory has no caches here
        default:
            return fail("the virtual GPU does not execute this instruction");
    }
}

// ---- Values of the group ----

bool Execution::special(const Step& s) {
    const auto number = unsigned(s.instr.src[0].value);
    const auto& sp = g_.special;
    Words out;
    const auto all = [&](uint32_t v) { out[0] = out[1] = wave::splat(v); };
    const auto each = [&](auto&& f) {
        for (unsigned n = 0; n < kThreads; ++n)
            wave::put_at(out, n, f(n));
    };
    const auto copy = [&](const Words& v) { std::copy_n(v, kVectors, out); };
    using Special = isa::SpecialRegister;
    switch (Special(number)) {
        case Special::kGroupX:
        case Special::kGroupY:
        case Special::kGroupZ:
            all(sp.group[number - unsigned(Special::kGroupX)]);
            break;
        case Special::kGroupSizeX:
        case Special::kGroupSizeY:
        case Special::kGroupSizeZ:
            all(sp.group_size[number - unsigned(Special::kGroupSizeX)]);
            break;
        case Special::kDispatchGroupSizeX:
        case Special::kDispatchGroupSizeY:
        case Special::kDispatchGroupSizeZ:
            all(sp.whole_group_size[number - unsigned(Special::kDispatchGroupSizeX)]);
            break;
        case Special::kSamplesLog2:
            all(sp.samples_log2);
            break;
        case Special::kCoreIndex:
            all(sp.core_index);
            break;
        case Special::kVmSlot:
            all(0);
            break;
        case Special::kThreadInGroupX:
        case Special::kThreadInGroupY:
        case Special::kThreadInGroupZ:
            copy(sp.in_group[number - unsigned(Special::kThreadInGroupX)]);
            break;
        case Special::kThreadIndexInGroup:
            copy(sp.index_in_group);
            break;
        case Special::kThreadIndexInSimd:
            each([](unsigned n) { return n; });
            break;
        case Special::kSimdIndexInGroup:
            all(sp.simd_in_group);
            break;
        case Special::kActiveIndexInQuad:
            each([&](unsigned n) {
                return uint32_t(std::popcount(g_.executing >> (n & ~3u) & 15 & ((1u << n % 4) - 1)));
            });
            break;
        case Special::kActiveInQuad:
            each([&](unsigned n) { return uint32_t(std::popcount(g_.executing >> (n & ~3u) & 15)); });
            break;
        case Special::kActiveIndexInSimd:
            each([&](unsigned n) { return uint32_t(std::popcount(g_.executing & ((1u << n) - 1))); });
            break;
        case Special::kActiveInSimd:
            all(uint32_t(std::popcount(g_.executing)));
            break;
        case Special::kCoverageMask:
            copy(sp.coverage);
            break;
        case Special::kBackFacing:
            copy(sp.back_facing);
            break;
        case Special::kIsActive:
            each([&](unsigned n) { return uint32_t(!(g_.helpers >> n & 1)); });
            break;
        case Special::kThreadX:
        case Special::kThreadY:
        case Special::kThreadZ:
            copy(sp.in_grid[number - unsigned(Special::kThreadX)]);
            break;
        case Special::kInputSampleMask:
            copy(sp.sample_mask);
            break;
        default:
            return fail("special register ", number, " is not known here");
    }
    write(s.instr.dest, 0, out);
    return true;
}

bool Execution::vote(const Step& s) {
    const uint32_t holds = bits_of(g_.r[kConditionRow]) & g_.executing;
    Words out;
    const bool quads = s.instr.op == Op::kIcmpQuadBallot || s.instr.op == Op::kFcmpQuadBallot;
    for (unsigned n = 0; n < kThreads; ++n)
        wave::put_at(out, n, quads ? holds >> (n & ~3u) & 15 : holds);
    write(s.instr.dest, 0, out);
    return true;
}

// ---- Units ----

bool Execution::unit(const Step& s) {
    const isa::Instr& i = s.instr;
    UnitCall call(i, g_, g_.executing, core_.memory_);
    for (unsigned n = 0; n < i.info().source_count; ++n) {
        const Operand& o = i.src[n];
        const bool file = o.kind == OperandKind::kRegister || o.kind == OperandKind::kUniform;
        const unsigned words = !file ? 1 : o.size == 64 ? 2u * o.count : o.count;
        call.in_count[n] = std::min(words, UnitCall::kMostIn);
        for (unsigned k = 0; k < call.in_count[n]; ++k)
            read(o, k, call.in[n][k]);
    }
    std::string why;
    Units& u = *core_.units_;
    bool good;
    switch (i.op) {
        case Op::kTextureSample:
        case Op::kTextureLoad:
            good = u.texture(call, &why);
            break;
        case Op::kImageWrite:
            good = u.image_write(call, &why);
            break;
        case Op::kImageWriteBlock:
            good = u.image_write_block(call, &why);
            break;
        case Op::kIter:
        case Op::kIterproj:
        case Op::kLdcf:
            good = u.coefficient(call, &why);
            break;
        case Op::kLdTile:
        case Op::kStTile:
            good = u.tile(call, &why);
            break;
        case Op::kSampleMask:
        case Op::kZsEmit:
            good = u.coverage(call, &why);
            break;
        case Op::kWaitPix:
        case Op::kSignalPix:
            good = u.pixel_order(call, &why);
            break;
        case Op::kTexStateStore:
        case Op::kSamplerStateStore:
            good = u.state_store(call, &why);
            break;
        default:
            good = u.store_varying(call, &why);
            break;
    }
    if (!good) return fail(why);
    if (i.dest.kind != OperandKind::kRegister) return true;
    // Textures give four components, of which the mask chooses some.
    const bool masked = i.op == Op::kTextureSample || i.op == Op::kTextureLoad || i.op == Op::kLdTile;
    unsigned n = 0;
    for (unsigned k = 0; n < i.dest.count; ++k)
        if (!masked || unsigned(i.mask()) >> k & 1) write(i.dest, n++, call.out[k]);
    return true;
}

// ---- Registers ----

void Execution::read(const Operand& o, unsigned n, Words& out) const {
    if (o.kind != OperandKind::kRegister && o.kind != OperandKind::kUniform) {
        out[0] = out[1] = wave::splat(uint32_t(o.value));
        return;
    }
    const unsigned half = unsigned(o.value) + (o.size == 16 ? n : 2 * n);
    const unsigned shift = o.size == 16 ? 16 * (half & 1) : 0;
    const uint32_t mask = o.size == 16 ? 0xffff : ~0u;
    for (unsigned v = 0; v < kVectors; ++v) {
        const U32 word = o.kind == OperandKind::kUniform
                             ? wave::splat(g_.uniforms->word[half / 2 % kUniforms])
                             : g_.r[half / 2 % kRegisters][v];
        out[v] = word >> shift & mask;
    }
}

uint64_t Execution::read_wide(const Operand& o, unsigned thread) const {
    const unsigned row = unsigned(o.value) / 2;
    if (o.kind == OperandKind::kUniform)
        return uint64_t(g_.uniforms->word[(row + 1) % kUniforms]) << 32 | g_.uniforms->word[row % kUniforms];
    return uint64_t(wave::at(g_.r[(row + 1) % kRegisters], thread)) << 32 |
           wave::at(g_.r[row % kRegisters], thread);
}

void Execution::write(const Operand& o, unsigned n, const Words& value) {
    const unsigned half = unsigned(o.value) + (o.size == 16 ? n : 2 * n);
    const unsigned shift = 16 * (half & 1);
    for (unsigned v = 0; v < kVectors; ++v) {
        U32& row = g_.r[half / 2 % kRegisters][v];
        const U32 bits = o.size == 16 ? (row & ~(0xffffu << shift)) | (value[v] & 0xffff) << shift : value[v];
        row = wave::select(wave::mask_of(g_.executing >> v * wave::kLanes & 0xffff), bits, row);
    }
}

std::string Execution::text() const {
    if (!program_ || at_ >= program_->steps.size()) return {};
    const Step& s = program_->steps[at_];
    if (!s.good) return "no instruction";
    std::string out;
    isa::print(s.instr, &out);
    return out;
}

}  // namespace terrazzo::agx::sim
