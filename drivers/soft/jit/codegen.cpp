// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The frame of a shader's function (arguments, constants, results) and the emission of its instructions.
#include "drivers/soft/jit/codegen.h"

#include <cstddef>

#include "drivers/soft/interp/lower.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

namespace terrazzo::soft::jit {

using ir::Op;
using ir::Type;

Codegen::Codegen(llvm::Module& module, const ir::Shader& shader, const CompiledShader& info,
                 const Features& features, unsigned lanes)
    : module_(module),
      c_(module.getContext()),
      shader_(shader),
      info_(info),
      features_(features),
      lanes_(lanes),
      steps_(lane_uniformity(shader, lanes)),
      b_(module.getContext()),
      f32_(b_.getFloatTy()),
      i32_(b_.getInt32Ty()),
      ptr_(b_.getPtrTy()),
      f32v_(llvm::FixedVectorType::get(f32_, lanes_)),
      i32v_(llvm::FixedVectorType::get(i32_, lanes_)),
      i64v_(llvm::FixedVectorType::get(b_.getInt64Ty(), lanes_)),
      values_(shader.value_count()),
      vars_(shader.vars().size()) {}

llvm::Type* Codegen::type_of(Type t) const {
    switch (t) {
        case Type::F32:
            return f32v_;
        case Type::I64:
            return i64v_;
        case Type::Void:
        case Type::Bool:
        case Type::I16:
        case Type::I32:
        case Type::F16:
            break;
    }
    return i32v_;
}

Codegen::V Codegen::constant(Type t, uint64_t bits) {
    switch (t) {
        case Type::F32:
            return b_.CreateBitCast(splat_i32(uint32_t(bits)), f32v_);
        case Type::I64:
            return b_.CreateVectorSplat(lanes_, b_.getInt64(bits));
        case Type::Bool:
            return splat_i32(bits & 1 ? ~0u : 0);
        case Type::Void:
        case Type::I16:
        case Type::I32:
        case Type::F16:
            break;
    }
    return splat_i32(uint32_t(bits));
}

Codegen::V Codegen::as_words(V v, Type t) {
    if (t == Type::F32) return as_int(v);
    return t == Type::Bool ? b_.CreateLShr(v, 31) : v;
}
Codegen::V Codegen::from_words(V v, Type t) {
    if (t == Type::F32) return as_float(v);
    if (t == Type::Bool) return mask_of(b_.CreateICmpNE(v, llvm::Constant::getNullValue(i32v_)));
    return v;
}

llvm::AllocaInst* Codegen::alloca_of(llvm::Type* t, uint32_t count, unsigned align_B) {
    llvm::IRBuilder<> b(entry_, entry_->begin());
    llvm::AllocaInst* a = b.CreateAlloca(t, count == 1 ? nullptr : b.getInt32(count));
    a->setAlignment(llvm::Align(align_B));
    return a;
}

llvm::AllocaInst* Codegen::variable(llvm::Type* t) {
    llvm::AllocaInst* a = alloca_of(t);
    llvm::IRBuilder<> b(entry_end_);
    b.CreateAlignedStore(llvm::Constant::getNullValue(t), a, llvm::Align(32));
    return a;
}

Codegen::V Codegen::reserve(uint64_t size_B) {
    const uint64_t at_B = work_used_B_;
    size_B = (size_B + kAreaAlign_B - 1) & ~(kAreaAlign_B - 1);
    if (size_B > kWorkArea_B - work_used_B_) {
        problem_ = "its calls need more than kWorkArea_B";
        return work_;
    }
    work_used_B_ += size_B;
    llvm::IRBuilder<> b(once_);
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), work_, at_B);
}

/// Places the arrays, those of 64-bit elements first because of their alignment, and clears them for each
/// group. The row before them is written by lanes that do not run.
void Codegen::start_arrays() {
    const uint64_t spare_B = uint64_t(lanes_) * sizeof(uint64_t);
    uint64_t end_B = spare_B;
    llvm::IRBuilder<> once(once_);
    for (const bool wide : {true, false})
        for (const ir::Var* v : shader_.vars()) {
            const uint64_t row_B = module_.getDataLayout().getTypeAllocSize(type_of(v->type));
            if (v->storage != ir::Storage::Local || (v->type == Type::I64) != wide) continue;
            vars_[v->id] = {once.CreateConstInBoundsGEP1_64(once.getInt8Ty(), arrays_, end_B),
                            uint32_t(end_B / row_B)};
            end_B += v->count * row_B;  // describe_shader() has checked the sum
        }
    if (end_B == spare_B) return;
    V first = once.CreateConstInBoundsGEP1_64(once.getInt8Ty(), arrays_, spare_B);
    llvm::IRBuilder<> b(entry_end_);
    b.CreateMemSet(first, b.getInt8(0), end_B - spare_B, llvm::Align(32));
}

