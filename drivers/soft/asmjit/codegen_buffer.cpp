// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers. A word of a uniform block at a constant offset is a memory operand of the instruction that uses
// it. Other loads check the range's size and load only words within it. Atomics and scattered stores are in
// codegen_lanes.cpp. Everything else, images included, is a MemoryCall in the work area.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using asmjit::Imm;
using ir::Op;
using ir::Storage;

namespace {

constexpr std::array<uint32_t, kLanes> kLaneNumbers = {0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

/// The binding slots of a storage space.
Codegen::Gp Codegen::ranges(Storage space) {
    const Gp p = fresh_gp();
    if (space == Storage::Shared) {
        cc_.lea(p, x86::ptr(args_, offsetof(ComputeArgs, shared)));
        return p;
    }
    const size_t offset_B = space == Storage::UniformBlock ? offsetof(VertexArgs, blocks)
                            : space == Storage::Image      ? offsetof(VertexArgs, images)
                                                           : offsetof(VertexArgs, buffers);
    cc_.mov(p, x86::ptr(args_, int32_t(offset_B)));
    return p;
}

/// The first lane's word, for use in an address.
Codegen::Gp Codegen::first_lane(const V& v) {
    const Gp word = fresh_gp();
    // Not vmovd: if asmjit has spilled the register, it would replace it by a load from memory, which fails.
    cc_.vpextrd(word.r32(), reg(v).xmm(), 0);
    return word;
}

void Codegen::memory(const ir::Instr& i) {
    if (i.op == Op::Barrier) return barrier(i);
    const ir::MemInfo& m = *i.u.mem;
    const bool words = !m.indexed && m.element_B == 4 && m.space != Storage::Image;
    if (i.op == Op::StoreBuffer && words)
        return m.words == 1 && steps_.step(i.operand(0)) == 4u ? store_row(i) : scatter(i);
    if (i.op == Op::AtomicBuffer && words) return atomic(i);
    return i.op == Op::LoadBuffer && !m.indexed ? load_block(i) : call_memory(i);
}

void Codegen::load_block(const ir::Instr& i) {
    const Storage space = i.u.mem->space;
    const uint32_t binding = space == Storage::Shared ? 0 : uint32_t(i.u.mem->binding);
    if (!ir::is_const(i.operand(0)) || space != Storage::UniformBlock) {
        const Gp range = ranges(space);
        cc_.add(range, binding * uint32_t(sizeof(ir::MemoryRange)));
        return alike(i.operand(0)) ? load_block_alike(i, range) : load_block_gather(i, range);
    }
    for (unsigned n = 0; n < i.result_count; ++n) {
        const uint64_t at_B = uint64_t(block_offset_B(i)) + n * 4u;
        const bool reachable = at_B + 4 <= kMaxUniformBlock_B;
        set(i, reachable ? V(V::Kind::Block, binding * kMaxUniformBlock_B + uint32_t(at_B)) : splat(0), n);
    }
}

/// A load at an offset that all lanes share.
void Codegen::load_block_alike(const ir::Instr& i, const Gp& range) {
    const Gp at = first_lane(operand(i, 0)), data = fresh_gp(), size = fresh_gp(), zeros = fresh_gp();
    if (i.u.mem->offset_B) cc_.add(at.r32(), Imm(int32_t(i.u.mem->offset_B)));
    cc_.and_(at.r32(), Imm(~3));
    cc_.mov(data, x86::ptr(range, offsetof(ir::MemoryRange, data)));
    cc_.mov(size.r32(), x86::ptr(range, offsetof(ir::MemoryRange, size_B)));
    cc_.lea(zeros, words(0));
    for (unsigned n = 0; n < i.result_count; ++n) {
        if (!i.result(n)->has_uses()) continue;
        const Gp end = fresh_gp(), from = fresh_gp();
        cc_.lea(end, x86::ptr(at, int32_t(n * 4 + 4)));
        cc_.lea(from, x86::ptr(data, at, 0, int32_t(n * 4)));
        cc_.cmp(end, size);
        cc_.cmova(from, zeros);
        set(i, broadcast(x86::dword_ptr(from)), n);
    }
}

/// The lanes whose word `n`, counted from byte offset `at`, is within the range. Sizes are at most
/// kMaxRange_B, so negative offsets and words beyond the end are outside.
Codegen::V Codegen::words_within(const Gp& range, const Ymm& at, unsigned n) {
    const V size = broadcast(x86::dword_ptr(range, offsetof(ir::MemoryRange, size_B)));
    const V last = emit(Inst::kIdVpsubd, size, splat(n * 4 + 4));
    return bit_not(bit_or(emit(Inst::kIdVpcmpgtd, V(at), last), V(at)));
}

/// Stores one word per lane at consecutive addresses. The first lanes' offsets may be negative while later
/// ones are not.
void Codegen::store_row(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const Gp range = ranges(m.space), data = fresh_gp();
    cc_.add(range, m.space == Storage::Shared ? 0u : uint32_t(m.binding * sizeof(ir::MemoryRange)));
    V at = operand(i, 0);
    if (m.offset_B) at = emit_commuting(Inst::kIdVpaddd, at, splat(m.offset_B));
    const Ymm offset = reg(bit_and(at, splat(~3u)));
    // Only the sign bits matter, here and in the store.
    const V wanted = shader_.stage == ir::Stage::Compute ? V(exec_) : V(lanes_of(wanted_lanes()));
    const Ymm mask = reg(bit_and(words_within(range, offset, 0), wanted));
    const Gp first = first_lane(V(offset));
    cc_.movsxd(first, first.r32());
    cc_.mov(data, x86::ptr(range, offsetof(ir::MemoryRange, data)));
    cc_.vpmaskmovd(x86::ptr(data, first, 0, 0), mask, reg(operand(i, 1)));
}

void Codegen::load_block_gather(const ir::Instr& i, const Gp& range) {
    V at = operand(i, 0);
    if (i.u.mem->offset_B) at = emit_commuting(Inst::kIdVpaddd, at, splat(i.u.mem->offset_B));
    const Ymm offset = reg(bit_and(at, splat(~3u)));
    const Gp data = fresh_gp();
    cc_.mov(data, x86::ptr(range, offsetof(ir::MemoryRange, data)));
    const bool row = i.result_count == 1 && steps_.step(i.operand(0)) == 4u;
    for (unsigned n = 0; n < i.result_count; ++n) {
        if (!i.result(n)->has_uses()) continue;
        const Ymm mask = reg(words_within(range, offset, n)), d = zero();
        if (row) {
            const Gp first = first_lane(V(offset));
            cc_.movsxd(first, first.r32());
            cc_.vpmaskmovd(d, mask, x86::ptr(data, first, 0, 0));
        } else {
            cc_.vpgatherdd(d, x86::ptr(data, offset, 0, int32_t(n * 4)), mask);
        }
        set(i, d, n);
    }
}

/// The lanes of this row before the end of all rows. `count_B` is the offset of their number in the
/// arguments.
Codegen::Ymm Codegen::lanes_before(size_t count_B) {
    const Gp first = fresh_gp().r32(), left = fresh_gp().r32();
    cc_.mov(first, block_.r32());
    cc_.shl(first, 3);
    cc_.mov(left, x86::dword_ptr(args_, int32_t(count_B)));
    cc_.sub(left, first);
    const x86::Xmm low = fresh().xmm();
    cc_.vmovd(low, left);
    const V count = emit(Inst::kIdVpbroadcastd, V(low.ymm()));
    return reg(emit(Inst::kIdVpcmpgtd, count, V(load(pattern(kLaneNumbers)))));
}

/// A bit for each lane whose writes count.
Codegen::Gp Codegen::wanted_lanes() {
    const Gp lanes = bits(exec_);
    if (ir::is_kernel(shader_.stage)) return lanes;
    if (shader_.stage == ir::Stage::Vertex) {
        cc_.and_(lanes, bits(lanes_before(offsetof(VertexArgs, count))));
        return lanes;
    }
    cc_.and_(lanes, mask_in_);
    if (!info_.uses_discard) return lanes;
    const Gp kept = bits(discarded_);
    cc_.not_(kept);
    cc_.and_(lanes, kept);
    return lanes;
}

/// Other threads' stores become visible without an instruction, and nothing here reorders accesses.
void Codegen::barrier(const ir::Instr& i) {
    if (i.u.mem->execution != ir::MemScope::None && info_.waits) call("wait_at_barrier", {args_});
}

void Codegen::call_memory(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const size_t slot_B = m.space == Storage::Image ? sizeof(ir::ImageRange) : sizeof(ir::MemoryRange);
    const auto first = m.space == Storage::Shared ? 0 : uint32_t(m.binding);
    static_assert(alignof(MemoryCall) == kRow_B);
    if (memory_call_ == kNowhere) memory_call_ = reserve(sizeof(MemoryCall));
    const Gp slots = ranges(m.space), work = work_area();
    const auto at = [&](size_t offset_B, uint32_t size_B) {
        return in_work(work, memory_call_ + int32_t(offset_B), size_B);
    };
    const auto put = [&](int n, size_t offset_B) { store(operand(i, unsigned(n)), at(offset_B, 32)); };
    const auto say = [&](size_t offset_B, unsigned value) { cc_.mov(at(offset_B, 1), Imm(value)); };
    cc_.add(slots, uint32_t(first * slot_B));
    cc_.mov(at(offsetof(MemoryCall, slots), 8), slots);
    cc_.mov(at(offsetof(MemoryCall, mask), 4), ir::writes_memory(i.op) ? wanted_lanes() : bits(exec_));
    say(offsetof(MemoryCall, op), unsigned(i.op));
    say(offsetof(MemoryCall, atomic), unsigned(m.op));
    say(offsetof(MemoryCall, words), m.words);
    say(offsetof(MemoryCall, indexed), m.indexed);
    say(offsetof(MemoryCall, arrayed), m.arrayed);
    say(offsetof(MemoryCall, dim), unsigned(m.dim));
    say(offsetof(MemoryCall, format), unsigned(m.format));
    cc_.mov(at(offsetof(MemoryCall, count), 4), Imm(m.count));
    cc_.mov(at(offsetof(MemoryCall, offset_B), 4), Imm(int32_t(m.offset_B)));
    if (o.place < 0) store(splat(0), at(offsetof(MemoryCall, place), 32));
    for (int n = 0; n < o.place_count; ++n)
        put(o.place + n, offsetof(MemoryCall, place) + unsigned(n) * sizeof(Row));
    if (o.index >= 0) put(o.index, offsetof(MemoryCall, index));
    for (int n = 0; n < o.value_count; ++n)
        put(o.value + n, offsetof(MemoryCall, value) + unsigned(n) * sizeof(Row));
    call("call_memory", {address(at(0, 0))});
    for (unsigned n = 0; n < i.result_count; ++n)
        if (i.result(n)->has_uses()) set(i, load(at(offsetof(MemoryCall, out) + n * sizeof(Row), 32)), n);
}

}  // namespace terrazzo::soft::tier1
