// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations that run lane by lane in a loop: atomics and scattered stores. Operands and results are in rows
// of the work area. Lanes run in order: if several lanes store to the same word, the last one's value stays,
// as in the interpreter.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using asmjit::Imm;
using ir::MemOp;
using ir::Storage;

namespace {

constexpr uint32_t kLaneRows = 6;  // offsets, up to four words, results
constexpr int32_t kResultRow = 5;

}  // namespace

/// The current lane's word in a row.
x86::Mem Codegen::LaneLoop::word(int32_t row) const {
    const int32_t at_B = rows + row * kRow_B;
    return fixed < 0 ? x86::dword_ptr(work, lane, 2, at_B) : x86::dword_ptr(work, at_B + fixed * 4);
}

asmjit::Operand Codegen::LaneLoop::operand(unsigned n) const {
    if (operands[n].kind == V::Kind::Const) return Imm(int32_t(operands[n].bits));
    return word(int32_t(n));
}

/// `lanes` has a bit for each lane that takes part; it is clobbered. `unrolled`: if all lanes take part,
/// their code is emitted without a loop.
template <class Body>
void Codegen::each_lane(const Gp& lanes, LaneLoop& l, bool unrolled, Body&& body) {
    const Label some = cc_.newLabel(), head = cc_.newLabel(), after = cc_.newLabel();
    if (unrolled) {
        cc_.cmp(lanes.r32(), Imm((1u << kLanes) - 1));
        cc_.jnz(some);
        for (l.fixed = 0; l.fixed < int32_t(kLanes); ++l.fixed)
            body();
        l.fixed = -1;
        cc_.jmp(after);
    }
    cc_.bind(some);
    l.lane = fresh_gp();
    const Gp less = fresh_gp().r32();
    cc_.test(lanes.r32(), lanes.r32());
    cc_.jz(after);
    cc_.bind(head);
    // Never 0, so that processors without TZCNT, which run BSF instead, give the same result.
    cc_.tzcnt(l.lane.r32(), lanes.r32());
    body();
    cc_.lea(less, x86::ptr(lanes, -1));
    cc_.and_(lanes.r32(), less);
    cc_.jnz(head);
    cc_.bind(after);
}

/// A loop with each lane's offset in row 0 and the operands from 1 on in the following rows, except
/// constants.
Codegen::LaneLoop Codegen::lane_loop(const ir::Instr& i, const Ymm& offset, const Gp& range) {
    if (lane_rows_ == kNowhere) lane_rows_ = reserve(kLaneRows * uint32_t(kRow_B));
    LaneLoop l;
    l.rows = lane_rows_;
    l.work = work_area();
    l.data = fresh_gp();
    cc_.mov(l.data, x86::ptr(range, offsetof(ir::MemoryRange, data)));
    for (Gp* p : {&l.at, &l.old, &l.now, &l.other})
        *p = fresh_gp();
    store(offset, in_work(l.work, l.rows));
    for (unsigned n = 1; n < i.operand_count; ++n) {
        l.operands[n] = as_words(operand(i, n), i.operand(n)->type);
        if (l.operands[n].kind != V::Kind::Const)
            store(l.operands[n], in_work(l.work, l.rows + int32_t(n) * kRow_B));
    }
    return l;
}

/// The byte offset of each lane, rounded down to a word.
Codegen::Ymm Codegen::lane_offsets(const ir::Instr& i) {
    V at = operand(i, 0);
    if (i.u.mem->offset_B) at = emit_commuting(Inst::kIdVpaddd, at, splat(i.u.mem->offset_B));
    return reg(bit_and(at, splat(~3u)));
}

namespace {

InstId plain_op(MemOp op) {
    switch (op) {
        case MemOp::Add:
            return Inst::kIdAdd;
        case MemOp::And:
            return Inst::kIdAnd;
        case MemOp::Or:
            return Inst::kIdOr;
        case MemOp::Xor:
            return Inst::kIdXor;
        case MemOp::None:
        case MemOp::IMin:
        case MemOp::IMax:
        case MemOp::UMin:
        case MemOp::UMax:
        case MemOp::Exchange:
        case MemOp::CompareExchange:
            break;
    }
    return Inst::kIdNone;
}

/// The conditional move that keeps `value` instead of the old value it was compared with.
InstId move_unless_old(MemOp op) {
    switch (op) {
        case MemOp::IMin:
            return Inst::kIdCmovl;
        case MemOp::IMax:
            return Inst::kIdCmovg;
        case MemOp::UMin:
            return Inst::kIdCmovb;
        case MemOp::UMax:
        case MemOp::None:
        case MemOp::Add:
        case MemOp::And:
        case MemOp::Or:
        case MemOp::Xor:
        case MemOp::Exchange:
        case MemOp::CompareExchange:
            break;
    }
    return Inst::kIdCmova;
}

}  // namespace

