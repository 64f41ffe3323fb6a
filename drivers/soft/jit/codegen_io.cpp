// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader inputs and outputs: attributes, varyings, built-ins, uniforms, outputs; and local arrays.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "drivers/soft/jit/codegen.h"
#include "llvm/IR/Intrinsics.h"

namespace terrazzo::soft::jit {

using ir::Sysval;
using ir::Type;

Codegen::V Codegen::runtime_function(uint64_t offset_B) {
    return load(ptr_, runtime_, offset_B, 8);
}

/// The blocks that a group of lanes belongs to.
Codegen::PerBlock Codegen::blocks_of(V group) {
    PerBlock out;
    out.of[0] = group;
    if (lanes_ == 4) out.of[0] = b_.CreateLShr(group, 1);
    if (lanes_ == 16) {
        out.of[0] = b_.CreateShl(group, 1);
        out.of[1] = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateOr(out.of[0], b_.getInt64(1)),
                                             last_block_);
    }
    return out;
}

/// Loads elements of an array of FragmentArgs.
Codegen::PerBlock Codegen::blocks_load(llvm::Type* t, uint64_t array_B, const PerBlock& blocks,
                                       bool invariant) {
    PerBlock out;
    for (unsigned n = 0; n < 2 && blocks.of[n]; ++n)
        out.of[n] = load(t, b_.CreateInBoundsGEP(t, at(args_, array_B), blocks.of[n]), 0,
                         unsigned(module_.getDataLayout().getTypeAllocSize(t)), invariant);
    return out;
}

