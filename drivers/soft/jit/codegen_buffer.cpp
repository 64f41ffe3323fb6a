// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers. Words of uniform blocks at constant offsets are loaded once per call. Other loads of uniform
// blocks check the range's size and load only words within it. Everything else, images included, is a
// MemoryCall in the work area.
#include <cstddef>

#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

using ir::Op;
using ir::Storage;

const Codegen::BlockRange& Codegen::block_range(int binding) {
    BlockRange& r = block_ranges_[binding];
    if (r.data) return r;
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(once_);
    const uint64_t slot_B = uint64_t(binding) * sizeof(ir::MemoryRange);
    r.data = load(ptr_, blocks_, slot_B + offsetof(ir::MemoryRange, data), 8);
    r.size_B = load(i32_, blocks_, slot_B + offsetof(ir::MemoryRange, size_B), 4);
    return r;
}

void Codegen::memory(const ir::Instr& i) {
    if (i.op == Op::Barrier) return barrier(i);
    const ir::MemInfo& m = *i.u.mem;
    const bool block = m.space == Storage::UniformBlock, image = m.space == Storage::Image;
    if (!m.indexed && !block && !image) {
        if (i.op == Op::LoadBuffer) return load_storage(i);
        if (i.op == Op::StoreBuffer && m.element_B == 4) return store_storage(i);
        if (i.op == Op::AtomicBuffer) return atomic_storage(i);
        if (i.op == Op::BufferSize)
            return set(i, from_words(splat(storage_range(m).size_B), i.result()->type));
    }
    if (is_plain_image(i)) return i.op == Op::LoadImage ? load_image(i) : store_image(i);
    if (i.op != Op::LoadBuffer || !block || m.indexed) return call_memory(i);
    if (ir::is_const(i.operand(0))) return load_block(i);
    return steps_.is_uniform(i.operand(0)) ? load_block_uniform(i) : load_block_lanes(i);
}

void Codegen::load_block(const ir::Instr& i) {
    V data = block_range(i.u.mem->binding).data;
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(once_);
    for (unsigned n = 0; n < i.result_count; ++n) {
        const uint64_t at_B = uint64_t(block_offset_B(i)) + n * 4u;
        const bool reachable = at_B + 4 <= kMaxUniformBlock_B;
        set(i, from_words(reachable ? splat(load(i32_, data, at_B, 4)) : splat_i32(0), i.result(n)->type), n);
    }
}

/// A load at an offset that all lanes share.
void Codegen::load_block_uniform(const ir::Instr& i) {
    const BlockRange range = block_range(i.u.mem->binding);
    V at = b_.CreateExtractElement(operand(i, 0), uint64_t(0));
    at = b_.CreateAnd(b_.CreateAdd(at, b_.getInt32(i.u.mem->offset_B)), b_.getInt32(~3u));
    V first = b_.CreateZExt(at, b_.getInt64Ty()), size = b_.CreateZExt(range.size_B, b_.getInt64Ty());
    for (unsigned n = 0; n < i.result_count; ++n) {
        V within = b_.CreateICmpULE(b_.CreateAdd(first, b_.getInt64(n * 4 + 4)), size);
        V from = b_.CreateSelect(within, b_.CreateAdd(first, b_.getInt64(n * 4)), b_.getInt64(0));
        V word = load(i32_, b_.CreateGEP(b_.getInt8Ty(), range.data, from), 0, 4);
        set(i, from_words(splat(b_.CreateSelect(within, word, b_.getInt32(0))), i.result(n)->type), n);
    }
}

void Codegen::load_block_lanes(const ir::Instr& i) {
    const BlockRange range = block_range(i.u.mem->binding);
    V at = b_.CreateAdd(operand(i, 0), splat_i32(i.u.mem->offset_B));
    at = b_.CreateAnd(at, splat_i32(~3u));
    V zero = splat_i32(0), size = splat(range.size_B);
    for (unsigned n = 0; n < i.result_count; ++n) {
        // Sizes are at most kMaxUniformBlock_B, so negative offsets and words beyond the end are outside.
        V last = b_.CreateSub(size, splat_i32(n * 4 + 4));
        V within = b_.CreateAnd(b_.CreateICmpSGE(at, zero), b_.CreateICmpSLE(at, last));
        V from = b_.CreateSelect(within, b_.CreateAdd(at, splat_i32(n * 4)), zero);
        V words = llvm::PoisonValue::get(i32v_);
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            V place = b_.CreateZExt(b_.CreateExtractElement(from, lane), b_.getInt64Ty());
            V word = load(i32_, b_.CreateGEP(b_.getInt8Ty(), range.data, place), 0, 4);
            words = b_.CreateInsertElement(words, word, lane);
        }
        set(i, from_words(b_.CreateSelect(within, words, zero), i.result(n)->type), n);
    }
}