/// Emits now = apply(op, old, ...).
void Codegen::apply(MemOp op, const LaneLoop& l) {
    const Gp now = l.now.r32(), old = l.old.r32(), other = l.other.r32();
    if (op == MemOp::Exchange || op == MemOp::CompareExchange) {
        cc_.emit(Inst::kIdMov, now, l.operand(op == MemOp::Exchange ? 1 : 2));
        if (op == MemOp::Exchange) return;
        cc_.emit(Inst::kIdCmp, old, l.operand(1));
        cc_.cmovnz(now, old);
        return;
    }
    cc_.mov(now, old);
    if (const InstId plain = plain_op(op)) {
        cc_.emit(plain, now, l.operand(1));
        return;
    }
    cc_.emit(Inst::kIdMov, other, l.operand(1));
    cc_.cmp(other, old);
    cc_.emit(move_unless_old(op), now, other);
}

namespace {

/// Whether one processor instruction suffices, because the old value is not used.
bool is_one_instruction(const ir::Instr& i) {
    return plain_op(i.u.mem->op) && !i.result()->has_uses();
}

}  // namespace

/// Shared memory: a workgroup runs on one thread, so no lock is needed.
void Codegen::change_own(const ir::Instr& i, const LaneLoop& l, const x86::Mem& to) {
    const Gp old = l.old.r32(), now = l.now.r32();
    asmjit::Operand value = l.operand(1);
    if (is_one_instruction(i)) {
        if (!value.isImm()) {
            cc_.emit(Inst::kIdMov, now, value);
            value = now;
        }
        cc_.emit(plain_op(i.u.mem->op), to, value);
        return;
    }
    cc_.mov(old, to);
    apply(i.u.mem->op, l);
    cc_.mov(to, now);
    if (i.result()->has_uses()) cc_.mov(l.word(kResultRow), old);
}

void Codegen::change_shared(const ir::Instr& i, const LaneLoop& l, const x86::Mem& to) {
    const MemOp op = i.u.mem->op;
    const bool has_uses = i.result()->has_uses();
    const Gp old = l.old.r32(), now = l.now.r32();
    if (op == MemOp::Add || op == MemOp::Exchange || is_one_instruction(i)) {
        cc_.emit(Inst::kIdMov, now, l.operand(1));
        if (op == MemOp::Exchange)
            cc_.xchg(to, now);  // xchg implies lock
        else if (has_uses)
            cc_.lock().xadd(to, now);
        else
            cc_.lock().emit(plain_op(op), to, now);
        if (has_uses) cc_.mov(l.word(kResultRow), now);
        return;
    }
    const Label again = cc_.newLabel();
    cc_.mov(old, to);
    cc_.bind(again);
    apply(op, l);
    cc_.lock().cmpxchg(to, now, old);
    cc_.jnz(again);
    if (has_uses) cc_.mov(l.word(kResultRow), old);
}

void Codegen::atomic(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const bool own = m.space == Storage::Shared, has_uses = i.result()->has_uses();
    const uint64_t end_B = uint64_t(steps_.upper_bound(i.operand(0))) + m.offset_B + 4;
    const Ymm offset = lane_offsets(i);
    const Gp range = ranges(m.space), lanes = wanted_lanes();
    if (!own) cc_.add(range, uint32_t(m.binding) * uint32_t(sizeof(ir::MemoryRange)));
    if (!own || end_B > shader_.info.shared_B)
        cc_.and_(lanes.r32(), bits(words_within(range, offset, 0)).r32());
    LaneLoop l = lane_loop(i, offset, range);
    const x86::Mem results = in_work(l.work, l.rows + kResultRow * kRow_B);
    if (has_uses) store(splat(0), results);
    each_lane(lanes, l, own && is_one_instruction(i), [&] {
        cc_.mov(l.at.r32(), l.word(0));
        const x86::Mem to = x86::dword_ptr(l.data, l.at);
        own ? change_own(i, l, to) : change_shared(i, l, to);
    });
    if (has_uses) set(i, load(results));
}

/// Stores words at any address. Each word is checked separately.
void Codegen::scatter(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const Ymm offset = lane_offsets(i);
    const Gp range = ranges(m.space), lanes = wanted_lanes(), size = fresh_gp();
    if (m.space != Storage::Shared) cc_.add(range, uint32_t(m.binding) * uint32_t(sizeof(ir::MemoryRange)));
    LaneLoop l = lane_loop(i, offset, range);
    cc_.mov(size.r32(), x86::ptr(range, offsetof(ir::MemoryRange, size_B)));
    each_lane(lanes, l, false, [&] {
        const Label outside = cc_.newLabel();
        cc_.mov(l.at.r32(), l.word(0));
        for (int32_t n = 0; n < m.words; ++n) {
            // If a word is outside, the words after it are outside, too: ends have 64 bits.
            cc_.lea(l.other, x86::ptr(l.at, n * 4 + 4));
            cc_.cmp(l.other, size);
            cc_.ja(outside);
            cc_.emit(Inst::kIdMov, l.now.r32(), l.operand(unsigned(n) + 1));
            cc_.mov(x86::dword_ptr(l.data, l.at, 0, n * 4), l.now.r32());
        }
        cc_.bind(outside);
    });
}

}  // namespace terrazzo::soft::tier1