Codegen::V Codegen::spread(const PerBlock& scalars) {
    if (!scalars.of[1]) return splat(scalars.of[0]);
    llvm::Type* two = llvm::FixedVectorType::get(scalars.of[0]->getType(), 2);
    V both = b_.CreateInsertElement(llvm::PoisonValue::get(two), scalars.of[0], uint64_t(0));
    both = b_.CreateInsertElement(both, scalars.of[1], uint64_t(1));
    return b_.CreateShuffleVector(both, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
}

Codegen::V Codegen::member(llvm::Type* t, const PerBlock& base, uint64_t offset_B) {
    V& known = members_[{base.of[0], offset_B}];
    if (known) return known;
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(run_end_);
    PerBlock scalars;
    for (unsigned n = 0; n < 2 && base.of[n]; ++n)
        scalars.of[n] = load(t, base.of[n], offset_B, unsigned(module_.getDataLayout().getTypeAllocSize(t)));
    return known = spread(scalars);
}

Codegen::V Codegen::corner(unsigned axis) {
    if (corner_[axis]) return corner_[axis];
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(entry_end_);
    llvm::SmallVector<llvm::Constant*, 16> lane;
    for (unsigned i = 0; i < lanes_; ++i)
        lane.push_back(b_.getInt32(axis ? i >> 1 & 1 : (i & 1) + (i >> 2 & 1) * 2));
    PerBlock first_px =
        blocks_load(i32_, axis ? offsetof(FragmentArgs, y) : offsetof(FragmentArgs, x), block_);
    if (lanes_ == 4 && axis == 0)
        first_px.of[0] = b_.CreateAdd(first_px.of[0], b_.CreateLShr(quad_shift(), 1));
    V at_px = b_.CreateAdd(spread(first_px), llvm::ConstantVector::get(lane));
    return corner_[axis] = b_.CreateSIToFP(at_px, f32v_);
}

/// The coordinates of the pixels' centres, or of samples.
Codegen::V Codegen::pixel(unsigned axis) {
    if (pixel_[axis]) return pixel_[axis];
    V from = corner(axis);
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(entry_end_);
    V within = splat(load(f32_, args_, offsetof(FragmentArgs, centre) + axis * sizeof(float), 4));
    return pixel_[axis] = b_.CreateFAdd(from, within);
}

/// (a0 + x * dadx) + y * dady, in this order, as the pipeline computes depth.
Codegen::V Codegen::plane(const PerBlock& base, uint64_t offset_B) {
    V x = b_.CreateFSub(pixel(0), member(f32_, setup_, offsetof(PrimitiveSetup, x0)));
    V y = b_.CreateFSub(pixel(1), member(f32_, setup_, offsetof(PrimitiveSetup, y0)));
    return plane_over(x, y, base, offset_B);
}

Codegen::V Codegen::plane_over(V x, V y, const PerBlock& base, uint64_t offset_B) {
    V across = b_.CreateFMul(x, member(f32_, base, offset_B + offsetof(Plane, dadx)));
    V up = b_.CreateFMul(y, member(f32_, base, offset_B + offsetof(Plane, dady)));
    return b_.CreateFAdd(b_.CreateFAdd(member(f32_, base, offset_B + offsetof(Plane, a0)), across), up);
}

/// w of each pixel. If a primitive's vertices have the same w, one division per run suffices.
Codegen::V Codegen::perspective() {
    if (perspective_) return perspective_;
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    constexpr uint64_t kAt = offsetof(PrimitiveSetup, inv_w);
    (void)pixel(0);  // before the blocks are split below
    (void)pixel(1);
    b_.SetInsertPoint(run_end_);
    V nothing = llvm::ConstantFP::get(f32_, 0);
    V flat = b_.getTrue();
    for (unsigned n = 0; n < 2 && setup_.of[n]; ++n)
        for (const uint64_t gradient : {offsetof(Plane, dadx), offsetof(Plane, dady)})
            flat = b_.CreateAnd(flat, b_.CreateFCmpOEQ(load(f32_, setup_.of[n], kAt + gradient, 4), nothing));
    V a0 = member(f32_, setup_, kAt + offsetof(Plane, a0));
    V whole = when(
        run_end_, flat, [&] { return b_.CreateFDiv(splat_f32(1), a0); }, splat_f32(0));
    return perspective_ = when(
               entry_end_, b_.CreateNot(flat),
               [&] { return b_.CreateFDiv(splat_f32(1), plane(setup_, kAt)); }, whole);
}

/// Computes the value just before `place` if the condition holds; it is `otherwise` if not.
template <class Make>
Codegen::V Codegen::when(llvm::Instruction* place, V condition, Make&& make, V otherwise) {
    llvm::BasicBlock* const from = place->getParent();
    llvm::BasicBlock* const after = from->splitBasicBlock(place);
    llvm::BasicBlock* const side = block("when");
    side->moveBefore(after);
    from->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(side, after, condition, from);
    b_.SetInsertPoint(llvm::BranchInst::Create(after, side));
    V v = make();
    b_.SetInsertPoint(after, after->begin());
    llvm::PHINode* phi = b_.CreatePHI(v->getType(), 2);
    phi->addIncoming(v, side);
    phi->addIncoming(otherwise, from);
    b_.SetInsertPoint(place);
    return phi;
}

/// The planes of the group's n-th block, loaded once per run.
Codegen::V Codegen::varyings(unsigned n) {
    if (varyings_.of[n]) return varyings_.of[n];
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(run_end_);
    return varyings_.of[n] = load(ptr_, setup_.of[n], offsetof(PrimitiveSetup, varyings), 8);
}

Codegen::PerBlock Codegen::planes() {
    PerBlock out;
    for (unsigned n = 0; n < 2 && setup_.of[n]; ++n)
        out.of[n] = varyings(n);
    return out;
}

unsigned Codegen::index_of(unsigned slot) const {
    unsigned index = 0;
    while (index < info_.slot_count && info_.slots[index] != slot)
        ++index;
    return index;
}

Codegen::V Codegen::load_input(const ir::IoInfo& io) {
    if (shader_.stage == ir::Stage::Vertex) {
        const unsigned rank = unsigned(std::popcount(info_.inputs_read & ((uint64_t(1) << io.slot) - 1)));
        V column = at(attributes_, (rank * 4 + io.component) * sizeof(float[kInStride]));
        return load(f32v_, b_.CreateInBoundsGEP(f32v_, column, group_), 0, 4);
    }
    const unsigned key = io.slot * 4 + io.component + (unsigned(io.interp) << 16);
    const auto found = inputs_.find(key);
    if (found != inputs_.end()) return found->second;
    // Splits blocks, so not while instructions are inserted.
    if (io.interp == ir::Interp::Smooth) (void)perspective();
    // In the body, the value is reused by all later code. In nested regions, it is computed at the beginning
    // of the group.
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    if (depth_ != 0) b_.SetInsertPoint(entry_end_);
    const PerBlock planes = this->planes();
    const uint64_t offset_B = (index_of(io.slot) * 4 + io.component) * sizeof(Plane);
    V v = nullptr;
    switch (io.interp) {
        case ir::Interp::Flat:
            v = member(f32_, planes, offset_B + offsetof(Plane, a0));
            break;
        case ir::Interp::NoPerspective:
            v = plane(planes, offset_B);
            break;
        case ir::Interp::Smooth:
            v = plane(planes, offset_B);
            v = b_.CreateFMul(v, perspective());
            break;
    }
    return inputs_[key] = v;
}

/// Interpolation at an offset from the pixel's centre. Lowering has made the operands two offsets.
Codegen::V Codegen::load_input_at(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    const PerBlock base = planes();
    const uint64_t offset_B = (index_of(io.slot) * 4 + io.component) * sizeof(Plane);
    if (io.interp == ir::Interp::Flat) return member(f32_, base, offset_B + offsetof(Plane, a0));
    const auto from_origin = [&](unsigned axis, uint64_t origin_B) {
        V at = b_.CreateFAdd(b_.CreateFAdd(corner(axis), splat_f32(0.5f)), operand(i, axis));
        return b_.CreateFSub(at, member(f32_, setup_, origin_B));
    };
    V x = from_origin(0, offsetof(PrimitiveSetup, x0)), y = from_origin(1, offsetof(PrimitiveSetup, y0));
    V v = plane_over(x, y, base, offset_B);
    if (io.interp == ir::Interp::NoPerspective) return v;
    V inv_w = plane_over(x, y, setup_, offsetof(PrimitiveSetup, inv_w));
    return b_.CreateFMul(v, b_.CreateFDiv(splat_f32(1), inv_w));
}

/// A row of ComputeArgs::ids.
Codegen::V Codegen::local_id(unsigned n) {
    V row = load(ptr_, args_, offsetof(ComputeArgs, ids) + n * sizeof(uint32_t*), 8);
    return load(i32v_, b_.CreateInBoundsGEP(i32v_, row, group_), 0, 4);
}

Codegen::V Codegen::load_sysval(const ir::IoInfo& io) {
    if (const int target = last_color(io.slot); target >= 0) {
        const uint64_t offset_B = offsetof(FragmentArgs, color) + (unsigned(target) * 4 + io.component) *
                                                                      sizeof(float[kBatchBlocks * kLanes]);
        V row = b_.CreateInBoundsGEP(f32v_, at(args_, offset_B), group_);
        return load(f32v_, row, 0, lanes_ * 4, false);
    }
    switch (Sysval(io.slot)) {
        case Sysval::VertexId:
            return load(i32v_, b_.CreateInBoundsGEP(i32v_, ids_, group_), 0, 4);
        case Sysval::InstanceId:
            return splat(load(i32_, args_, offsetof(VertexArgs, instance), 4));
        case Sysval::FragCoord:
            if (io.component < 2) return pixel(io.component);
            return plane(setup_,
                         io.component == 2 ? offsetof(PrimitiveSetup, z) : offsetof(PrimitiveSetup, inv_w));
        case Sysval::PointCoord:
            return plane(planes(), (info_.slot_count * 4 + io.component) * sizeof(Plane));
        case Sysval::FrontFacing: {
            V front = member(b_.getInt8Ty(), setup_, offsetof(PrimitiveSetup, front_facing));
            return mask_of(b_.CreateICmpNE(front, llvm::Constant::getNullValue(front->getType())));
        }
        case Sysval::SamplePos:
            return splat(load(f32_, args_, offsetof(FragmentArgs, centre) + io.component * 4, 4));
        case Sysval::SampleMaskIn: {
            V row = b_.CreateInBoundsGEP(i32v_, at(args_, offsetof(FragmentArgs, coverage)), group_);
            return load(i32v_, row, 0, lanes_ * 4);
        }
        case Sysval::SampleId:
            return splat(load(i32_, args_, offsetof(FragmentArgs, sample_id), 4));
        case Sysval::NumSamples:
            return splat(load(i32_, args_, offsetof(FragmentArgs, num_samples), 4));
        case Sysval::SamplePositions:
            return splat(load(i32_, args_, offsetof(FragmentArgs, sample_positions) + io.component * 4, 4));
        case Sysval::HelperInvocation:
            return b_.CreateNot(lanes_of(mask_in_));
        case Sysval::WorkGroupId:
            return splat(load(i32_, args_, offsetof(ComputeArgs, group) + io.component * 4, 4));
        case Sysval::NumWorkGroups:
            return splat(load(i32_, args_, offsetof(ComputeArgs, groups) + io.component * 4, 4));
        case Sysval::LocalInvocationId:
            return local_id(io.component);
        case Sysval::LocalInvocationIndex:
            return local_id(3);
        case Sysval::BaseVertex:
        case Sysval::BaseInstance:
        case Sysval::DrawId:
        case Sysval::PrimitiveId:
        case Sysval::InvocationId:
        case Sysval::PatchVertices:
        case Sysval::TessCoord:
        case Sysval::LastColor0:
        case Sysval::LastColor7:
            break;
    }
    return splat_i32(0);
}

Codegen::V Codegen::load_uniform(const ir::Instr& i) {
    const Type type = i.result()->type;
    const bool wide = type == Type::I64;
    llvm::Type* scalar = wide ? b_.getInt64Ty() : i32_;
    const uint64_t offset_B = uint64_t(i.u.io.slot) * 4;
    if (!i.operand_count) {
        // Once per batch. A vertex function has no batch, so it loads at the place of use.
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        if (group_) b_.SetInsertPoint(once_);
        return from_words(splat(load(scalar, uniforms_, offset_B, 4)), type);
    }
    V limit = splat_i32(i.u.io.count ? i.u.io.count - 1 : 0);
    V index = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, operand(i, 0), limit);
    if (steps_.is_uniform(i.operand(0))) {
        V n = b_.CreateZExt(b_.CreateExtractElement(index, uint64_t(0)), b_.getInt64Ty());
        return from_words(splat(load(scalar, b_.CreateGEP(i32_, at(uniforms_, offset_B), n), 0, 4)), type);
    }
    V base = at(uniforms_, offset_B), words = llvm::PoisonValue::get(wide ? i64v_ : i32v_);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        V from =
            b_.CreateGEP(i32_, base, b_.CreateZExt(b_.CreateExtractElement(index, lane), b_.getInt64Ty()));
        words = b_.CreateInsertElement(words, load(scalar, from, 0, 4), lane);
    }
    return from_words(words, type);
}

