// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups of texture instructions; see interp/tex_groups.h.
#include <cstddef>
#include <cstring>

#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

namespace {

constexpr int32_t kRows_B = int32_t(4 * sizeof(float[kLanes]));

}  // namespace

/// The memory of a group; its constant parts are filled in once.
Codegen::TexGroupSite Codegen::group_site(int binding, const TexGroupShape& shape) {
    const auto rows = [&](size_t count) { return reserve(uint32_t(count) * uint32_t(kRow_B)); };
    TexGroupSite site;
    site.group = reserve(sizeof(TexGroup));
    site.s = rows(shape.s.size());
    site.t = rows(shape.t.size());
    site.out = rows(4 * shape.members.size());
    const Earlier once(cc_, entry_);
    const Gp work = work_area();
    const auto member = [&](size_t offset_B, uint32_t size_B) {
        return in_work(work, site.group + int32_t(offset_B), size_B);
    };
    const auto put = [&](uint32_t word, size_t offset_B) { cc_.mov(member(offset_B, 4), asmjit::Imm(word)); };
    const auto put_address = [&](const x86::Mem& of, size_t offset_B) {
        const Gp p = cc_.newGpq();
        cc_.lea(p, of);
        cc_.mov(member(offset_B, 8), p);
    };
    put_address(x86::ptr(textures_, int32_t(unsigned(binding) * sizeof(TextureUnit))),
                offsetof(TexGroup, unit));
    put(uint32_t(shape.members.size()), offsetof(TexGroup, count));
    put(uint32_t(shape.s.size()), offsetof(TexGroup, s_count));
    put(uint32_t(shape.t.size()), offsetof(TexGroup, t_count));
    put(shape.channels, offsetof(TexGroup, channels));
    put_address(in_work(work, site.s), offsetof(TexGroup, s));
    put_address(in_work(work, site.t), offsetof(TexGroup, t));
    put_address(in_work(work, site.out), offsetof(TexGroup, out));
    for (size_t n = 0; n < shape.members.size(); n += 2) {
        uint32_t two;
        static_assert(sizeof two == 2 * sizeof shape.at[0] && TexGroup::kMost % 2 == 0);
        std::memcpy(&two, shape.at + n, sizeof two);
        put(two, offsetof(TexGroup, at) + n * sizeof shape.at[0]);
    }
    return site;
}

/// Emits a group call for `first` and all instructions that can join it, if there are any.
void Codegen::call_group(const ir::Instr& first) {
    constexpr size_t kMostGrouped = 256;
    // The worst case is groups of two, of which there are at most half as many as instructions; one single
    // call may follow.
    constexpr size_t kPair_B = sizeof(TexGroup) + kRow_B + 4 * kRow_B + 2 * kRows_B;
    static_assert(kMostGrouped / 2 * kPair_B + sizeof(TexGroup) + TexGroup::kMost * (2 * kRow_B + kRows_B) +
                      sizeof(TexCall) + 6 * kRow_B <=
                  kWorkArea_B);
    if (shader_.stage != ir::Stage::Fragment || grouped_.size() >= kMostGrouped) return;
    const TexGroupShape shape =
        tex_group_of(first, [this](const ir::Value* v) { return value(v).kind != V::Kind::None; });
    if (shape.members.size() < 2) return;
    const int binding = first.u.tex->binding;
    const TexGroupSite site = group_site(binding, shape);
    const Gp work = work_area();
    cc_.mov(in_work(work, site.group + int32_t(offsetof(TexGroup, mask)), 4), bits(exec_));
    for (size_t n = 0; n < shape.s.size(); ++n)
        store(value(shape.s[n]), in_work(work, site.s + int32_t(n) * kRow_B));
    for (size_t n = 0; n < shape.t.size(); ++n)
        store(value(shape.t[n]), in_work(work, site.t + int32_t(n) * kRow_B));
    const Gp function = fresh_gp();
    cc_.mov(function, x86::ptr(textures_, int32_t(unsigned(binding) * sizeof(TextureUnit) +
                                                  offsetof(TextureUnit, sample_group))));
    call(function, address(in_work(work, site.group)));
    for (size_t n = 0; n < shape.members.size(); ++n)
        grouped_[shape.members[n]] = site.out + int32_t(n) * kRows_B;
}

}  // namespace terrazzo::soft::tier1
