// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups of texture instructions; see interp/tex_groups.h.
#include <algorithm>
#include <cstddef>

#include "drivers/soft/jit/codegen.h"

namespace terrazzo::soft::jit {

constexpr uint64_t kRow_B = sizeof(float[kLanes]), kRows_B = 4 * kRow_B;

/// The memory of a group; its constant parts are filled in once.
Codegen::TexGroupSite Codegen::group_site(int binding, const TexGroupShape& shape) {
    const auto count = uint32_t(shape.members.size());
    TexGroupSite site;
    site.group = reserve(sizeof(TexGroup));
    site.rows[0] = tex_area(shape.s.size() * kRow_B);
    site.rows[1] = tex_area(shape.t.size() * kRow_B);
    site.out = reserve(count * kRows_B);
    llvm::IRBuilder<> b(once_);
    const auto put = [&](V value, uint64_t offset_B) {
        V to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), site.group, offset_B);
        b.CreateAlignedStore(value, to, llvm::Align(2));
    };
    V unit = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), textures_, uint64_t(binding) * sizeof(TextureUnit));
    put(unit, offsetof(TexGroup, unit));
    put(b.getInt32(count), offsetof(TexGroup, count));
    put(b.getInt32(uint32_t(shape.s.size())), offsetof(TexGroup, s_count));
    put(b.getInt32(uint32_t(shape.t.size())), offsetof(TexGroup, t_count));
    put(b.getInt32(shape.channels), offsetof(TexGroup, channels));
    put(site.rows[0], offsetof(TexGroup, s));
    put(site.rows[1], offsetof(TexGroup, t));
    put(site.out, offsetof(TexGroup, out));
    for (unsigned n = 0; n < count; ++n)
        put(b.getInt16(uint16_t(shape.at[n].s | shape.at[n].t << 8)), offsetof(TexGroup, at) + n * 2);
    V sample = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), unit, offsetof(TextureUnit, sample_group));
    site.sample = b.CreateAlignedLoad(ptr_, sample, llvm::Align(8));
    return site;
}

/// Emits a group call for `first` and all instructions that can join it, if there are any.
void Codegen::call_group(const ir::Instr& first) {
    constexpr unsigned kMaxGroups = 16;
    constexpr uint64_t kLargest_B =
        sizeof(TexGroup) + TexGroup::kMost * (2 * kRow_B + kRows_B) + 4 * kAreaAlign_B;
    if (shader_.stage != ir::Stage::Fragment || groups_made_ == kMaxGroups) return;
    if (!has_room(tex_parts() * kLargest_B)) return;
    const TexGroupShape shape =
        tex_group_of(first, [this](const ir::Value* v) { return values_[v->id] != nullptr; });
    if (shape.members.size() < 2) return;
    ++groups_made_;
    V wanted = exec_ == whole_ ? whole_bits_ : bits(exec_);
    for (unsigned part = 0; part < tex_parts(); ++part) {
        const TexGroupSite site = group_site(first.u.tex->binding, shape);
        V mask = b_.CreateAnd(b_.CreateLShr(wanted, part * kLanes), (1u << kLanes) - 1);
        store(mask, site.group, offsetof(TexGroup, mask), 4);
        for (size_t n = 0; n < shape.s.size(); ++n)
            store_part(value(shape.s[n]), part, site.rows[0], n * kRow_B);
        for (size_t n = 0; n < shape.t.size(); ++n)
            store_part(value(shape.t[n]), part, site.rows[1], n * kRow_B);
        auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr_}, false);
        b_.CreateCall(type, site.sample, {site.group});
        for (size_t n = 0; n < shape.members.size(); ++n) {
            GroupedTex& g = grouped_[shape.members[n]];
            g.out[part] = site.out;
            g.offset_B = n * kRows_B;
        }
    }
}

/// Loads the results of one instruction of a group's call.
void Codegen::load_grouped(const ir::Instr& i, const GroupedTex& g) {
    auto* row = llvm::FixedVectorType::get(i32_, std::min(lanes_, kLanes));
    for (unsigned k = 0; k < i.result_count; ++k) {
        if (!i.result(k)->has_uses()) continue;
        V out[2] = {};
        for (unsigned part = 0; part < tex_parts(); ++part)
            out[part] = load(row, g.out[part], g.offset_B + k * kRow_B, 16, false);
        set(i, from_words(join_parts(out), i.result(k)->type), k);
    }
}

}  // namespace terrazzo::soft::jit
