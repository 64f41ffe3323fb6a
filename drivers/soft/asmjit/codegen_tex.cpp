// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture instructions: fill a TexCall in the work area and call the unit's code.
#include <algorithm>

#include "drivers/soft/asmjit/codegen.h"
#include "drivers/soft/interp/lower.h"

namespace terrazzo::soft::tier1 {

using asmjit::Imm;
using ir::TexDim;
using ir::TexOp;

void Codegen::tex_size(const ir::Instr& i, const Gp& unit) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    const Gp work = work_area();
    const auto row = [&](uint32_t n) { return in_work(work, size_rows() + int32_t(n) * kRow_B); };
    store(o.lod >= 0 ? operand(i, unsigned(o.lod)) : splat(0), row(SizeRows::kLod));
    if (o.index >= 0) {
        store(operand(i, unsigned(o.index)), row(SizeRows::kIndex));
        call("texture_size_indexed", {unit, address(row(0)), Imm(t.count), Imm(t.arrayed)});
    } else {
        call("texture_size", {unit, address(row(SizeRows::kLod)), Imm(t.arrayed), address(row(0))});
    }
    if (t.op == TexOp::Levels) return set(i, load(row(SizeRows::kLevels)));
    for (unsigned n = 0; n < i.result_count; ++n)
        set(i, load(row(t.dim == TexDim::D1 && n == 1 ? 2 : std::min(n, 2u))), n);
}

/// SizeRows in the work area, which also hold sample_indexed's indices.
int32_t Codegen::size_rows() {
    if (sizes_ == kNowhere) sizes_ = reserve(sizeof(SizeRows));
    return sizes_;
}

void Codegen::fill_call(const ir::Instr& i, const Gp& unit, const Gp& work) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    const TexMode mode = tex_mode(t, shader_.stage);
    const auto at = [&](size_t offset_B, uint32_t size_B) {
        return in_work(work, call_ + int32_t(offset_B), size_B);
    };
    const auto put = [&](int n, size_t offset_B) {
        if (n >= 0) store(operand(i, unsigned(n)), at(offset_B, 32));
    };
    cc_.mov(at(offsetof(TexCall, unit), 8), unit);
    cc_.mov(at(offsetof(TexCall, mode), 4), uint32_t(mode));
    cc_.mov(at(offsetof(TexCall, mask), 4), bits(exec_));
    const TexCoordinates c = tex_coordinates(t);
    put(c.s, offsetof(TexCall, s));
    put(c.t, offsetof(TexCall, t));
    put(c.r, offsetof(TexCall, r));
    put(c.layer, offsetof(TexCall, layer));
    put(o.ref, offsetof(TexCall, ref));
    if (o.lod >= 0)
        put(o.lod, offsetof(TexCall, lod));
    else if (mode == TexMode::Lod)
        store(splat(0), at(offsetof(TexCall, lod), 32));
    for (int g = 0; g < o.gradient_count; ++g) {
        put(o.ddx + g, offsetof(TexCall, ddx) + unsigned(g) * sizeof(float[kLanes]));
        put(o.ddy + g, offsetof(TexCall, ddy) + unsigned(g) * sizeof(float[kLanes]));
    }
    for (int k = 0; o.offset >= 0 && k < 2; ++k)
        put(o.offset + k, offsetof(TexCall, ddx) + unsigned(k) * sizeof(float[kLanes]));
    for (unsigned k = 0; k < 3; ++k)
        cc_.mov(at(offsetof(TexCall, offset) + 4 * k, 4), tex_offset(t, k));
}

void Codegen::tex(const ir::Instr& i) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    const Gp unit = fresh_gp();
    cc_.lea(unit, x86::ptr(textures_, int32_t(unsigned(t.binding) * sizeof(TextureUnit))));
    if (t.op == TexOp::Size || (t.op == TexOp::Levels && o.index >= 0)) return tex_size(i, unit);
    if (t.op == TexOp::Levels) {
        const V first = broadcast(x86::ptr(unit, offsetof(TextureUnit, first_level)));
        const V last = broadcast(x86::ptr(unit, offsetof(TextureUnit, last_level)));
        return set(i, emit(Inst::kIdVpaddd, emit(Inst::kIdVpsubd, last, first), splat(1)));
    }
    const auto set_results = [&](const Gp& work, int32_t rows_B) {
        for (unsigned k = 0; k < i.result_count; ++k)
            if (i.result(k)->has_uses())
                set(i, from_words(load(in_work(work, rows_B + int32_t(k) * kRow_B)), i.result(k)->type), k);
    };
    if (!grouped_.contains(&i)) call_group(i);
    const auto grouped = grouped_.find(&i);
    if (grouped != grouped_.end()) return set_results(work_area(), grouped->second);
    if (call_ == kNowhere) {
        static_assert(alignof(TexCall) == kRow_B);
        call_ = reserve(sizeof(TexCall));
        const Earlier once(cc_, entry_);
        at_top_ = true;
        clear(work_area(), call_, sizeof(TexCall) / sizeof(Row));
        at_top_ = false;
    }
    const Gp work = work_area();
    fill_call(i, unit, work);
    const Gp tex_call = address(in_work(work, call_));
    if (o.index >= 0) {
        store(operand(i, unsigned(o.index)), in_work(work, size_rows()));
        call("sample_indexed",
             {tex_call, textures_, address(in_work(work, size_rows())), Imm(t.binding), Imm(t.count)});
    } else {
        const Gp function = fresh_gp();
        cc_.mov(function, x86::ptr(unit, offsetof(TextureUnit, sample)));
        call(function, tex_call);
    }
    set_results(work, call_ + int32_t(offsetof(TexCall, out)));
}

}  // namespace terrazzo::soft::tier1
