// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture instructions: fill a TexCall in the work area and call the unit's code.
#include <algorithm>
#include <cstddef>

#include "drivers/soft/interp/lower.h"
#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

using ir::TexDim;
using ir::TexOp;

void Codegen::store_part(V v, unsigned part, V area, uint64_t offset_B) {
    if (lanes_ > kLanes) {
        llvm::SmallVector<int, kLanes> which;
        for (unsigned n = 0; n < kLanes; ++n)
            which.push_back(int(part * kLanes + n));
        v = b_.CreateShuffleVector(v, which);
    }
    store(v, area, offset_B, 16);
}

Codegen::V Codegen::join_parts(const V* parts) {
    if (lanes_ <= kLanes) return parts[0];
    llvm::SmallVector<int, 2 * kLanes> all;
    for (unsigned n = 0; n < lanes_; ++n)
        all.push_back(int(n));
    return b_.CreateShuffleVector(parts[0], parts[1], all);
}

void Codegen::tex_size(const ir::Instr& i, V unit) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    constexpr unsigned kRow_B = kLanes * 4;
    const bool indexed = o.index >= 0;
    V rows = size_rows();
    auto* row = llvm::FixedVectorType::get(i32_, std::min(lanes_, kLanes));
    auto* plain = llvm::FunctionType::get(b_.getVoidTy(), {ptr_, ptr_, b_.getInt1Ty(), ptr_}, false);
    auto* by_index = llvm::FunctionType::get(b_.getVoidTy(), {ptr_, ptr_, i32_, b_.getInt1Ty()}, false);
    V out[4][2] = {};
    for (unsigned part = 0; part < tex_parts(); ++part) {
        store_part(o.lod >= 0 ? operand(i, unsigned(o.lod)) : splat_i32(0), part, rows,
                   SizeRows::kLod * kRow_B);
        if (indexed) {
            store_part(operand(i, unsigned(o.index)), part, rows, SizeRows::kIndex * kRow_B);
            llvm::CallInst* call = b_.CreateCall(by_index, runtime_function(offsetof(Runtime, size_indexed)),
                                                 {unit, rows, b_.getInt32(t.count), b_.getInt1(t.arrayed)});
            call->addParamAttr(3, llvm::Attribute::ZExt);
        } else {
            llvm::CallInst* call =
                b_.CreateCall(plain, runtime_function(offsetof(Runtime, size)),
                              {unit, at(rows, SizeRows::kLod * kRow_B), b_.getInt1(t.arrayed), rows});
            call->addParamAttr(2, llvm::Attribute::ZExt);
        }
        for (unsigned n = 0; n < i.result_count; ++n) {
            const unsigned from = t.op == TexOp::Levels           ? SizeRows::kLevels
                                  : t.dim == TexDim::D1 && n == 1 ? 2
                                                                  : std::min(n, 2u);
            out[n][part] = load(row, rows, from * kRow_B, 16, false);
        }
    }
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, join_parts(out[n]), n);
}

/// SizeRows in the work area, which also hold sample_indexed's indices.
Codegen::V Codegen::size_rows() {
    if (!sizes_) sizes_ = tex_area(sizeof(SizeRows));
    return sizes_;
}

/// Memory for calls, initially zero.
Codegen::V Codegen::tex_area(uint64_t size_B) {
    V a = reserve(size_B);
    llvm::IRBuilder<> b(once_);
    b.CreateMemSet(a, b.getInt8(0), size_B, llvm::Align(32));
    return a;
}

/// The call that an instruction uses; its constant parts are filled in once. Instructions that differ only in
/// their operands share one. After kMaxSites, all others share one that is filled in each time.
const Codegen::TexSite& Codegen::tex_site(const ir::TexInfo& t, TexMode mode, bool indexed) {
    constexpr size_t kMaxSites = 8;
    static_assert((kMaxSites + 1) * (sizeof(TexCall) + kAreaAlign_B) + sizeof(SizeRows) + kAreaAlign_B +
                      5 * kMostLanes * sizeof(uint64_t) + sizeof(MemoryCall) + kAreaAlign_B <=
                  kSingleCalls_B);
    const bool has_lod = mode == TexMode::Lod && ir::tex_operands(t).lod >= 0;
    const int32_t offset[] = {tex_offset(t, 0), tex_offset(t, 1), tex_offset(t, 2)};
    const auto fill = [&](llvm::IRBuilder<>& b, TexSite* site) {
        const auto put = [&](V value, uint64_t offset_B, unsigned align_B) {
            V to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), site->call, offset_B);
            b.CreateAlignedStore(value, to, llvm::Align(align_B));
        };
        V unit =
            b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), textures_, uint64_t(t.binding) * sizeof(TextureUnit));
        put(unit, offsetof(TexCall, unit), 8);
        put(b.getInt32(uint32_t(mode)), offsetof(TexCall, mode), 4);
        for (unsigned k = 0; k < 3; ++k)
            put(b.getInt32(uint32_t(offset[k])), offsetof(TexCall, offset) + 4 * k, 4);
        if (mode == TexMode::Lod && !has_lod)
            put(llvm::Constant::getNullValue(llvm::FixedVectorType::get(i32_, kLanes)),
                offsetof(TexCall, lod), 32);
        V sample = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), unit, offsetof(TextureUnit, sample));
        site->sample = b.CreateAlignedLoad(ptr_, sample, llvm::Align(8));
    };
    for (TexSite& s : tex_sites_)
        if (s.binding == t.binding && s.mode == mode && s.has_lod == has_lod && !s.is_private && !indexed &&
            std::equal(s.offset, s.offset + 3, offset))
            return s;
    if (tex_sites_.size() <= kMaxSites) {
        const bool is_last = tex_sites_.size() == kMaxSites;
        TexSite s;
        s.binding = t.binding;
        s.mode = mode;
        std::copy_n(offset, 3, s.offset);
        s.has_lod = has_lod;
        s.is_private = indexed || is_last;
        s.call = reserve(sizeof(TexCall));
        llvm::IRBuilder<> b(once_);
        b.CreateMemSet(s.call, b.getInt8(0), sizeof(TexCall), llvm::Align(32));
        if (!is_last) fill(b, &s);
        tex_sites_.push_back(s);
    }
    if (tex_sites_.size() > kMaxSites) fill(b_, &tex_sites_.back());
    return tex_sites_.back();
}