void Codegen::store_output(const ir::Instr& i) {
    llvm::AllocaInst*& to = outputs_[i.u.io.slot * 4 + i.u.io.component];
    if (!to) to = variable(f32v_);
    V v = as_float(as_words(operand(i, 0), i.operand(0)->type));
    if (depth_ != 0) v = blend(exec_, v, load(f32v_, to, 0, 32, false));
    store(v, to, 0, 32);
}

/// The array element that each lane accesses, clamped to the variable as the interpreter does.
Codegen::V Codegen::element(const ir::Instr& i, unsigned index_operand) {
    V limit = splat_i32(i.var->count - 1);
    V index = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, operand(i, index_operand), limit);
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateAdd(index, splat_i32(i.u.io.component)),
                                    limit);
}

Codegen::V Codegen::load_var(const ir::Instr& i) {
    llvm::Type* t = type_of(i.var->type);
    const uint64_t row_B = module_.getDataLayout().getTypeAllocSize(t);
    V var = vars_[i.var->id].at;
    if (i.operand_count == 0) return load(t, var, i.u.io.component * row_B, 32, false);
    if (steps_.is_uniform(i.operand(0))) {
        // One load instead of one per lane: otherwise large arrays of constants cost LLVM seconds, since it
        // compares each load with each store.
        V n = b_.CreateZExt(b_.CreateExtractElement(element(i, 0), uint64_t(0)), b_.getInt64Ty());
        return load(t, b_.CreateGEP(t, var, n), 0, 32, false);
    }
    llvm::Type* scalar = t->getScalarType();
    V index = b_.CreateMul(element(i, 0), splat_i32(lanes_)), v = llvm::PoisonValue::get(t);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        V n = b_.CreateAdd(b_.CreateExtractElement(index, lane), b_.getInt32(lane));
        V from = b_.CreateGEP(scalar, var, b_.CreateZExt(n, b_.getInt64Ty()));
        v = b_.CreateInsertElement(v, load(scalar, from, 0, 4, false), lane);
    }
    return v;
}