/// A bit for each lane whose writes count.
Codegen::V Codegen::wanted_lanes() {
    V lanes = exec_ == whole_ ? whole_bits_ : bits(exec_);
    if (ir::is_kernel(shader_.stage)) return lanes;
    if (shader_.stage == ir::Stage::Vertex) return b_.CreateAnd(lanes, lanes_before());
    lanes = b_.CreateAnd(lanes, mask_in_);
    if (!discarded_) return lanes;
    return b_.CreateAnd(lanes, b_.CreateNot(bits(load(i32v_, discarded_, 0, 32, false))));
}

Codegen::V Codegen::ranges(Storage space) {
    if (space == Storage::Shared) return at(args_, offsetof(ComputeArgs, shared));
    return space == Storage::UniformBlock ? blocks_ : space == Storage::Image ? images_ : buffers_;
}

/// For LLVM, a call is a barrier, too, as the arguments escape. If no invocation waits, a fence keeps the
/// order.
void Codegen::barrier(const ir::Instr& i) {
    if (i.u.mem->execution == ir::MemScope::None || !info_.waits) {
        b_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
        return;
    }
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
    b_.CreateCall(type, runtime_function(offsetof(Runtime, wait)), {args_});
}

void Codegen::call_memory(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    if (!memory_call_) memory_call_ = reserve(sizeof(MemoryCall));
    V call = memory_call_;
    constexpr uint64_t kRow_B = sizeof(uint32_t[kLanes]);
    const uint64_t slot_B = m.space == Storage::Image ? sizeof(ir::ImageRange) : sizeof(ir::MemoryRange);
    const uint64_t first = m.space == Storage::Shared ? 0 : uint64_t(m.binding);
    store(at(ranges(m.space), first * slot_B), call, offsetof(MemoryCall, slots), 8);
    const auto say = [&](uint64_t offset_B, unsigned v) { store(b_.getInt8(uint8_t(v)), call, offset_B, 1); };
    say(offsetof(MemoryCall, op), unsigned(i.op));
    say(offsetof(MemoryCall, atomic), unsigned(m.op));
    say(offsetof(MemoryCall, words), m.words);
    say(offsetof(MemoryCall, indexed), m.indexed);
    say(offsetof(MemoryCall, arrayed), m.arrayed);
    say(offsetof(MemoryCall, dim), unsigned(m.dim));
    say(offsetof(MemoryCall, format), unsigned(m.format));
    store(b_.getInt32(m.count), call, offsetof(MemoryCall, count), 4);
    store(b_.getInt32(m.offset_B), call, offsetof(MemoryCall, offset_B), 4);
    V wanted = ir::writes_memory(i.op) ? wanted_lanes() : exec_ == whole_ ? whole_bits_ : bits(exec_);
    auto* row = llvm::FixedVectorType::get(i32_, std::min(lanes_, kLanes));
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
    V out[4][2] = {};
    for (unsigned part = 0; part < tex_parts(); ++part) {
        const auto put = [&](int n, uint64_t offset_B) {
            const ir::Value* const v = i.operand(unsigned(n));
            store_part(as_words(value(v), v->type), part, call, offset_B);
        };
        V mask = b_.CreateLShr(wanted, part * kLanes);
        store(lanes_ > kLanes ? b_.CreateAnd(mask, (1u << kLanes) - 1) : mask, call,
              offsetof(MemoryCall, mask), 4);
        if (o.place < 0) store_part(splat_i32(0), part, call, offsetof(MemoryCall, place));
        for (int n = 0; n < o.place_count; ++n)
            put(o.place + n, offsetof(MemoryCall, place) + unsigned(n) * kRow_B);
        if (o.index >= 0) put(o.index, offsetof(MemoryCall, index));
        for (int n = 0; n < o.value_count; ++n)
            put(o.value + n, offsetof(MemoryCall, value) + unsigned(n) * kRow_B);
        b_.CreateCall(type, runtime_function(offsetof(Runtime, memory)), {call});
        for (unsigned n = 0; n < i.result_count; ++n)
            out[n][part] = load(row, call, offsetof(MemoryCall, out) + n * kRow_B, 16, false);
    }
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, from_words(join_parts(out[n]), i.result(n)->type), n);
}

}  // namespace terrazzo::soft::jit
