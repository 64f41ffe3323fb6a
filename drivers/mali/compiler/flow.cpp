// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/passes.h"

namespace terrazzo::mali::compiler {

using isa::Flow;
using isa::Message;
using isa::Op;

namespace {

constexpr unsigned kSlots = 3;

/// Inserts waits into one block. A wait is a flag of the instruction before, or of a NOP.
class Scoreboard {
  public:
    Scoreboard(const Function& f, std::pmr::vector<Inst>& out, bool blend)
        : f_(f), out_(out), blend_(blend) {}

    void step(const Inst& i) {
        const Message message = i.proto.info().message;
        unsigned slots = 0;
        const uint64_t touched = registers_of(f_, i, true) | registers_of(f_, i, false);
        for (unsigned s = 0; s < kSlots; s++) {
            if (writing_[s] & touched) slots |= 1u << s;
            // Earlier varying loads must have read the quad's interpolation position before it is written.
            if (message == Message::kVarying && i.proto.update() != isa::UpdateMode::kRetrieve &&
                varying_ >> s & 1)
                slots |= 1u << s;
        }
        if (i.local) slots |= local_writes_ | (i.read_count ? local_reads_ : 0);
        const bool writes = i.proto.info().is(isa::kWritesMemory);
        // Messages on memory may overtake each other.
        if (i.ordered) slots |= writes_ | (writes ? reads_ : 0);
        wait(slots);
        if (message == Message::kBarrier) drain();
        if (message == Message::kAlphaTest || message == Message::kDepthStencil) wait_all(Flow::kWait0126);
        if (!blend_ && (message == Message::kBlend || message == Message::kTile)) wait_all(Flow::kWait);
        out_.push_back(i);
        const int slot = i.proto.wait_slot();
        if (slot >= 0 && unsigned(slot) < kSlots) {
            writing_[slot] |= i.written_count ? registers_of(f_, i, false) : 0;
            if (message == Message::kVarying) varying_ |= 1u << slot;
            if (i.local) (i.read_count ? local_writes_ : local_reads_) |= 1u << slot;
            if (i.ordered) (writes ? writes_ : reads_) |= 1u << slot;
        }
        if (message == Message::kAlphaTest) wait(1);
        if (message == Message::kBarrier) wait_all(Flow::kWait);
    }
    /// Waits for all messages in flight.
    void drain() {
        unsigned slots = varying_ | local_reads_ | local_writes_ | reads_ | writes_;
        for (unsigned s = 0; s < kSlots; s++)
            if (writing_[s]) slots |= 1u << s;
        wait(slots);
    }

  private:
    Inst& carrier() {
        if (out_.empty()) {
            out_.emplace_back();
            out_.back().proto = isa::make(Op::kNop);
        }
        return out_.back();
    }
    void wait(unsigned slots) {
        if (!slots) return;
        for (unsigned s = 0; s < kSlots; s++)
            if (slots >> s & 1) writing_[s] = 0;
        varying_ &= ~slots;
        local_reads_ &= ~slots;
        local_writes_ &= ~slots;
        reads_ &= ~slots;
        writes_ &= ~slots;
        Flow& flow = carrier().proto.flow;
        // Waits for general slots are a mask.
        if (unsigned(flow) <= unsigned(Flow::kWait012)) flow = Flow(unsigned(flow) | slots);
    }
    void wait_all(Flow how) {
        for (uint64_t& w : writing_)
            w = 0;
        varying_ = local_reads_ = local_writes_ = reads_ = writes_ = 0;
        Flow& flow = carrier().proto.flow;
        if (unsigned(flow) < unsigned(how)) flow = how;
    }