/// Tells LLVM that only accesses through an array's name touch the area of arrays: calls and other stores do
/// not.
void Codegen::mark_arrays() {
    if (!arrays_->hasNUsesOrMore(1)) return;
    llvm::MDBuilder md(c_);
    llvm::MDNode* const domain = md.createAnonymousAliasScopeDomain();
    llvm::MDNode* const scope = llvm::MDNode::get(c_, md.createAnonymousAliasScope(domain));
    const auto is_array = [&](const llvm::Value* p) {
        while (const auto* g = llvm::dyn_cast<llvm::GEPOperator>(p))
            p = g->getPointerOperand();
        return p == arrays_;
    };
    for (llvm::BasicBlock& block : *function_)
        for (llvm::Instruction& i : block) {
            if (!i.mayReadOrWriteMemory()) continue;
            const llvm::Value* const p = llvm::getLoadStorePointerOperand(&i);
            const auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&i);
            const bool array = p ? is_array(p) : set && is_array(set->getRawDest());
            i.setMetadata(array ? llvm::LLVMContext::MD_alias_scope : llvm::LLVMContext::MD_noalias, scope);
        }
}

Codegen::V Codegen::at(V pointer, uint64_t offset_B) {
    return offset_B ? b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), pointer, offset_B) : pointer;
}

Codegen::V Codegen::load(llvm::Type* t, V pointer, uint64_t offset_B, unsigned align_B, bool invariant) {
    llvm::LoadInst* l = b_.CreateAlignedLoad(t, at(pointer, offset_B), llvm::Align(align_B));
    if (invariant) l->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(c_, {}));
    return l;
}

void Codegen::store(V value, V pointer, uint64_t offset_B, unsigned align_B) {
    b_.CreateAlignedStore(value, at(pointer, offset_B), llvm::Align(align_B));
}

Codegen::V Codegen::splat(V scalar) {
    return b_.CreateVectorSplat(lanes_, scalar);
}

/// Emits the loop over groups of lanes, from entry_ to `body`. `count_B`: the offset of the number of rows in
/// the arguments.
void Codegen::start_rows(uint64_t count_B, llvm::BasicBlock* body) {
    row_count_ = load(i32_, args_, count_B, 4);
    V count = b_.CreateZExt(row_count_, b_.getInt64Ty());
    group_count_ = b_.CreateUDiv(b_.CreateAdd(count, b_.getInt64(lanes_ - 1)), b_.getInt64(lanes_));
    head_ = block("head");
    once_->setSuccessor(0, head_);
    head_->moveBefore(body);
    b_.SetInsertPoint(head_);
    group_ = b_.CreatePHI(b_.getInt64Ty(), 2);
    group_->addIncoming(b_.getInt64(0), entry_);
    entry_end_ = b_.CreateBr(body);
    b_.SetInsertPoint(entry_end_);
}

/// The existing lanes of this group (i32, a bit each).
Codegen::V Codegen::lanes_before() {
    V left = b_.CreateSub(row_count_, b_.CreateMul(b_.CreateTrunc(group_, i32_), b_.getInt32(lanes_)));
    V shift = b_.CreateSelect(b_.CreateICmpULT(left, b_.getInt32(lanes_)), left, b_.getInt32(lanes_));
    return b_.CreateSub(b_.CreateShl(b_.getInt32(1), shift), b_.getInt32(1));
}

/// Whether every row of a workgroup has as many invocations as lanes.
bool Codegen::rows_are_full() const {
    const uint32_t* const size = shader_.info.workgroup_size;
    return shader_.stage == ir::Stage::Compute && size[0] * size[1] * size[2] % lanes_ == 0;
}

void Codegen::start_invocations(llvm::BasicBlock* body) {
    start_rows(offsetof(ComputeArgs, count), body);
    whole_bits_ = rows_are_full() ? b_.getInt32((1u << lanes_) - 1) : lanes_before();
    exec_ = whole_ = lanes_of(whole_bits_);
}

void Codegen::start_vertices(llvm::BasicBlock* body) {
    attributes_ = load(ptr_, args_, offsetof(VertexArgs, in), 8);
    ids_ = load(ptr_, args_, offsetof(VertexArgs, ids), 8);
    out_ = load(ptr_, args_, offsetof(VertexArgs, out), 8);
    stride_ = b_.CreateZExt(load(i32_, args_, offsetof(VertexArgs, out_stride), 4), b_.getInt64Ty());
    start_rows(offsetof(VertexArgs, count), body);
    exec_ = splat_i32(~0u);
}

