// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture instructions: a TexCall on the stack, filled with what the instruction has, and a call of the
// unit's code.
#include <algorithm>
#include <cstddef>

#include "drivers/soft/interp/lower.h"
#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

using ir::TexDim;
using ir::TexOp;

void Codegen::tex_size(const ir::Instr& i, V unit) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    constexpr unsigned kRow_B = kLanes * 4;
    if (!sizes_) sizes_ = alloca_of(i32v_, 4);
    store(o.lod >= 0 ? operand(i, unsigned(o.lod)) : splat_i32(0), sizes_, 3 * kRow_B, 32);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_, ptr_, b_.getInt1Ty(), ptr_}, false);
    llvm::CallInst* call = b_.CreateCall(type, runtime_function(offsetof(Runtime, size)),
                                         {unit, at(sizes_, 3 * kRow_B), b_.getInt1(t.arrayed), sizes_});
    call->addParamAttr(2, llvm::Attribute::ZExt);
    for (unsigned n = 0; n < i.result_count; ++n) {
        const unsigned row = t.dim == TexDim::D1 && n == 1 ? 2 : std::min(n, 2u);
        set(i, load(i32v_, sizes_, row * kRow_B, 32, false), n);
    }
}

void Codegen::tex(const ir::Instr& i) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    V unit = at(textures_, uint64_t(t.binding) * sizeof(TextureUnit));
    if (t.op == TexOp::Size) return tex_size(i, unit);
    if (t.op == TexOp::Levels) {
        V first = load(i32_, unit, offsetof(TextureUnit, first_level), 4);
        V last = load(i32_, unit, offsetof(TextureUnit, last_level), 4);
        return set(i, splat(b_.CreateAdd(b_.CreateSub(last, first), b_.getInt32(1))));
    }
    if (!call_) {
        call_ = alloca_of(b_.getInt8Ty(), sizeof(TexCall));
        llvm::IRBuilder<> b(once_);
        b.CreateMemSet(call_, b.getInt8(0), sizeof(TexCall), llvm::Align(32));
    }
    const auto put = [&](int n, uint64_t offset_B) {
        if (n >= 0) store(operand(i, unsigned(n)), call_, offset_B, 32);
    };
    store(unit, call_, offsetof(TexCall, unit), 8);
    store(b_.getInt32(uint32_t(tex_mode(t.op, shader_.stage))), call_, offsetof(TexCall, mode), 4);
    store(bits(exec_), call_, offsetof(TexCall, mask), 4);
    int n = o.coord;
    put(n++, offsetof(TexCall, s));
    if (t.dim != TexDim::D1) put(n++, offsetof(TexCall, t));
    if (t.dim == TexDim::D3 || t.dim == TexDim::Cube) put(n++, offsetof(TexCall, r));
    if (t.arrayed) put(n, offsetof(TexCall, layer));
    put(o.ref, offsetof(TexCall, ref));
    if (o.lod >= 0)
        put(o.lod, offsetof(TexCall, lod));
    else if (tex_mode(t.op, shader_.stage) == TexMode::Lod)
        store(splat_f32(0), call_, offsetof(TexCall, lod), 32);
    for (int g = 0; g < o.gradient_count; ++g) {
        put(o.ddx + g, offsetof(TexCall, ddx) + unsigned(g) * sizeof(float[kLanes]));
        put(o.ddy + g, offsetof(TexCall, ddy) + unsigned(g) * sizeof(float[kLanes]));
    }
    for (unsigned k = 0; k < 3; ++k)
        store(b_.getInt32(uint32_t(int32_t(t.offset[k]))), call_, offsetof(TexCall, offset) + 4 * k, 4);
    if (o.index >= 0) {
        if (!sizes_) sizes_ = alloca_of(i32v_, 4);
        store(operand(i, unsigned(o.index)), sizes_, 0, 32);
        auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_, ptr_, ptr_, i32_, i32_}, false);
        b_.CreateCall(type, runtime_function(offsetof(Runtime, indexed)),
                      {call_, textures_, sizes_, b_.getInt32(uint32_t(t.binding)),
                       b_.getInt32(sampler_slots(shader_))});
    } else {
        auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
        b_.CreateCall(type, load(ptr_, unit, offsetof(TextureUnit, sample), 8), {call_});
    }
    for (unsigned k = 0; k < i.result_count; ++k)
        set(i,
            from_words(load(i32v_, call_, offsetof(TexCall, out) + k * sizeof(float[kLanes]), 32, false),
                       i.result(k)->type),
            k);
}

}  // namespace terrazzo::soft::jit
