// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture reads. Facts: Mesa 25.0.7, agx_compile.c (agx_emit_tex), agx_nir_lower_texture.c.
#include <algorithm>

#include "drivers/agx/compiler/selector.h"

namespace terrazzo::agx::compiler {

using isa::Dimension;
using isa::IntCondition;
using isa::Op;

namespace {

/// False: not compiled yet.
bool dimension_of(const ir::TexInfo& t, Dimension* out) {
    *out = t.dim == ir::TexDim::D3     ? Dimension::k3D
           : t.dim == ir::TexDim::Cube ? Dimension::kCube
           : t.arrayed                 ? Dimension::k2DArray
                                       : Dimension::k2D;
    return t.dim == ir::TexDim::D2 || t.dim == ir::TexDim::D3 || (t.dim == ir::TexDim::Cube && !t.arrayed);
}

}  // namespace

void Selector::texture(const ir::Instr& i) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    Dimension dimension;
    const bool fetches = t.op == ir::TexOp::Fetch;
    const bool plain = t.op == ir::TexOp::Sample || t.op == ir::TexOp::SampleBias ||
                       t.op == ir::TexOp::SampleLod || t.op == ir::TexOp::SampleGrad || fetches;
    const bool moved =
        t.offset_operands || std::any_of(t.offset, t.offset + 3, [](int8_t v) { return v != 0; });
    if (t.binding < 0 || t.binding + int(t.count) > 32 || t.result == ir::Type::F16)
        return f_.fail("agx: this texture is not compiled yet");
    for (unsigned n = 0; n < t.count; n++) {
        const uint32_t unit = 1u << (unsigned(t.binding) + n);
        info_.textures |= unit;
        if (t.dim == ir::TexDim::Cube) info_.cube_textures |= unit;
        if (t.dim == ir::TexDim::D3) info_.volume_textures |= unit;
    }
    const uint32_t size = uint32_t(Sysval::TextureSize0) + 4 * uint32_t(t.binding);
    if ((t.op == ir::TexOp::Levels || t.op == ir::TexOp::Size) && o.index < 0) {
        const unsigned dimensions = t.dim == ir::TexDim::D3 ? 3 : 2;
        for (unsigned c = 0; c < i.result_count; c++) {
            if (t.op == ir::TexOp::Levels || c >= dimensions) {
                set(i.result(c), sysval(Sysval(size + (t.op == ir::TexOp::Levels ? 3 : c))));
                continue;
            }
            const Ref level = o.lod >= 0 ? use(i.operand(unsigned(o.lod))) : Ref::immediate(0);
            const Ref whole = shift(ir::Op::UShr, sysval(Sysval(size + c)), level);
            set(i.result(c), icsel(IntCondition::kUgt, whole, Ref::immediate(1), whole, Ref::immediate(1)));
        }
        return;
    }
    if (!plain || moved || !dimension_of(t, &dimension))
        return f_.fail("agx: this operation on textures is not compiled yet");
    isa::Instr p = isa::make(fetches ? Op::kTextureLoad : Op::kTextureSample);
    p.set_dimension(dimension);
    const auto in = [&](int n) { return use(i.operand(unsigned(n))); };
    Ref sources[6];
    Ref at[4];
    for (int c = 0; c < t.coord_count; c++)
        at[c] = in(o.coord + c);
    const unsigned axes = t.coord_count - unsigned(t.arrayed);
    if (t.arrayed) {
        // Rounded, and within the texture.
        Ref layer =
            fetches ? at[axes] : convert({rint({at[axes]})}, isa::Conversion::kFToS32, isa::Round::kZero);
        layer = in_register(layer);
        layer = icsel(IntCondition::kSlt, layer, Ref::immediate(0), Ref::immediate(0), layer);
        const Ref last = o.index < 0 ? isub({sysval(Sysval(size + 2)), Ref::immediate(1)}) : Ref{};
        if (o.index >= 0) return f_.fail("agx: arrays of array textures are not compiled yet");
        at[axes] = icsel(IntCondition::kSgt, layer, last, last, layer);
    }
    const Word place = collect({at, t.coord_count});
    // A layer has 16 bits: all registers are named as halves.
    sources[0] = t.arrayed ? Ref::run_of(place, 2 * axes + 1, 16) : Ref::run(place, axes);
    const bool implicit = s_.stage == ir::Stage::Fragment && !fetches;
    if (t.op == ir::TexOp::SampleGrad) {
        Ref gradients[6];
        for (int c = 0; c < o.gradient_count; c++) {
            gradients[2 * c] = in(o.ddx + c);
            gradients[2 * c + 1] = in(o.ddy + c);
        }
        const auto count = unsigned(2 * o.gradient_count);
        p.set_lod(isa::Lod::kGrad);
        sources[1] = Ref::run(collect({gradients, count}), count);
    } else if (o.lod >= 0 && !(fetches && ir::is_const(i.operand(unsigned(o.lod))) &&
                               ir::const_bits(i.operand(unsigned(o.lod))) == 0)) {
        p.set_lod(t.op == ir::TexOp::SampleBias ? isa::Lod::kBias : isa::Lod::kMin);
        sources[1] = fetches ? half_register(in(o.lod)) : to_half(in(o.lod));
    } else if (!implicit && !fetches) {
        p.set_lod(isa::Lod::kMin);
        sources[1] = half_register(Ref::immediate(0));
    }
    info_.uses_derivatives |= implicit && t.op != ir::TexOp::SampleLod && t.op != ir::TexOp::SampleGrad;
    if (o.index < 0) {
        p.src[3] = isa::Operand::of(isa::OperandKind::kTextureState, t.binding);
        p.src[4] = isa::Operand::of(isa::OperandKind::kSamplerState, t.binding);
    } else {
        sources[3] = half_register(iadd({in(o.index), Ref::immediate(uint32_t(t.binding))}));
        sources[4] = sources[3];
    }
    if (o.ref >= 0) {
        p.set_compare(true);
        sources[5] = Ref::word(in_word(in(o.ref)));
    }
    unsigned mask = 0;
    for (unsigned c = 0; c < i.result_count; c++)
        mask |= i.result(c)->has_uses() ? 1u << c : 0;
    if (!mask) return;
    p.set_mask(isa::Mask(mask));
    const Word words = emit(p, {sources[0], sources[1], sources[2], sources[3], sources[4], sources[5]},
                            unsigned(std::popcount(mask)));
    for (unsigned c = 0, n = 0; c < i.result_count; c++)
        if (mask >> c & 1) set(i.result(c), Ref::word(words + n++));
}

}  // namespace terrazzo::agx::compiler
