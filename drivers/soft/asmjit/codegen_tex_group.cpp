// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups of texture instructions: see interp/tex_groups.h.
#include <cstddef>
#include <cstring>

#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

namespace {

constexpr int32_t kRows_B = int32_t(4 * sizeof(float[kLanes]));

x86::Mem member(const x86::Mem& group, size_t offset_B, uint32_t size_B) {
    x86::Mem m = group.cloneAdjusted(int32_t(offset_B));
    m.setSize(size_B);
    return m;
}

}  // namespace

/// The memory of a group, all that does not change filled in once.
Codegen::TexGroupSite Codegen::group_site(int binding, const TexGroupShape& shape) {
    const auto rows = [&](size_t count) { return cc_.newStack(uint32_t(count) * kRow_B, kRow_B); };
    TexGroupSite site;
    site.group = cc_.newStack(sizeof(TexGroup), alignof(TexGroup));
    site.s = rows(shape.s.size());
    site.t = rows(shape.t.size());
    site.out = rows(4 * shape.members.size());
    const Earlier once(cc_, entry_);
    const auto put = [&](uint32_t word, size_t offset_B) {
        cc_.mov(member(site.group, offset_B, 4), asmjit::Imm(word));
    };
    const auto put_address = [&](const x86::Mem& of, size_t offset_B) {
        const Gp p = cc_.newGpq();
        cc_.lea(p, of);
        cc_.mov(member(site.group, offset_B, 8), p);
    };
    put_address(x86::ptr(textures_, int32_t(unsigned(binding) * sizeof(TextureUnit))),
                offsetof(TexGroup, unit));
    put(uint32_t(shape.members.size()), offsetof(TexGroup, count));
    put(uint32_t(shape.s.size()), offsetof(TexGroup, s_count));
    put(uint32_t(shape.t.size()), offsetof(TexGroup, t_count));
    put(shape.channels, offsetof(TexGroup, channels));
    put_address(site.s, offsetof(TexGroup, s));
    put_address(site.t, offsetof(TexGroup, t));
    put_address(site.out, offsetof(TexGroup, out));
    for (size_t n = 0; n < shape.members.size(); n += 2) {
        uint32_t two;
        static_assert(sizeof two == 2 * sizeof shape.at[0] && TexGroup::kMost % 2 == 0);
        std::memcpy(&two, shape.at + n, sizeof two);
        put(two, offsetof(TexGroup, at) + n * sizeof shape.at[0]);
    }
    return site;
}

/// Calls `first` with all that can be called with it, unless that is none.
void Codegen::call_group(const ir::Instr& first) {
    constexpr size_t kMostGrouped = 256;  // the stack is not endless
    if (shader_.stage != ir::Stage::Fragment || grouped_.size() >= kMostGrouped) return;
    const TexGroupShape shape =
        tex_group_of(first, [this](const ir::Value* v) { return value(v).kind != V::Kind::None; });
    if (shape.members.size() < 2) return;
    const int binding = first.u.tex->binding;
    const TexGroupSite site = group_site(binding, shape);
    cc_.mov(member(site.group, offsetof(TexGroup, mask), 4), bits(exec_));
    for (size_t n = 0; n < shape.s.size(); ++n)
        store(value(shape.s[n]), site.s.cloneAdjusted(int32_t(n) * kRow_B));
    for (size_t n = 0; n < shape.t.size(); ++n)
        store(value(shape.t[n]), site.t.cloneAdjusted(int32_t(n) * kRow_B));
    const Gp function = fresh_gp();
    cc_.mov(function, x86::ptr(textures_, int32_t(unsigned(binding) * sizeof(TextureUnit) +
                                                  offsetof(TextureUnit, sample_group))));
    call(function, address(site.group));
    for (size_t n = 0; n < shape.members.size(); ++n)
        grouped_[shape.members[n]] = site.out.cloneAdjusted(int32_t(n) * kRows_B);
}

}  // namespace terrazzo::soft::tier1
