// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture reads. Staging registers contain coordinates, array layer, reference, LOD and gradient descriptor,
// in this order. A 64-bit handle names the texture and the sampler. Facts: Mesa 25.0.7, bifrost_compile.c,
// bi_emit_tex_valhall.
#include <algorithm>

#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

using isa::Op;

/// Bias and LOD have 8 bits of fraction; the high half is zero.
Ref Selector::lod_88(Ref lod) {
    const Ref unit =
        alu(isa::make(Op::kFmaF32).set_clamp(isa::Clamp::kSigned), {lod, f(1.0f / 16), minus_zero()});
    const Ref fixed = f32_to_s32({fmul(unit, f(16 * 256))});
    return mkvec_v2i16({fixed.part(isa::Swizzle::kH00), zero()});
}

/// The face of a direction, and the direction in the coordinates of that face.
Selector::CubePlace Selector::cube_place(const ir::Instr& i, const ir::TexOperands& o) {
    CubePlace p;
    for (int c = 0; c < 3; c++)
        p.direction[c] = in_register(use(i.operand(unsigned(o.coord + c))));
    const auto& [x, y, z] = p.direction;
    p.largest = cubeface1({x, y, z});
    p.face = cubeface2_v9({x, y, z});
    p.s = cube_ssel({z, x, p.face});
    p.t = cube_tsel({y, z, p.face});
    return p;
}

/// Derivatives of s / 2m and t / 2m, where m is the largest component's amount, from those of the direction.
void Selector::cube_gradient(const CubePlace& p, const ir::Instr& i, int derivative, Ref out[2]) {
    Ref d[3];
    for (int c = 0; c < 3; c++)
        d[c] = in_register(use(i.operand(unsigned(derivative + c))));
    const auto& [x, y, z] = p.direction;
    const auto is = [&](Ref axis, Ref yes, Ref no) {
        return csel_f32({absolute(axis), p.largest, yes, no}, isa::Condition::kEq);
    };
    const Ref inner = is(y, d[1], d[2]), inner_sign = is(y, y, z);
    const Ref along = is(x, d[0], inner), sign = is(x, x, inner_sign);
    const Ref dm = csel_f32({sign, zero(), in_register(negated(along)), along}, isa::Condition::kLt);
    const Ref ds = cube_ssel({d[2], d[0], p.face}), dt = cube_tsel({d[1], d[2], p.face});
    const Ref inverse = frcp_f32({p.largest});
    const Ref scale = fmul(inverse, f(0.5f)), shrink = fmul(dm, inverse);
    out[0] = fmul(fma_f32({p.s, negated(shrink), ds}), scale);
    out[1] = fmul(fma_f32({p.t, negated(shrink), dt}), scale);
}

Word Selector::gradients(const Ref* packed, unsigned count, isa::Dimension d, Ref handle, bool wide) {
    isa::Instr p = isa::make(Op::kTexGradient).set_slot(next_slot()).set_dimension(d);
    p.set_wide_indices(wide).set_write_mask(isa::WriteMask::kRg);
    p.set_register_type(isa::RegisterType::kUnsigned).set_register_width(isa::RegisterWidth::k32);
    p.set_derivative_enable(true).set_lod_clamp_disable(true).set_lod_bias_disable(true);
    return message(p, {handle}, 2, collect({packed, count}), count);
}