void Codegen::tex(const ir::Instr& i) {
    const ir::TexInfo& t = *i.u.tex;
    V unit = at(textures_, uint64_t(t.binding) * sizeof(TextureUnit));
    if (t.op == TexOp::Size || (t.op == TexOp::Levels && ir::tex_operands(t).index >= 0))
        return tex_size(i, unit);
    if (t.op == TexOp::Levels) {
        V first = load(i32_, unit, offsetof(TextureUnit, first_level), 4);
        V last = load(i32_, unit, offsetof(TextureUnit, last_level), 4);
        return set(i, splat(b_.CreateAdd(b_.CreateSub(last, first), b_.getInt32(1))));
    }
    const auto early = early_.find(&i);
    if (early != early_.end()) return load_early(i, early->second);
    if (!grouped_.contains(&i)) call_group(i);
    const auto grouped = grouped_.find(&i);
    if (grouped != grouped_.end()) return load_grouped(i, grouped->second);
    const TexMode mode = tex_mode(t, shader_.stage);
    const TexSite& site = tex_site(t, mode, ir::tex_operands(t).index >= 0);
    auto* row = llvm::FixedVectorType::get(i32_, std::min(lanes_, kLanes));
    V out[4][2] = {};
    for (unsigned part = 0; part < tex_parts(); ++part) {
        tex_part(i, site, part);
        for (unsigned k = 0; k < i.result_count; ++k)
            out[k][part] =
                load(row, site.call, offsetof(TexCall, out) + k * sizeof(float[kLanes]), 16, false);
    }
    for (unsigned k = 0; k < i.result_count; ++k)
        set(i, from_words(join_parts(out[k]), i.result(k)->type), k);
}

/// Up to kLanes lanes of a sampling or fetching instruction.
void Codegen::tex_part(const ir::Instr& i, const TexSite& site, unsigned part) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    V call = site.call;
    const auto put = [&](int n, uint64_t offset_B) {
        if (n >= 0) store_part(operand(i, unsigned(n)), part, call, offset_B);
    };
    V wanted = b_.CreateLShr(exec_ == whole_ ? whole_bits_ : bits(exec_), part * kLanes);
    store(lanes_ > kLanes ? b_.CreateAnd(wanted, (1u << kLanes) - 1) : wanted, call, offsetof(TexCall, mask),
          4);
    const TexCoordinates c = tex_coordinates(t);
    put(c.s, offsetof(TexCall, s));
    put(c.t, offsetof(TexCall, t));
    put(c.r, offsetof(TexCall, r));
    put(c.layer, offsetof(TexCall, layer));
    put(o.ref, offsetof(TexCall, ref));
    if (o.lod >= 0) put(o.lod, offsetof(TexCall, lod));
    for (int g = 0; g < o.gradient_count; ++g) {
        put(o.ddx + g, offsetof(TexCall, ddx) + unsigned(g) * sizeof(float[kLanes]));
        put(o.ddy + g, offsetof(TexCall, ddy) + unsigned(g) * sizeof(float[kLanes]));
    }
    for (int k = 0; o.offset >= 0 && k < 2; ++k)
        put(o.offset + k, offsetof(TexCall, ddx) + unsigned(k) * sizeof(float[kLanes]));
    if (o.index >= 0) {
        V indices = size_rows();
        store_part(operand(i, unsigned(o.index)), part, indices, 0);
        auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_, ptr_, ptr_, i32_, i32_}, false);
        b_.CreateCall(type, runtime_function(offsetof(Runtime, indexed)),
                      {call, textures_, indices, b_.getInt32(uint32_t(t.binding)), b_.getInt32(t.count)});
    } else {
        auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
        b_.CreateCall(type, site.sample, {call});
    }
}

}  // namespace terrazzo::soft::jit
