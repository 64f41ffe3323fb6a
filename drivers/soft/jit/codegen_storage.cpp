// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inline accesses to storage buffers and shared memory. Usually the lanes' words are consecutive or all the
// same. Often that is known at compile time (interp/lane_uniformity.h). Otherwise the code checks it, and
// accesses words one by one if it does not hold. Ranges are smaller than 2^31 bytes, so negative offsets are
// outside.
//
// Other threads may store to the same words at the same time. So loaded words are frozen: LLVM must not
// assume that a value it has tested equals the value it uses.
#include <algorithm>
#include <cstddef>

#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

using ir::MemOp;
using ir::Storage;

/// The data pointer is readable for at least a word, whatever the size is.
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

Codegen::Place Codegen::place_of(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const uint64_t end_B = uint64_t(steps_.upper_bound(i.operand(0))) + m.offset_B + m.words * 4u;
    V at = b_.CreateAnd(b_.CreateAdd(operand(i, 0), splat_i32(m.offset_B)), splat_i32(~3u));
    return {storage_range(m), at, steps_.step(i.operand(0)),
            m.space == Storage::Shared && end_B <= shader_.info.shared_B};
}

/// Whether the running lanes' words are consecutive (i1).
Codegen::V Codegen::in_order(const Place& p) {
    if (p.step) return b_.getInt1(*p.step == 4);
    llvm::SmallVector<llvm::Constant*, 16> steps;
    for (unsigned lane = 0; lane < lanes_; ++lane)
        steps.push_back(b_.getInt32(lane * 4));
    V first = splat(b_.CreateExtractElement(p.at, uint64_t(0)));
    V wanted = b_.CreateAdd(first, llvm::ConstantVector::get(steps));
    return b_.CreateNot(any(b_.CreateAnd(exec_, mask_of(b_.CreateICmpNE(p.at, wanted)))));
}

/// Whether the word `word` words after an offset is inside, for a scalar or a vector of offsets.
Codegen::V Codegen::within(const BlockRange& range, V at, unsigned word) {
    V last = b_.CreateSub(range.size_B, b_.getInt32(word * 4 + 4));
    V zero = llvm::Constant::getNullValue(at->getType());
    if (at->getType() != i32_) last = splat(last);
    return b_.CreateAnd(b_.CreateICmpSGE(at, zero), b_.CreateICmpSLE(at, last));
}

/// Whether all words of a row are inside, `words` per lane (i1). If those of the running lanes are known to
/// be, there is padding after the workgroup's memory for the others (Dispatcher::prepare).
Codegen::V Codegen::row_within(const Place& p, V first, unsigned words) {
    return p.within ? b_.getTrue() : within(p.range, first, lanes_ * words - 1);
}

Codegen::V Codegen::word_at(const BlockRange& range, V offset_B) {
    return b_.CreateGEP(b_.getInt8Ty(), range.data, b_.CreateZExt(offset_B, b_.getInt64Ty()));
}

Codegen::V Codegen::load_scalar(const Place& p, V at, unsigned word) {
    V there = p.within ? b_.getTrue() : within(p.range, at, word);
    V from = b_.CreateSelect(there, b_.CreateAdd(at, b_.getInt32(word * 4)), b_.getInt32(0));
    V words = splat(load(i32_, word_at(p.range, from), 0, 4, false));
    return b_.CreateFreeze(b_.CreateSelect(there, words, llvm::Constant::getNullValue(i32v_)));
}

/// Loads a word at each place that is inside; the others are 0.
Codegen::V Codegen::gather(V places, V there) {
    V zero = splat_i32(0), words = llvm::PoisonValue::get(i32v_);
    if (lanes_ == 16)  // one instruction, and much less of LLVM's time
        return b_.CreateFreeze(b_.CreateMaskedGather(i32v_, places, llvm::Align(4), there, zero));
    places = b_.CreateSelect(there, places, splat(work_));
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        V word = load(i32_, b_.CreateExtractElement(places, lane), 0, 4, false);
        words = b_.CreateInsertElement(words, word, lane);
    }
    return b_.CreateSelect(there, b_.CreateFreeze(words), zero);
}