void Selector::texture(const ir::Instr& i) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    const bool fetched = t.op == ir::TexOp::Fetch;
    const bool sampled = t.op == ir::TexOp::Sample || t.op == ir::TexOp::SampleBias ||
                         t.op == ir::TexOp::SampleLod || t.op == ir::TexOp::SampleGrad;
    if (!(fetched ? t.result == ir::Type::F32 || t.result == ir::Type::I32
                  : sampled && t.result == ir::Type::F32) ||
        t.offset[0] || t.offset[1] || t.offset[2])
        return f_.fail("mali: this kind of texture read is not compiled yet");
    if (t.dim != ir::TexDim::D2 && t.dim != ir::TexDim::D3 && t.dim != ir::TexDim::Cube)
        return f_.fail("mali: textures of this dimension are not compiled yet");
    const isa::Dimension d = t.dim == ir::TexDim::D2   ? isa::Dimension::k2d
                             : t.dim == ir::TexDim::D3 ? isa::Dimension::k3d
                                                       : isa::Dimension::kCube;
    const auto in = [&](int n) { return use(i.operand(unsigned(n))); };
    const auto binding = uint32_t(t.binding);

    Ref handle;
    uint32_t units = 0;
    const bool wide = t.indexed || binding >= 1024;
    if (!wide) {
        // A fetch needs a sampler, but ignores it.
        const uint32_t sampler = fetched ? 0 : binding;
        handle = pair(
            uint32_t(Table::Textures) << 27 | binding << 16 | uint32_t(Table::Samplers) << 11 | sampler, 0);
        units = 1u << (binding % 32);
    } else {
        // It may be any of the units from here on.
        for (uint32_t unit = binding; unit < std::min(s_.info.sampler_count, 32u); ++unit)
            units |= 1u << unit;
        const Ref index = t.indexed ? in_register(in(o.index)) : zero();
        const auto whole = [&](Table table) {
            return iadd_u32({index, Ref::immediate(uint32_t(table) << 24 | binding)});
        };
        const Ref sampler = whole(Table::Samplers), image = whole(Table::Textures);
        handle = Ref::word(collect({sampler, image}));
    }
    info_.textures |= units;
    if (t.dim == ir::TexDim::Cube) info_.cube_textures |= units;
    if (t.dim == ir::TexDim::D3) info_.volume_textures |= units;

    Ref staged[8];
    unsigned count = 0;
    const unsigned coords = t.coord_count - (t.arrayed ? 1u : 0u);
    CubePlace cube;
    if (t.dim == ir::TexDim::Cube) {
        cube = cube_place(i, o);
        const Ref half = in_register(f(0.5f));
        const Ref scale = fmul(frcp_f32({cube.largest}), half);
        const isa::Instr unit = isa::make(Op::kFmaF32).set_clamp(isa::Clamp::kUnit);
        const Ref s01 = alu(unit, {cube.s, scale, half}), t01 = alu(unit, {cube.t, scale, half});
        // The face is in the three highest bits of s, whose values are known.
        staged[count++] =
            alu(isa::make(Op::kMuxI32).set_mux(isa::Mux::kBit), {s01, cube.face, Ref::immediate(0x1fffffff)});
        staged[count++] = t01;
    } else {
        for (unsigned c = 0; c < coords; c++)
            staged[count++] = in(o.coord + int(c));
    }
    if (t.arrayed) return f_.fail("mali: array textures are not compiled yet");
    if (o.ref >= 0) staged[count++] = in(o.ref);
    isa::LodMode mode = isa::LodMode::kComputed;
    bool far = false;  // a texel that is not of level 0
    if (t.op == ir::TexOp::SampleBias) {
        mode = isa::LodMode::kComputedBias;
        staged[count++] = lod_88(in(o.lod));
    } else if (t.op == ir::TexOp::SampleLod) {
        const Ref lod = in(o.lod);
        mode =
            lod.kind == Ref::Kind::Constant && lod.index == 0 ? isa::LodMode::kZero : isa::LodMode::kExplicit;
        if (mode == isa::LodMode::kExplicit) staged[count++] = lod_88(lod);
    } else if (t.op == ir::TexOp::SampleGrad) {
        mode = isa::LodMode::kGradient;
        Ref packed[6], by_x[3], by_y[3];
        const unsigned n = t.dim == ir::TexDim::Cube ? 2u : unsigned(o.gradient_count);
        if (t.dim == ir::TexDim::Cube) {
            cube_gradient(cube, i, o.ddx, by_x);
            cube_gradient(cube, i, o.ddy, by_y);
        }
        for (unsigned c = 0; c < n; c++) {
            packed[2 * c] = t.dim == ir::TexDim::Cube ? by_x[c] : in(o.ddx + int(c));
            packed[2 * c + 1] = t.dim == ir::TexDim::Cube ? by_y[c] : in(o.ddy + int(c));
        }
        const Word g = gradients(packed, 2 * n, d, handle, wide);
        staged[count++] = Ref::word(g);
        staged[count++] = Ref::word(g + 1);
    } else if (fetched) {
        // The level is the high byte of the texel's offsets.
        mode = isa::LodMode::kZero;
        const Ref level = o.lod >= 0 ? in(o.lod) : zero();
        far = level.kind != Ref::Kind::Constant || level.index != 0;
        if (far) staged[count++] = shift(Op::kLshiftOrI32, level, Ref::immediate(24), false);
    } else if (part_ != Part::Fragment) {
        mode = isa::LodMode::kZero;
    }
    if (mode == isa::LodMode::kComputed || mode == isa::LodMode::kComputedBias) info_.uses_derivatives = true;

    unsigned mask = 0;
    for (unsigned c = 0; c < i.result_count; c++)
        mask |= i.result(c)->has_uses() ? 1u << c : 0u;
    if (!mask) return;
    isa::Instr p = isa::make(fetched ? Op::kTexFetch : Op::kTexSingle).set_slot(next_slot());
    p.set_dimension(d).set_wide_indices(wide).set_write_mask(isa::WriteMask(mask));
    if (fetched)
        p.set_texel_offset(far);
    else
        p.set_shadow(t.shadow).set_lod_mode(mode);
    p.set_register_type(t.result == ir::Type::F32 ? isa::RegisterType::kFloat : isa::RegisterType::kUnsigned);
    bool half = plan_ && t.result == ir::Type::F32;
    for (unsigned c = 0; c < i.result_count; c++)
        half &= !i.result(c)->has_uses() || read_as_half(i.result(c));
    p.set_register_width(half ? isa::RegisterWidth::k16 : isa::RegisterWidth::k32);
    const unsigned words = (unsigned(std::popcount(mask)) + half) / (half ? 2 : 1);
    const Word texels = message(p, {handle}, words, collect({staged, count}), count);
    unsigned at = 0;
    for (unsigned c = 0; c < i.result_count; c++)
        if (mask >> c & 1) set(i.result(c), component(texels, at++, half));
}

}  // namespace terrazzo::mali::compiler