/// Emits the loop over the batch, from the block of `from` to `body`.
void Codegen::start_batch(llvm::BranchInst* from, llvm::BasicBlock* body) {
    b_.SetInsertPoint(once_);
    V count = b_.CreateZExt(load(i32_, args_, offsetof(FragmentArgs, count), 4), b_.getInt64Ty());
    group_count_ = lanes_ == 4    ? b_.CreateShl(count, 1)
                   : lanes_ == 16 ? b_.CreateLShr(b_.CreateAdd(count, b_.getInt64(1)), 1)
                                  : count;
    last_block_ = b_.CreateSub(count, b_.getInt64(1));
    run_ = block("run");
    head_ = block("head");
    from->setSuccessor(0, run_);
    run_->moveBefore(body);
    head_->moveBefore(body);
    b_.SetInsertPoint(run_);
    run_begin_ = b_.CreatePHI(b_.getInt64Ty(), 2);
    run_begin_->addIncoming(b_.getInt64(0), from->getParent());
    run_end_ = b_.CreateBr(head_);
    b_.SetInsertPoint(run_end_);
    setup_ = blocks_load(ptr_, offsetof(FragmentArgs, setup), blocks_of(run_begin_));
    b_.SetInsertPoint(head_);
    group_ = b_.CreatePHI(b_.getInt64Ty(), 2);
    entry_end_ = b_.CreateBr(body);
    b_.SetInsertPoint(entry_end_);
    block_ = blocks_of(group_);
    const PerBlock covered = blocks_load(b_.getInt8Ty(), offsetof(FragmentArgs, mask), block_, false);
    mask_in_ = b_.CreateZExt(covered.of[0], i32_);
    if (lanes_ == 4) mask_in_ = b_.CreateAnd(b_.CreateLShr(mask_in_, quad_shift()), 15);
    if (lanes_ == 16) {
        V second = b_.CreateShl(b_.CreateZExt(covered.of[1], i32_), 8);
        // If the batch has an odd number of blocks, the last one runs alone.
        V is_two = b_.CreateICmpNE(block_.of[0], block_.of[1]);
        mask_in_ = b_.CreateOr(mask_in_, b_.CreateSelect(is_two, second, b_.getInt32(0)));
    }
    // Whole quads run.
    V m = mask_in_;
    m = b_.CreateAnd(b_.CreateOr(m, b_.CreateLShr(m, 1)), 0x5555);
    m = b_.CreateAnd(b_.CreateOr(m, b_.CreateLShr(m, 2)), 0x1111);
    whole_bits_ = b_.CreateMul(m, b_.getInt32(15));
    exec_ = whole_ = lanes_of(whole_bits_);
    discarded_ = info_.uses_discard ? variable(i32v_) : nullptr;
}

void Codegen::start(const char* function_name) {
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, function_name, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    const char* const width = lanes_ == 16 ? "512" : "256";
    function_->addFnAttr("prefer-vector-width", width);
    function_->addFnAttr("min-legal-vector-width", width);
    function_->addFnAttr("probe-stack", "inline-asm");  // touches every page of the frame in order
    args_ = function_->getArg(0);
    entry_ = block("entry");
    llvm::BasicBlock* body = block("body");
    end_ = block("end");
    llvm::BranchInst* const entry_end = llvm::BranchInst::Create(body, entry_);
    once_ = entry_end_ = entry_end;
    b_.SetInsertPoint(once_);
    runtime_ = load(ptr_, args_, offsetof(VertexArgs, shader), 8);
    uniforms_ = load(ptr_, args_, offsetof(VertexArgs, uniforms), 8);
    textures_ = load(ptr_, args_, offsetof(VertexArgs, textures), 8);
    blocks_ = load(ptr_, args_, offsetof(VertexArgs, blocks), 8);
    buffers_ = load(ptr_, args_, offsetof(VertexArgs, buffers), 8);
    images_ = load(ptr_, args_, offsetof(VertexArgs, images), 8);
    work_ = load(ptr_, args_, offsetof(VertexArgs, work), 8);
    arrays_ = load(ptr_, args_, offsetof(VertexArgs, arrays), 8);
    if (shader_.stage == ir::Stage::Vertex) start_vertices(body);
    if (shader_.stage == ir::Stage::Fragment) start_batch(sample_early(entry_end), body);
    if (ir::is_kernel(shader_.stage)) start_invocations(body);
    start_arrays();
    b_.SetInsertPoint(body);
}

void Codegen::finish_vertex() {
    for (unsigned n = 0; n < info_.slot_count; ++n)
        for (unsigned c = 0; c < 4; ++c) {
            const auto it = outputs_.find(info_.slots[n] * 4u + c);
            V v = it == outputs_.end() ? llvm::Constant::getNullValue(f32v_)
                                       : load(f32v_, it->second, 0, 32, false);
            V column = b_.CreateInBoundsGEP(f32_, out_, b_.CreateMul(stride_, b_.getInt64(n * 4 + c)));
            store(v, b_.CreateInBoundsGEP(f32v_, column, group_), 0, 4);
        }
    next_rows();
}

