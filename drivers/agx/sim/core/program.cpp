// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/core/program.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/agx/sim/core/lower.h"

namespace terrazzo::agx::sim {

namespace {

using isa::Class;
using isa::Op;
using isa::OperandKind;

/// Bounds the time between two questions whether to stop, and the size of a block.
constexpr size_t kMostSteps = 128;
/// Runs of one step are made when a program that jumps anywhere has had this many times its steps in runs.
constexpr size_t kMostTimes = 4;

StepKind kind_of(const isa::Instr& instr) {
    const isa::OpInfo& info = instr.info();
    switch (info.unit) {
        case Class::kMove:
            return instr.op == Op::kGetSr ? StepKind::Special : StepKind::Arithmetic;
        case Class::kFloat:
            return info.is(isa::kCrossesThreads) ? StepKind::Threads : StepKind::Arithmetic;
        case Class::kInteger:
        case Class::kBits:
        case Class::kSelect:
            return StepKind::Arithmetic;
        case Class::kFlow:
        case Class::kBarrier:
            if (instr.op == Op::kWaitPix || instr.op == Op::kSignalPix) return StepKind::Unit;
            if (instr.op == Op::kJmpIncomplete || instr.op == Op::kJmpIfSkippingDoorbell ||
                instr.op == Op::kDoorbell)
                return StepKind::Unknown;
            return info.is(isa::kSetsMask) ? StepKind::Mask : StepKind::Flow;
        case Class::kGroup:
            if (instr.op == Op::kSimdMatrixFmadd16 || instr.op == Op::kSimdMatrixFmadd32)
                return StepKind::Unknown;
            return compares(instr.op) ? StepKind::Vote : StepKind::Threads;
        case Class::kDevice:
            if (instr.op == Op::kTexStateStore || instr.op == Op::kSamplerStateStore) return StepKind::Unit;
            return instr.op == Op::kAsyncLoad || instr.op == Op::kAsyncStore || instr.op == Op::kMap ||
                           instr.op == Op::kUnmap
                       ? StepKind::Unknown
                       : StepKind::Memory;
        case Class::kLocal:
            return StepKind::Memory;
        case Class::kTexture:
        case Class::kImage:
        case Class::kVarying:
        case Class::kPixel:
            return StepKind::Unit;
        case Class::kUnknown:
            // What compilers put around texture instructions changes nothing here.
            return instr.op == Op::kAfterSampling1 || instr.op == Op::kAfterSampling2 ? StepKind::Nothing
                                                                                      : StepKind::Unknown;
    }
    return StepKind::Unknown;
}

Step make_step(const isa::Instr& instr, size_t at_B) {
    Step s;
    s.instr = instr;
    s.good = true;
    s.kind = kind_of(instr);
    s.at_B = uint32_t(at_B);
    s.length_B = uint8_t(instr.length() / 8);
    s.slot = int8_t(isa::result_slot(instr));
    const isa::Halves w = isa::registers_written(instr);
    s.writes.add(w.first, w.count);
    const isa::OpInfo& info = instr.info();
    for (unsigned n = 0; n < info.source_count; ++n) {
        const isa::Halves r = isa::registers_read(instr, n);
        s.reads.add(r.first, r.count);
        const isa::Operand& o = instr.src[n];
        if (o.kind == OperandKind::kUniform) s.uniforms.add(unsigned(o.value), o.halves());
    }
    if (info.is(isa::kSetsMask)) s.reads.add(0, 1);
    if (instr.op == Op::kUniformStore) s.uniforms.clear();
    return s;
}

template <class Set>
void unite(Set* a, const Set& b) {
    for (unsigned n = 0; n < Set::kWords; ++n)
        a->word[n] |= b.word[n];
}
unsigned end_of(const RegisterSet& set) {
    for (unsigned n = RegisterSet::kWords; n-- > 0;)
        if (set.word[n]) return 64 * n + 64 - unsigned(std::countl_zero(set.word[n]));
    return 0;
}

}  // namespace

int64_t Program::find(uint64_t address) const {
    if (address < va || (address - va) / 2 >= step_at_.size() || address % 2) return -1;
    return step_at_[(address - va) / 2];
}

Run Program::make_run(size_t first, size_t most) const {
    Run run;
    core::MicroBlock block;
    block.row_groups = kVectors;
    for (size_t i = first; i < steps.size() && i - first < most; ++i) {
        const Step& s = steps[i];
        // Conditions of masks are computed for all threads.
        if (i > first && (s.is_target || !s.good || s.kind == StepKind::Mask)) break;
        ++run.steps;
        run.good &= s.good;
        if (!s.good) break;
        unite(&run.reads, s.reads);
        unite(&run.writes, s.writes);
        unite(&run.uniforms, s.uniforms);
        if (s.kind == StepKind::Arithmetic)
            lower(s.instr, &block);
        else if (s.kind == StepKind::Mask || s.kind == StepKind::Vote)
            lower_condition(s.instr, &block);
        if (s.kind > StepKind::Nothing) break;
    }
    run.registers = std::max(end_of(run.reads), end_of(run.writes));
    if (!block.code.empty()) run.code = core::block_cache().prepare(std::move(block));
    return run;
}

const Run& Program::run_at(size_t step) const {
    if (runs_.empty()) runs_.resize(steps.size());
    std::unique_ptr<const Run>& run = runs_[step];
    if (!run) {
        const size_t most = in_runs_ > kMostTimes * steps.size() ? 1 : kMostSteps;
        run = std::make_unique<const Run>(make_run(step, most));
        in_runs_ += run->steps;
    }
    return *run;
}

std::shared_ptr<const Program> decode_program(window::Window& memory, uint64_t va, uint32_t limit) {
    constexpr unsigned kMostUnits = 6;  // the longest instruction
    auto p = std::make_shared<Program>();
    p->va = va;
    std::vector<int64_t> targets;
    int64_t reached_B = 0;  // by jumps
    uint64_t at_B = 0;
    for (uint32_t count = 0; count < limit; ++count) {
        uint16_t units[kMostUnits];
        unsigned got = 0;
        for (; got < kMostUnits; ++got) {
            const uint8_t* const b = memory.at(va + at_B + 2 * got, 2, window::Access::Execute);
            if (!b) break;
            std::memcpy(&units[got], b, 2);
        }
        if (!got) break;
        isa::Instr instr;
        size_t length = 0;
        isa::Error error;
        const bool good =
            terrazzo::isa::decode_first(std::span<const uint16_t>(units, got), &instr, &length, &error);
        if (!good) length = 1;
        p->step_at_.resize(at_B / 2, -1);
        p->step_at_.push_back(int32_t(p->steps.size()));
        p->words.insert(p->words.end(), units, units + length);
        p->steps.push_back(good ? make_step(instr, at_B) : Step());
        p->steps.back().at_B = uint32_t(at_B);
        p->reasons.push_back(good ? "" : error.reason);
        if (!good) break;
        if (int32_t offset = 0; isa::jump_offset(instr, &offset)) {
            targets.push_back(int64_t(at_B) + offset);
            if (instr.op != Op::kCall) reached_B = std::max(reached_B, targets.back());
        }
        if (instr.info().is(isa::kEnds) && int64_t(at_B) >= reached_B) break;
        at_B += 2 * length;
    }
    for (const int64_t target : targets)
        if (const int64_t n = target < 0 ? -1 : p->find(va + uint64_t(target)); n >= 0)
            p->steps[size_t(n)].is_target = true;
    return p;
}

}  // namespace terrazzo::agx::sim
