// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures whose coordinates depend only on inputs and uniforms are sampled for all blocks of a batch at
// once. A first loop over the batch computes the coordinates. Then each texture is called once. The loop of
// the whole shader follows; it only loads the results. So that loop and the calls keep their constants in
// registers.
#include <algorithm>
#include <cstddef>

#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

namespace {

constexpr uint64_t kRow_B = sizeof(float[kLanes]), kRows_B = 4 * kRow_B;
/// The textures that fit into half of the work area: coordinates, the call and its results.
constexpr size_t kMostEarly =
    kWorkArea_B / 2 / (kBatchBlocks * (4 * kRow_B + kRows_B) + sizeof(TexBlocks) + 2 * kAreaAlign_B);

}  // namespace

/// Values of one loop's lanes do not exist in another loop.
void Codegen::forget_lanes() {
    std::fill(values_.begin(), values_.end(), nullptr);
    inputs_.clear();
    members_.clear();
    corner_[0] = corner_[1] = pixel_[0] = pixel_[1] = perspective_ = nullptr;
    varyings_ = {};
}

/// Calls one texture; the operands are rows by lane of the batch. The results are rows by block.
Codegen::V Codegen::early_rows(const ir::Instr& texture, const EarlyRows& rows) {
    V call = reserve(sizeof(TexBlocks)), out = reserve(kBatchBlocks * kRows_B);
    V unit = at(textures_, uint64_t(texture.u.tex->binding) * sizeof(TextureUnit));
    store(unit, call, offsetof(TexBlocks, unit), 8);
    store(load(i32_, args_, offsetof(FragmentArgs, count), 4), call, offsetof(TexBlocks, count), 4);
    uint32_t channels = 0;
    for (unsigned k = 0; k < texture.result_count; ++k)
        channels |= uint32_t(texture.result(k)->has_uses()) << k;
    store(b_.getInt32(channels), call, offsetof(TexBlocks, channels), 4);
    store(rows.mask, call, offsetof(TexBlocks, mask), 8);
    store(rows.s, call, offsetof(TexBlocks, s), 8);
    store(rows.t, call, offsetof(TexBlocks, t), 8);
    store(rows.third, call, offsetof(TexBlocks, third), 8);
    store(rows.ref, call, offsetof(TexBlocks, ref), 8);
    store(out, call, offsetof(TexBlocks, out), 8);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
    b_.CreateCall(type, load(ptr_, unit, offsetof(TextureUnit, sample_blocks), 8), {call});
    return out;
}

/// Emits the loop over coordinates and the calls after `from`. Returns the branch that ends them.
llvm::BranchInst* Codegen::sample_early(llvm::BranchInst* from) {
    EarlyTextures early = early_textures(shader_);
    // The others are sampled at their own places.
    if (early.textures.size() > kMostEarly) early.textures.resize(kMostEarly);
    if (early.textures.empty()) return from;
    llvm::BasicBlock *body = block("coordinates"), *rest = from->getSuccessor(0);
    body->moveBefore(rest);
    start_batch(from, body);
    b_.SetInsertPoint(body);
    for (const ir::Instr* i : early.needed)
        instr(*i);
    std::vector<EarlyRows> rows;  // by texture
    for (const ir::Instr* i : early.textures) {
        const auto store_operand = [&](int n) {
            V of_batch = reserve(kBatchBlocks * kRow_B);
            V row = b_.CreateInBoundsGEP(f32v_, of_batch, group_);
            b_.CreateAlignedStore(operand(*i, unsigned(n)), row, llvm::Align(lanes_ * 4));
            return of_batch;
        };
        const TexCoordinates c = tex_coordinates(*i->u.tex);
        const int third = c.r >= 0 ? c.r : c.layer, ref = ir::tex_operands(*i->u.tex).ref;
        EarlyRows r;
        r.s = store_operand(c.s);
        r.t = store_operand(c.t);
        r.third = third >= 0 ? store_operand(third) : r.s;
        r.ref = ref >= 0 ? store_operand(ref) : r.s;
        rows.push_back(r);
    }
    // With half blocks, the mask is not known here: all lanes are sampled.
    auto* mask_type = b_.getIntNTy(std::max(lanes_, kLanes));
    V mask = lanes_ < kLanes ? b_.getInt8(0xff) : b_.CreateTrunc(whole_bits_, mask_type);
    V masks = reserve(kBatchBlocks);
    V place = b_.CreateInBoundsGEP(mask_type, masks, lanes_ < kLanes ? block_.of[0] : group_);
    b_.CreateAlignedStore(mask, place, llvm::Align(1));
    next_group();
    for (size_t n = 0; n < early.textures.size(); ++n) {
        rows[n].mask = masks;
        early_[early.textures[n]] = early_rows(*early.textures[n], rows[n]);
    }
    forget_lanes();
    return b_.CreateBr(rest);
}

void Codegen::load_early(const ir::Instr& i, V out) {
    auto* row = llvm::FixedVectorType::get(i32_, std::min(lanes_, kLanes));
    for (unsigned k = 0; k < i.result_count; ++k) {
        if (!i.result(k)->has_uses()) continue;
        V parts[2] = {};
        for (unsigned part = 0; part < tex_parts(); ++part) {
            V offset_B =
                b_.CreateAdd(b_.CreateMul(block_.of[part], b_.getInt64(kRows_B)), b_.getInt64(k * kRow_B));
            if (lanes_ < kLanes)
                offset_B =
                    b_.CreateAdd(offset_B, b_.CreateZExt(b_.CreateShl(quad_shift(), 2), b_.getInt64Ty()));
            parts[part] = load(row, b_.CreateInBoundsGEP(b_.getInt8Ty(), out, offset_B), 0, 16, false);
        }
        set(i, from_words(join_parts(parts), i.result(k)->type), k);
    }
}

}  // namespace terrazzo::soft::jit