void Codegen::store_var(const ir::Instr& i) {
    llvm::Type* t = type_of(i.var->type);
    const uint64_t row_B = module_.getDataLayout().getTypeAllocSize(t);
    V var = vars_[i.var->id].at;
    V v = operand(i, 0);
    if (i.operand_count == 1) {
        const uint64_t offset_B = i.u.io.component * row_B;
        if (depth_ != 0) v = blend(exec_, v, load(t, var, offset_B, 32, false));
        return store(v, var, offset_B, 32);
    }
    if (steps_.is_uniform(i.operand(1))) {
        V n = b_.CreateZExt(b_.CreateExtractElement(element(i, 1), uint64_t(0)), b_.getInt64Ty());
        V to = b_.CreateGEP(t, var, n);
        if (depth_ != 0) v = blend(exec_, v, load(t, to, 0, 32, false));
        return store(v, to, 0, 32);
    }
    llvm::Type* scalar = t->getScalarType();
    V spare = splat_i32(0 - vars_[i.var->id].rows_before);
    V index = b_.CreateMul(blend(exec_, element(i, 1), spare), splat_i32(lanes_));
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        V n = b_.CreateAdd(b_.CreateExtractElement(index, lane), b_.getInt32(lane));
        V to = b_.CreateGEP(scalar, var, b_.CreateSExt(n, b_.getInt64Ty()));
        store(b_.CreateExtractElement(v, lane), to, 0, 4);
    }
}

}  // namespace terrazzo::soft::jit
