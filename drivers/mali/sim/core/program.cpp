// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers of an instruction follow from its row: sources, pairs for 64 bits, staging registers.
#include "drivers/mali/sim/core/program.h"

#include <algorithm>
#include <cstring>

#include "drivers/mali/sim/core/context.h"

namespace terrazzo::mali::sim {

namespace {

uint64_t run(unsigned base, unsigned count) {
    return count >= 64 ? ~0ull << base : ((1ull << count) - 1) << base;
}

StepKind kind_of(const isa::Instr& instr) {
    const isa::OpInfo& info = instr.info();
    if (info.message != isa::Message::kNone) return StepKind::Message;
    if (info.is(isa::kBranches)) return StepKind::Branch;
    if (info.is(isa::kKills)) return StepKind::Kill;
    return instr.op == isa::Op::kNop ? StepKind::Nothing : StepKind::Arithmetic;
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
    if (s.kind == StepKind::Arithmetic) s.run = handler_of(s.instr.op);
    const isa::OpInfo& info = s.instr.info();
    for (unsigned i = 0; i < info.source_count; ++i) {
        const isa::Operand& o = s.instr.src[i];
        if (o.kind == isa::OperandKind::kRegister) {
            const uint64_t read =
                run(o.index, info.source_rows[i].size == 64 && o.swizzle == isa::Swizzle::kNone ? 2 : 1);
            s.reads |= read;
            if (o.last) s.dies |= read;
        }
        if (o.kind == isa::OperandKind::kUniform)
            s.uniforms = std::max(s.uniforms, uint16_t(o.index + 1 + (info.source_rows[i].size == 64)));
    }
    if (info.has_dest && s.instr.dest.halves) s.writes |= run(s.instr.dest.reg, info.size == 64 ? 2 : 1);
    const isa::Staging read = s.instr.staging_read(), written = s.instr.staging_written();
    s.staged_reads = read.count ? run(read.reg, read.count) : 0;
    s.staged_writes = written.count ? run(written.reg, written.count) : 0;
    s.slot = int8_t(s.instr.wait_slot());
    s.waits = uint8_t(isa::waited_slots(s.instr.flow));
    return s;
}

}  // namespace

std::shared_ptr<const Program> decode_program(Window& memory, uint64_t va, uint32_t limit) {
    auto p = std::make_shared<Program>();
    p->va = va;
    bool last_bad = false, ended = false;
    int64_t reached = 0;  // by branches
    for (uint32_t i = 0; i < limit; ++i) {
        const uint8_t* bytes = memory.at(va + 8ull * i, 8, Access::Execute);
        if (!bytes) break;
        uint64_t word;
        std::memcpy(&word, bytes, 8);
        std::string reason;
        p->steps.push_back(make_step(word, &reason));
        p->words.push_back(word);
        p->reasons.push_back(std::move(reason));
        const Step& s = p->steps.back();
        const bool bad = !s.good;
        p->reads_tile |= !ended && s.good && s.instr.op == isa::Op::kLdTile;
        const bool ends = s.good && s.instr.flow == isa::Flow::kEnd;
        ended |= ends;
        if (s.good && s.instr.op == isa::Op::kBranchz)
            reached = std::max(reached, int64_t(i) + 1 + s.instr.immediate(isa::Imm::kOffset));
        // The code after the end belongs to another program. A BLEND that ends may still continue in a blend
        // shader.
        if (ends && s.instr.info().message != isa::Message::kBlend && int64_t(i) >= reached) break;
        if ((bad && last_bad) || word == 0) break;  // shaders are padded with zeroes
        last_bad = bad;
    }
    return p;
}

}  // namespace terrazzo::mali::sim