void Codegen::next_rows() {
    V next = b_.CreateAdd(group_, b_.getInt64(1));
    group_->addIncoming(next, end_);
    llvm::BasicBlock* done = block("done");
    b_.CreateCondBr(b_.CreateICmpULT(next, group_count_), head_, done);
    b_.SetInsertPoint(done);
}

void Codegen::finish_fragment() {
    for (auto [key, variable] : outputs_) {
        const unsigned slot = key / 4, c = key % 4;
        V row = b_.CreateInBoundsGEP(f32v_, at(args_, output_offset_B(slot, c)), group_);
        b_.CreateAlignedStore(load(f32v_, variable, 0, 32, false), row, llvm::Align(lanes_ * 4));
    }
    if (discarded_) store_mask(bits(load(i32v_, discarded_, 0, 32, false)));
    next_group();
}

/// Branches to head if the next group belongs to the same primitives, else to run. Continues here after the
/// last group.
void Codegen::next_group() {
    V next = b_.CreateAdd(group_, b_.getInt64(1));
    llvm::BasicBlock *more = block("more"), *done = block("done");
    b_.CreateCondBr(b_.CreateICmpULT(next, group_count_), more, done);
    b_.SetInsertPoint(more);
    const PerBlock setup = blocks_load(ptr_, offsetof(FragmentArgs, setup), blocks_of(next));
    V same = b_.CreateICmpEQ(setup.of[0], setup_.of[0]);
    if (setup.of[1]) same = b_.CreateAnd(same, b_.CreateICmpEQ(setup.of[1], setup_.of[1]));
    b_.CreateCondBr(same, head_, run_);
    run_begin_->addIncoming(next, more);
    group_->addIncoming(run_begin_, run_end_->getParent());
    group_->addIncoming(next, more);
    b_.SetInsertPoint(done);
}

/// Removes the discarded lanes from the batch's masks.
void Codegen::store_mask(V gone) {
    V left = b_.CreateAnd(mask_in_, b_.CreateNot(gone));
    V masks = at(args_, offsetof(FragmentArgs, mask));
    if (lanes_ == 16) {
        V to = b_.CreateInBoundsGEP(b_.getInt16Ty(), masks, group_);
        b_.CreateAlignedStore(b_.CreateTrunc(left, b_.getInt16Ty()), to, llvm::Align(1));
        return;
    }
    V to = b_.CreateInBoundsGEP(b_.getInt8Ty(), masks, block_.of[0]);
    if (lanes_ == 4) {
        V all = b_.CreateZExt(b_.CreateAlignedLoad(b_.getInt8Ty(), to, llvm::Align(1)), i32_);
        left = b_.CreateAnd(all, b_.CreateNot(b_.CreateShl(gone, quad_shift())));
    }
    b_.CreateAlignedStore(b_.CreateTrunc(left, b_.getInt8Ty()), to, llvm::Align(1));
}

void Codegen::finish() {
    b_.CreateBr(end_);
    b_.SetInsertPoint(end_);
    if (shader_.stage == ir::Stage::Vertex) finish_vertex();
    if (shader_.stage == ir::Stage::Fragment) finish_fragment();
    if (ir::is_kernel(shader_.stage)) next_rows();
    b_.CreateRetVoid();
    mark_arrays();
}

const char* Codegen::run(const char* function_name) {
    start(function_name);
    region(*shader_.body, end_);
    finish();
    return problem_;
}

void Codegen::instr(const ir::Instr& i) {
    switch (i.op) {
        case Op::Const:
            return set(i, constant(i.result()->type, i.u.bits));
        case Op::Undef:
            return set(i, constant(i.result()->type, 0));
        case Op::LoadVar:
            return set(i, load_var(i));
        case Op::StoreVar:
            return store_var(i);
        case Op::LoadInput:
            return set(i, from_words(as_int(load_input(i.u.io)), i.result()->type));
        case Op::LoadInputAt:
            return set(i, from_words(as_int(load_input_at(i)), i.result()->type));
        case Op::LoadSysval:
            // A fetched colour is a row of floats, which may be an integer target's words.
            return set(i,
                       i.result()->type == ir::Type::I32 ? as_int(load_sysval(i.u.io)) : load_sysval(i.u.io));
        case Op::LoadUniform:
            return set(i, load_uniform(i));
        case Op::StoreOutput:
            return store_output(i);
        case Op::Tex:
            return tex(i);
        case Op::Discard:
            return discard(i);
        case Op::If:
            return branch(i);
        case Op::Loop:
            return loop(i);
        case Op::Yield:
        case Op::Break:
        case Op::Continue:
            return leave(i);
        default:
            return ir::is_memory(i.op) ? memory(i) : set(i, alu(i));
    }
}

}  // namespace terrazzo::soft::jit