Codegen::V Codegen::load_each(const Place& p, unsigned word) {
    V offset = b_.CreateZExt(b_.CreateAdd(p.at, splat_i32(word * 4)), i64v_);
    return gather(b_.CreateGEP(b_.getInt8Ty(), p.range.data, offset), within(p.range, p.at, word));
}

/// Loads one word per lane.
Codegen::V Codegen::load_row(const Place& p) {
    llvm::BasicBlock *row = block("row"), *others = block("others"), *same = block("same"),
                     *each = block("each"), *after = block("loaded");
    V first = b_.CreateExtractElement(p.at, uint64_t(0));
    b_.CreateCondBr(b_.CreateAnd(in_order(p), row_within(p, first, 1)), row, others);
    b_.SetInsertPoint(row);
    V of_row = b_.CreateFreeze(load(i32v_, word_at(p.range, first), 0, 4, false));
    b_.CreateBr(after);
    b_.SetInsertPoint(others);
    V differ = any(b_.CreateAnd(exec_, mask_of(b_.CreateICmpNE(p.at, splat(first)))));
    b_.CreateCondBr(differ, each, same);
    b_.SetInsertPoint(same);
    V of_same = load_scalar(p, first, 0);
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    V of_each = load_each(p, 0);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode* const phi = b_.CreatePHI(i32v_, 3);
    phi->addIncoming(of_row, row);
    phi->addIncoming(of_same, same);
    phi->addIncoming(of_each, each);
    return phi;
}

/// Splits words that are stored lane by lane: the first words of all lanes, then the second ones, and so on.
void Codegen::split_words(V all, unsigned words, V* to) {
    for (unsigned n = 0; n < words; ++n) {
        llvm::SmallVector<int, 16> picks;
        for (unsigned lane = 0; lane < lanes_; ++lane)
            picks.push_back(int(lane * words + n));
        to[n] = words == 1 ? all : b_.CreateShuffleVector(all, picks);
    }
}

/// The inverse of split_words(), for any type.
Codegen::V Codegen::join_words(const V* from, unsigned words) {
    if (words == 1) return from[0];
    llvm::SmallVector<int, 64> both, picks;
    for (unsigned k = 0; k < lanes_ * 2; ++k)
        both.push_back(int(k));
    for (unsigned lane = 0; lane < lanes_; ++lane)
        for (unsigned n = 0; n < words; ++n)
            picks.push_back(int(n * lanes_ + lane));
    V first = b_.CreateShuffleVector(from[0], from[1], both), second = first;
    if (words > 2) second = b_.CreateShuffleVector(from[2], from[words - 1], both);
    return b_.CreateShuffleVector(first, second, picks);
}

/// Loads all words of all lanes, which are consecutive.
void Codegen::load_rows(const ir::Instr& i, const Place& p) {
    const unsigned words = i.result_count;
    auto* const all_type = llvm::FixedVectorType::get(i32_, lanes_ * words);
    llvm::BasicBlock *rows = block("rows"), *each = block("each"), *after = block("loaded");
    V first = b_.CreateExtractElement(p.at, uint64_t(0)), of_rows[4] = {}, of_each[4] = {};
    b_.CreateCondBr(row_within(p, first, words), rows, each);
    b_.SetInsertPoint(rows);
    V all = b_.CreateFreeze(load(all_type, word_at(p.range, first), 0, 4, false));
    split_words(all, words, of_rows);
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    for (unsigned n = 0; n < words; ++n)
        of_each[n] = load_each(p, n);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    for (unsigned n = 0; n < words; ++n) {
        llvm::PHINode* const phi = b_.CreatePHI(i32v_, 2);
        phi->addIncoming(of_rows[n], rows);
        phi->addIncoming(of_each[n], each);
        of_rows[n] = phi;
    }
    for (unsigned n = 0; n < words; ++n)
        set(i, from_words(of_rows[n], i.result(n)->type), n);
}

void Codegen::load_storage(const ir::Instr& i) {
    const Place p = place_of(i);
    if (p.step == i.result_count * 4u && i.result_count > 1) return load_rows(i, p);
    for (unsigned n = 0; n < i.result_count; ++n) {
        V words = nullptr;
        if (p.step == 0u)
            words = load_scalar(p, b_.CreateExtractElement(p.at, uint64_t(0)), n);
        else
            words = i.result_count == 1 ? load_row(p) : load_each(p, n);
        set(i, from_words(words, i.result(n)->type), n);
    }
}