    const Function& f_;
    std::pmr::vector<Inst>& out_;
    const bool blend_;
    uint64_t writing_[kSlots] = {};
    unsigned varying_ = 0, local_reads_ = 0, local_writes_ = 0, reads_ = 0, writes_ = 0;  // slots
};

/// The end of a thread waits for its test of alpha.
bool is_last_test(const Inst& i, Flow flow) {
    return flow == Flow::kEnd && i.proto.info().message == Message::kAlphaTest;
}

void say(std::pmr::vector<Inst>& insts, Flow flow) {
    if (insts.empty() || (insts.back().proto.flow != Flow::kNone && !is_last_test(insts.back(), flow))) {
        insts.emplace_back();
        insts.back().proto = isa::make(Op::kNop);
    }
    insts.back().proto.flow = flow;
}

/// If a blend shader is needed, BLEND continues at the next instruction: a call of the blend shader follows.
/// Other blending skips the call. The last blend shader does not return; the others return to the instruction
/// after the call.
void call_blend_shader(std::pmr::vector<Inst>& insts, bool last) {
    constexpr unsigned kCall = 2;  // instructions
    Inst& blend = insts.back();
    Inst call;
    call.proto = isa::make(Op::kBranchzi);
    call.proto.set_eq(true);
    call.proto.set_absolute(true);
    call.src[0] = Ref::immediate(0);
    call.src[1] = blend.src[0];
    call.src[1].high = true;
    Inst back;
    back.proto = isa::make(Op::kIaddImmI32);
    back.dest = register_word(kBlendReturnRegister);
    if (last) {
        blend.proto.flow = Flow::kEnd;
        back.src[0] = Ref::immediate(0);
    } else {
        blend.proto.set_immediate(isa::Imm::kTarget, kCall);
        back.src[0] = Ref::special(isa::Special::kProgramCounter);
        back.proto.set_immediate(isa::Imm::kConstant, (kCall - 1) * 8);
    }
    insts.push_back(back);
    insts.push_back(call);
}

void return_from_blend_shader(std::pmr::vector<Inst>& insts) {
    Inst back;
    back.proto = isa::make(Op::kBranchzi);
    back.proto.set_absolute(true);
    back.src[0] = back.src[1] = Ref::word(register_word(kBlendReturnRegister));
    insts.push_back(back);
    Inst end;
    end.proto = isa::make(Op::kNop);
    end.proto.flow = Flow::kEnd;
    insts.push_back(end);
}

bool needs_quad(const isa::Instr& i) {
    if (i.op == Op::kClperI32) return true;
    if (i.op == Op::kTexGradient) return !i.derivative_enable();
    return i.op == Op::kTexSingle &&
           (i.lod_mode() == isa::LodMode::kComputed || i.lod_mode() == isa::LodMode::kComputedBias);
}

/// Ends helper threads after the last instruction that needs a quad, or after the loop around that
/// instruction. The flag is set on the first instruction without other flow control.
void end_helpers(Function& f) {
    size_t block = 0, inst = 0;
    for (size_t b = 0; b < f.blocks.size(); b++)
        for (size_t i = 0; i < f.blocks[b].insts.size(); i++)
            if (needs_quad(f.blocks[b].insts[i].proto)) block = b, inst = i;
    for (size_t b = block; b < f.blocks.size(); b++)
        for (int32_t to : f.blocks[b].next)
            if (to >= 0 && size_t(to) <= block && b >= block && b + 1 < f.blocks.size()) {
                block = b + 1;
                inst = 0;
            }
    std::pmr::vector<Inst>& insts = f.blocks[block].insts;
    for (; inst < insts.size(); inst++) {
        isa::Instr& p = insts[inst].proto;
        if (p.info().message == Message::kAlphaTest || p.info().is(isa::kBranches)) return;
        if (p.flow != Flow::kNone) continue;
        p.flow = Flow::kDiscard;
        return;
    }
}

}  // namespace

void insert_flow(Function& f, Kind kind) {
    const bool blend = kind == Kind::Blend;
    f.link();
    for (size_t b = 0; b < f.blocks.size(); b++) {
        Block& block = f.blocks[b];
        const bool last = b + 1 == f.blocks.size();
        std::pmr::vector<Inst> out(f.memory);
        Scoreboard board(f, out, blend);
        for (const Inst& i : block.insts) {
            // All messages are waited for at the end of a block, so that blocks are independent.
            if (i.is_branch()) board.drain();
            board.step(i);
            if (i.calls) call_blend_shader(out, last && &i == &block.insts.back());
        }
        const bool branches = !block.insts.empty() && block.insts.back().is_branch();
        if (!last && !branches) board.drain();
        if (last) {
            if (blend)
                return_from_blend_shader(out);
            else if (block.insts.empty() || !block.insts.back().calls)
                say(out, Flow::kEnd);
        } else {
            const bool meets = block.next[0] >= 0 && f.blocks[size_t(block.next[0])].entries > 1;
            if (branches || meets) say(out, Flow::kReconverge);
        }
        block.insts = std::move(out);
    }
    if (kind == Kind::Fragment) end_helpers(f);
}

void pack(Function& f, std::pmr::vector<uint64_t>* code) {
    std::pmr::vector<int32_t> start(f.memory);
    int32_t at = 0;
    for (const Block& b : f.blocks) {
        start.push_back(at);
        at += int32_t(b.insts.size());
    }
    for (const Block& b : f.blocks) {
        for (const Inst& i : b.insts) {
            isa::Instr p = i.proto;
            const isa::OpInfo& row = p.info();
            if (i.dest != kNoWord) p.dest.reg = register_of(f, i.dest);
            for (unsigned n = 0; n < row.source_count; n++)
                p.src[n] = i.src[n].operand(
                    i.src[n].kind == Ref::Kind::Word ? register_of(f, i.src[n].as_word()) : uint8_t(0));
            for (unsigned n = 0; n < row.staging_count; n++) {
                const bool reads = row.staging_rows[n].reads && i.read_count;
                const bool writes = row.staging_rows[n].writes && i.written_count;
                if (reads) p.staging[n] = {register_of(f, i.read), i.read_count};
                if (writes) p.staging[n] = {register_of(f, i.written), i.written_count};
            }
            if (i.target >= 0)
                p.set_immediate(isa::Imm::kOffset, start[size_t(i.target)] - int32_t(code->size()) - 1);
            uint64_t word = 0;
            isa::Error error;
            if (!isa::encode(p, &word, &error))
                return f.fail(std::string("mali: not encodable: ") + std::string(error.reason));
            code->push_back(word);
        }
    }
}

}  // namespace terrazzo::mali::compiler
