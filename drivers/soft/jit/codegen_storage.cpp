// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Loads and stores of storage buffers and shared memory without a call. Lanes mostly want words one behind the other, or
// all the same word: code looks whether they do, and takes them one by one where they do not. Ranges have less than 2^31
// bytes, so that an offset that is negative as a signed number lies outside.
#include <cstddef>

#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

using ir::Storage;

/// Its data can be read for a word whatever the size is.
const Codegen::BlockRange& Codegen::storage_range(const ir::MemInfo& m) {
    const bool shared = m.space == Storage::Shared;
    BlockRange& r = storage_ranges_[shared ? -1 : m.binding];
    if (r.data) return r;
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(once_);
    V slot = at(ranges(m.space), shared ? 0 : uint64_t(m.binding) * sizeof(ir::MemoryRange));
    V data = load(ptr_, slot, offsetof(ir::MemoryRange, data), 8);
    r.size_B = load(i32_, slot, offsetof(ir::MemoryRange, size_B), 4);
    r.data = b_.CreateSelect(b_.CreateICmpSGE(r.size_B, b_.getInt32(4)), data, work_);
    return r;
}

/// Lanes that run have words one behind the other (i1).
Codegen::V Codegen::in_order(V at) {
    llvm::SmallVector<llvm::Constant*, 16> steps;
    for (unsigned lane = 0; lane < lanes_; ++lane)
        steps.push_back(b_.getInt32(lane * 4));
    V first = splat(b_.CreateExtractElement(at, uint64_t(0)));
    V wanted = b_.CreateAdd(first, llvm::ConstantVector::get(steps));
    return b_.CreateNot(any(b_.CreateAnd(exec_, mask_of(b_.CreateICmpNE(at, wanted)))));
}

/// Of a scalar or a vector of offsets: that the word `word` words further is there.
Codegen::V Codegen::within(const BlockRange& range, V at, unsigned word) {
    V last = b_.CreateSub(range.size_B, b_.getInt32(word * 4 + 4));
    V zero = llvm::Constant::getNullValue(at->getType());
    if (at->getType() != i32_) last = splat(last);
    return b_.CreateAnd(b_.CreateICmpSGE(at, zero), b_.CreateICmpSLE(at, last));
}

/// Others may store to the word meanwhile.
Codegen::V Codegen::load_scalar(const BlockRange& range, V at, unsigned word) {
    V is_there = within(range, at, word);
    V from = b_.CreateSelect(is_there, b_.CreateAdd(at, b_.getInt32(word * 4)), b_.getInt32(0));
    V place = b_.CreateGEP(b_.getInt8Ty(), range.data, b_.CreateZExt(from, b_.getInt64Ty()));
    llvm::LoadInst* const l = b_.CreateAlignedLoad(i32_, place, llvm::Align(4));
    l->setAtomic(llvm::AtomicOrdering::Monotonic);
    return b_.CreateSelect(is_there, l, b_.getInt32(0));
}

Codegen::V Codegen::load_each(const BlockRange& range, V at, unsigned word) {
    V words = llvm::PoisonValue::get(i32v_);
    for (unsigned lane = 0; lane < lanes_; ++lane)
        words =
            b_.CreateInsertElement(words, load_scalar(range, b_.CreateExtractElement(at, lane), word), lane);
    return words;
}

/// One word a lane.
Codegen::V Codegen::load_row(const BlockRange& range, V at) {
    llvm::BasicBlock *row = block("row"), *others = block("others"), *same = block("same"),
                     *each = block("each"), *after = block("loaded");
    V first = b_.CreateExtractElement(at, uint64_t(0));
    b_.CreateCondBr(b_.CreateAnd(in_order(at), within(range, first, lanes_ - 1)), row, others);
    b_.SetInsertPoint(row);
    V place = b_.CreateGEP(b_.getInt8Ty(), range.data, b_.CreateZExt(first, b_.getInt64Ty()));
    V of_row = b_.CreateAlignedLoad(i32v_, place, llvm::Align(4), true);
    b_.CreateBr(after);
    b_.SetInsertPoint(others);
    V differ = any(b_.CreateAnd(exec_, mask_of(b_.CreateICmpNE(at, splat(first)))));
    b_.CreateCondBr(differ, each, same);
    b_.SetInsertPoint(same);
    V of_same = splat(load_scalar(range, first, 0));
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    V of_each = load_each(range, at, 0);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode* const phi = b_.CreatePHI(i32v_, 3);
    phi->addIncoming(of_row, row);
    phi->addIncoming(of_same, same);
    phi->addIncoming(of_each, each);
    return phi;
}

void Codegen::load_storage(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const BlockRange range = storage_range(m);
    V at = b_.CreateAnd(b_.CreateAdd(operand(i, 0), splat_i32(m.offset_B)), splat_i32(~3u));
    const bool same = is_uniform(*i.operand(0));
    for (unsigned n = 0; n < i.result_count; ++n) {
        V words = nullptr;
        if (same)
            words = splat(load_scalar(range, b_.CreateExtractElement(at, uint64_t(0)), n));
        else
            words = i.result_count == 1 ? load_row(range, at) : load_each(range, at, n);
        set(i, from_words(words, i.result(n)->type), n);
    }
}

/// One word a lane. Lanes that are not in order go through the door.
void Codegen::store_storage(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const BlockRange range = storage_range(m);
    V at = b_.CreateAnd(b_.CreateAdd(operand(i, 0), splat_i32(m.offset_B)), splat_i32(~3u));
    llvm::BasicBlock *row = block("row"), *each = block("each"), *after = block("stored");
    b_.CreateCondBr(in_order(at), row, each);
    b_.SetInsertPoint(row);
    V lanes = b_.CreateAnd(within(range, at, 0), test(lanes_of(wanted_lanes())));
    V first = b_.CreateExtractElement(at, uint64_t(0));
    V place = b_.CreateGEP(b_.getInt8Ty(), range.data, b_.CreateZExt(first, b_.getInt64Ty()));
    const ir::Value* const v = i.operand(1);
    b_.CreateMaskedStore(as_words(value(v), v->type), place, llvm::Align(4), lanes);
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    call_memory(i);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
}

}  // namespace terrazzo::soft::jit