/// The words to store, and for each whether it is stored (i1).
void Codegen::stored_words(const ir::Instr& i, const Place& p, V* words, V* masks) {
    V lanes = test(lanes_of(wanted_lanes()));
    for (unsigned n = 0; n < i.u.mem->words; ++n) {
        const ir::Value* const v = i.operand(n + 1);
        words[n] = as_words(value(v), v->type);
        masks[n] = p.within ? lanes : b_.CreateAnd(lanes, within(p.range, p.at, n));
    }
}

/// Stores all words of all lanes, which are consecutive.
void Codegen::store_rows(const ir::Instr& i, const Place& p) {
    const unsigned count = i.u.mem->words;
    V words[4] = {}, masks[4] = {}, first = b_.CreateExtractElement(p.at, uint64_t(0));
    const bool every_lane = rows_are_full() && exec_ == whole_;
    llvm::BasicBlock *rows = block("rows"), *some = block("some"), *after = block("stored");
    b_.CreateCondBr(every_lane ? row_within(p, first, count) : b_.getFalse(), rows, some);
    b_.SetInsertPoint(some);
    stored_words(i, p, words, masks);
    // The first lanes' offsets may be negative while later ones are not.
    V place = b_.CreateGEP(b_.getInt8Ty(), p.range.data, b_.CreateSExt(first, b_.getInt64Ty()));
    b_.CreateMaskedStore(join_words(words, count), place, llvm::Align(4), join_words(masks, count));
    b_.CreateBr(after);
    b_.SetInsertPoint(rows);
    stored_words(i, p, words, masks);
    b_.CreateAlignedStore(join_words(words, count), word_at(p.range, first), llvm::Align(4));
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
}

/// Lane by lane: if several lanes store to the same word, the last one's value stays.
void Codegen::scatter(const ir::Instr& i, const Place& p) {
    V words[4] = {}, masks[4] = {}, to[4] = {};
    stored_words(i, p, words, masks);
    for (unsigned n = 0; n < i.u.mem->words; ++n) {
        V offset = b_.CreateZExt(b_.CreateAdd(p.at, splat_i32(n * 4)), i64v_);
        to[n] = b_.CreateGEP(b_.getInt8Ty(), p.range.data, offset);
    }
    const unsigned count = i.u.mem->words;
    b_.CreateMaskedScatter(join_words(words, count), join_words(to, count), llvm::Align(4),
                           join_words(masks, count));
}

void Codegen::store_storage(const ir::Instr& i) {
    const Place p = place_of(i);
    if (p.step == i.u.mem->words * 4u) return store_rows(i, p);
    if (i.u.mem->words > 1 || p.step) return scatter(i, p);
    llvm::BasicBlock *row = block("row"), *each = block("each"), *after = block("stored");
    b_.CreateCondBr(in_order(p), row, each);
    b_.SetInsertPoint(row);
    store_rows(i, p);
    b_.CreateBr(after);
    b_.SetInsertPoint(each);
    scatter(i, p);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
}

namespace {

/// The AtomicRMW operation, if there is one. There is none for compare-exchange.
std::optional<llvm::AtomicRMWInst::BinOp> rmw_op(MemOp op) {
    using Rmw = llvm::AtomicRMWInst;
    switch (op) {
        case MemOp::Add:
            return Rmw::Add;
        case MemOp::IMin:
            return Rmw::Min;
        case MemOp::IMax:
            return Rmw::Max;
        case MemOp::UMin:
            return Rmw::UMin;
        case MemOp::UMax:
            return Rmw::UMax;
        case MemOp::And:
            return Rmw::And;
        case MemOp::Or:
            return Rmw::Or;
        case MemOp::Xor:
            return Rmw::Xor;
        case MemOp::Exchange:
            return Rmw::Xchg;
        case MemOp::None:
        case MemOp::CompareExchange:
            break;
    }
    return std::nullopt;
}

}  // namespace

