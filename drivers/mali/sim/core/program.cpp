// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers of an instruction follow from its row: sources, pairs for 64 bits, staging registers.
#include "drivers/mali/sim/core/program.h"

#include <algorithm>

#include "drivers/mali/sim/core/warp.h"

namespace terrazzo::mali::sim {

namespace {

/// Bounds the time between two questions whether to stop, and the size of a block.
constexpr size_t kMostSteps = 128;
/// Runs of one step are made when a program that branches anywhere has had this many times its steps in runs.
constexpr size_t kMostTimes = 4;
/// What one instruction may add to a block's presets.
constexpr size_t kPresetsOfStep = 3;

uint64_t registers(unsigned base, unsigned count) {
    return count >= 64 ? ~0ull << base : ((1ull << count) - 1) << base;
}

StepKind kind_of(const isa::Instr& instr) {
    const isa::OpInfo& info = instr.info();
    if (info.message != isa::Message::kNone) return StepKind::Message;
    if (info.is(isa::kBranches)) return StepKind::Branch;
    if (info.is(isa::kKills)) return StepKind::Kill;
    if (instr.op == isa::Op::kNop) return StepKind::Nothing;
    return why_unknown(instr) ? StepKind::Unknown : StepKind::Arithmetic;
}

Step make_step(uint64_t word, std::string* reason) {
    Step s;
    s.word = word;
    isa::Error error;
    if (!isa::decode(word, &s.instr, &error)) {
        *reason = error.reason;
        return s;
    }
    s.good = true;
    s.kind = kind_of(s.instr);
    const isa::OpInfo& info = s.instr.info();
    for (unsigned i = 0; i < info.source_count; ++i) {
        const isa::Operand& o = s.instr.src[i];
        const bool wide = info.source_rows[i].size == 64;
        if (o.kind == isa::OperandKind::kRegister) {
            const uint64_t read = registers(o.index, wide && o.swizzle == isa::Swizzle::kNone ? 2 : 1);
            s.reads |= read;
            if (o.last) s.dies |= read;
        }
        if (o.kind == isa::OperandKind::kUniform)
            s.uniforms = std::max(s.uniforms, uint16_t(o.index + 1 + wide));
    }
    if (info.has_dest && s.instr.dest.halves)
        s.writes |= registers(s.instr.dest.reg, info.size == 64 ? 2 : 1);
    s.message = info.message;
    s.in = s.instr.staging_read();
    s.out = s.instr.staging_written();
    s.staged_reads = s.in.count ? registers(s.in.reg, s.in.count) : 0;
    s.staged_writes = s.out.count ? registers(s.out.reg, s.out.count) : 0;
    s.slot = int8_t(s.instr.wait_slot());
    s.waits = uint8_t(isa::waited_slots(s.instr.flow));
    return s;
}

struct Rules {
    static Step make_step(uint64_t word, std::string* reason) { return sim::make_step(word, reason); }
    static bool is_known(const Step& s) { return s.good; }
    static int64_t target_of(const Step& s, int64_t at) {
        return s.instr.op == isa::Op::kBranchz ? at + 1 + s.instr.immediate(isa::Imm::kOffset) : -1;
    }
    // A BLEND that ends may still continue in a blend shader.
    static bool ends(const Step& s) {
        return s.instr.flow == isa::Flow::kEnd && s.instr.info().message != isa::Message::kBlend;
    }
    static bool is_padding(uint64_t word) { return word == 0; }
};

void append(const Step& s, Run* run) {
    const uint64_t reads = s.reads | s.staged_reads, writes = s.writes | s.staged_writes;
    run->steps++;
    run->good &= s.good;
    run->works |= s.kind != StepKind::Nothing;
    run->uniforms = std::max(run->uniforms, s.uniforms);
    run->touches |= reads | writes;
    run->reads |= reads & ~run->writes;
    run->writes |= writes;
    run->dies |= s.dies;
    run->dead = (run->dead | s.dies) & ~writes;
    run->alive = (run->alive & ~s.dies) | writes;
}

}  // namespace

Run Program::make_run(size_t first, size_t most) const {
    Run run;
    core::MicroBlock block;
    block.row_groups = 1;
    static_assert(sizeof(Warp) % sizeof(U32) == 0);
    block.group_distance = sizeof(Warp) / sizeof(U32);  // a group is a warp of an array
    for (size_t i = first; i < steps.size() && i - first < most; ++i) {
        const Step& s = steps[i];
        const bool begins = s.is_target || !s.good || ((s.reads | s.staged_reads) & run.dead) ||
                            run.presets.size() + kPresetsOfStep > kMostPresets;
        if (i > first && begins) break;
        append(s, &run);
        if (!s.good) break;
        Lowering l(s.instr, va + 8 * (i + 1), &block, &run.presets);
        if (s.kind == StepKind::Arithmetic)
            lower(l);
        else if (s.kind != StepKind::Nothing && s.kind != StepKind::Unknown)
            l.sources();
        if (s.kind > StepKind::Nothing || s.instr.flow != isa::Flow::kNone) break;
    }
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

std::shared_ptr<const Program> decode_program(Window& memory, uint64_t va, uint32_t limit) {
    auto p = std::make_shared<Program>();
    p->va = va;
    core::decode_words<Rules>(memory, limit, p.get());
    bool ended = false;
    for (size_t i = 0; i < p->steps.size(); ++i) {
        const Step& s = p->steps[i];
        if (!s.good) continue;
        p->reads_tile |= !ended && s.instr.op == isa::Op::kLdTile;
        ended |= s.instr.flow == isa::Flow::kEnd;
        if (s.instr.op != isa::Op::kBlend) continue;
        const int64_t target = int64_t(i) + 1 + s.instr.immediate(isa::Imm::kTarget);
        if (target >= 0 && target < int64_t(p->steps.size())) p->steps[size_t(target)].is_target = true;
    }
    return p;
}

}  // namespace terrazzo::mali::sim