/// On one word. A workgroup runs on one thread, so shared memory needs no lock.
Codegen::V Codegen::exchange(const ir::MemInfo& m, V to, V v) {
    using Rmw = llvm::AtomicRMWInst;
    const Rmw::BinOp rmw = *rmw_op(m.op);
    if (m.space != Storage::Shared)
        return b_.CreateAtomicRMW(rmw, to, v, llvm::Align(4), llvm::AtomicOrdering::Monotonic);
    V old = load(i32_, to, 0, 4, false);
    const auto minmax = [&](llvm::Intrinsic::ID id) { return b_.CreateBinaryIntrinsic(id, old, v); };
    V now = rmw == Rmw::Add    ? b_.CreateAdd(old, v)
            : rmw == Rmw::And  ? b_.CreateAnd(old, v)
            : rmw == Rmw::Or   ? b_.CreateOr(old, v)
            : rmw == Rmw::Xor  ? b_.CreateXor(old, v)
            : rmw == Rmw::Min  ? minmax(llvm::Intrinsic::smin)
            : rmw == Rmw::Max  ? minmax(llvm::Intrinsic::smax)
            : rmw == Rmw::UMin ? minmax(llvm::Intrinsic::umin)
            : rmw == Rmw::UMax ? minmax(llvm::Intrinsic::umax)
                               : v;
    store(now, to, 0, 4);
    return old;
}

namespace {

/// Whether the atomic is one processor instruction and needs no call.
bool is_plain_atomic(const ir::Instr& i) {
    const MemOp op = i.u.mem->op;
    if (i.u.mem->space == Storage::Shared) return rmw_op(op).has_value();
    if (op == MemOp::Add || op == MemOp::Exchange) return true;
    return (op == MemOp::And || op == MemOp::Or || op == MemOp::Xor) && !i.result()->has_uses();
}

}  // namespace

/// Lane by lane, in a loop; operands and results are in the work area.
void Codegen::atomic_storage(const ir::Instr& i) {
    if (!is_plain_atomic(i)) return call_memory(i);
    const Place p = place_of(i);
    if (!atomic_rows_) atomic_rows_ = reserve(3 * kMostLanes * sizeof(uint32_t));
    constexpr uint64_t kRow_B = kMostLanes * sizeof(uint32_t);
    V lanes = wanted_lanes();
    if (!p.within) lanes = b_.CreateAnd(lanes, bits(mask_of(within(p.range, p.at, 0))));
    store(p.at, atomic_rows_, 0, 16);
    store(as_words(operand(i, 1), i.operand(1)->type), atomic_rows_, kRow_B, 16);
    if (i.result()->has_uses()) store(splat_i32(0), atomic_rows_, 2 * kRow_B, 16);
    llvm::BasicBlock *before = b_.GetInsertBlock(), *lane_head = block("lane"), *after = block("changed");
    b_.CreateCondBr(b_.CreateICmpNE(lanes, b_.getInt32(0)), lane_head, after);
    b_.SetInsertPoint(lane_head);
    llvm::PHINode* const rest = b_.CreatePHI(i32_, 2);
    rest->addIncoming(lanes, before);
    V lane = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b_.getTrue());
    lane = b_.CreateZExt(lane, b_.getInt64Ty());
    const auto row = [&](uint64_t offset_B) { return b_.CreateGEP(i32_, at(atomic_rows_, offset_B), lane); };
    V to = word_at(p.range, load(i32_, row(0), 0, 4, false));
    V old = exchange(*i.u.mem, to, load(i32_, row(kRow_B), 0, 4, false));
    if (i.result()->has_uses()) store(old, row(2 * kRow_B), 0, 4);
    V next = b_.CreateAnd(rest, b_.CreateSub(rest, b_.getInt32(1)));
    rest->addIncoming(next, lane_head);
    llvm::BranchInst* const turn = b_.CreateCondBr(b_.CreateICmpNE(next, b_.getInt32(0)), lane_head, after);
    llvm::Metadata* const once = llvm::MDNode::get(c_, llvm::MDString::get(c_, "llvm.loop.unroll.disable"));
    llvm::MDNode* const id = llvm::MDNode::getDistinct(c_, {nullptr, once});
    id->replaceOperandWith(0, id);
    turn->setMetadata(llvm::LLVMContext::MD_loop, id);
    b_.SetInsertPoint(after);
    if (i.result()->has_uses())
        set(i, from_words(load(i32v_, atomic_rows_, 2 * kRow_B, 16, false), i.result()->type));
}

}  // namespace terrazzo::soft::jit
