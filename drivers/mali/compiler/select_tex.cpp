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

namespace {

isa::Dimension dimension_of(ir::TexDim d) {
    switch (d) {
        case ir::TexDim::D1:
        case ir::TexDim::Buffer:
            return isa::Dimension::k1d;
        case ir::TexDim::D2:
        case ir::TexDim::D2MS:
            return isa::Dimension::k2d;
        case ir::TexDim::D3:
            return isa::Dimension::k3d;
        case ir::TexDim::Cube:
            return isa::Dimension::kCube;
    }
    return isa::Dimension::k2d;
}

constexpr unsigned kLevels = 3;  // the part of a texture's system values that is the number of levels

std::optional<uint32_t> constant_of(const Ref& r) {
    if (r.kind == Ref::Kind::Immediate) return r.index;
    if (r.kind == Ref::Kind::Constant && is_plain(r)) return isa::constant_table(r.index);
    return {};
}

}  // namespace

/// Bias and LOD have 8 bits of fraction; the high half is zero.
Ref Selector::lod_88(Ref lod) {
    const Ref unit =
        alu(isa::make(Op::kFmaF32).set_clamp(isa::Clamp::kSigned), {lod, number(1.0f / 16), minus_zero()});
    const Ref fixed = f32_to_s32({fmul(unit, number(16 * 256))});
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
    const Ref scale = fmul(inverse, number(0.5f)), shrink = fmul(dm, inverse);
    out[0] = fmul(fma_f32({p.s, negated(shrink), ds}), scale);
    out[1] = fmul(fma_f32({p.t, negated(shrink), dt}), scale);
}

/// The level of a cube's gradients, which is computed here, as the unit takes none of cubes (Mesa,
/// lower_txd_cube_map).
Ref Selector::cube_level(const CubePlace& p, const ir::Instr& i, const ir::TexOperands& o) {
    Ref square[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        Ref d[2];
        cube_gradient(p, i, axis ? o.ddy : o.ddx, d);
        square[axis] = fma_f32({d[0], d[0], fmul(d[1], d[1])});
    }
    const Ref longest = alu(isa::make(Op::kFmaxF32), {square[0], square[1]});
    const Ref width = u32_to_f32({system_value(size_of(i, 0), size_index_B(i, o))});
    return fmul(log2(fmul(longest, fmul(width, width))), number(0.5f));
}

Word Selector::gradients(const Ref* packed, unsigned count, isa::Dimension d, Ref handle, bool wide) {
    isa::Instr p = isa::make(Op::kTexGradient).set_slot(next_slot()).set_dimension(d);
    p.set_wide_indices(wide).set_write_mask(isa::WriteMask::kRg);
    p.set_register_type(isa::RegisterType::kUnsigned).set_register_width(isa::RegisterWidth::k32);
    p.set_derivative_enable(true).set_lod_clamp_disable(true).set_lod_bias_disable(true);
    return message(p, {handle}, 2, collect({packed, count}), count);
}

/// The level that a sample would read, a whole number, and the level of detail before it is clamped.
void Selector::query_lod(const ir::Instr& i, const ir::TexOperands& o, Word coordinates, unsigned count,
                         Ref handle, bool wide) {
    info_.uses_derivatives = true;
    for (unsigned c = 0; c < 2; c++) {
        if (!i.result(c)->has_uses()) continue;
        isa::Instr p = isa::make(Op::kTexGradient).set_slot(next_slot()).set_write_mask(isa::WriteMask::kR);
        p.set_dimension(dimension_of(i.u.tex->dim)).set_wide_indices(wide).set_force_delta(true);
        p.set_register_type(isa::RegisterType::kUnsigned).set_register_width(isa::RegisterWidth::k32);
        p.set_lod_clamp_disable(c != 0);
        const Ref fixed = Ref::word(message(p, {handle}, 1, coordinates, count));
        Ref lod = fmul(s16_to_f32({fixed.part(isa::Swizzle::kH00)}), number(1.0f / 256));
        if (c == 0) {
            // The sampler's limits were applied, those of the texture were not.
            const Ref levels = u32_to_f32({system_value(size_of(i, kLevels), size_index_B(i, o))});
            lod = alu(isa::make(Op::kFminF32), {lod, fadd_f32({levels, number(-1)})});
            lod = fround_f32({alu(isa::make(Op::kFmaxF32), {lod, zero()})}, isa::RoundMode::kRte);
        }
        set(i.result(c), lod);
    }
}

/// Bytes: the offsets in texels; of a multisampled texel, the number of the sample as the third; the level of
/// a fetch as the highest. None: all are 0.
Ref Selector::texel_offsets(const ir::Instr& i, const ir::TexOperands& o) {
    const ir::TexInfo& t = *i.u.tex;
    uint32_t known = 0;
    for (unsigned c = 0; c < 3; c++)
        known |= uint32_t(uint8_t(t.offset[c])) << (8 * c);
    Ref dynamic;
    const auto insert = [&](Ref value, unsigned bit) {
        if (const auto bits = constant_of(value)) {
            known |= *bits << bit;
            return;
        }
        const Ref placed = bit ? shift(ir::Op::IShl, value, Ref::immediate(bit)) : value;
        dynamic = dynamic.kind == Ref::Kind::None ? placed : logic(Op::kLshiftOrI32, placed, dynamic);
    };
    const auto in = [&](int n) { return use(i.operand(unsigned(n))); };
    for (int c = 0; o.offset >= 0 && c < 2; c++)
        insert(logic(Op::kLshiftAndI32, in(o.offset + c), Ref::immediate(255)), unsigned(8 * c));
    if (t.op == ir::TexOp::FetchMS) insert(in(o.lod), 16);
    if (t.op == ir::TexOp::Fetch && o.lod >= 0) insert(in(o.lod), 24);
    if (dynamic.kind == Ref::Kind::None) return known ? Ref::immediate(known) : Ref{};
    return known ? logic(Op::kLshiftOrI32, dynamic, Ref::immediate(known)) : dynamic;
}

/// A part of the size of a texture, or of the first one of an array.
Sysval Selector::size_of(const ir::Instr& i, unsigned part) {
    const auto slot = uint32_t(i.u.tex->binding);
    if (slot >= kSizedTextures) f_.fail("mali: the size of that texture is not known");
    return Sysval(uint32_t(Sysval::TextureSize0) + 4 * std::min(slot, kSizedTextures - 1) + part);
}
Ref Selector::size_index_B(const ir::Instr& i, const ir::TexOperands& o) {
    if (o.index < 0) return {};
    return shift(ir::Op::IShl, use(i.operand(unsigned(o.index))), Ref::immediate(4));
}

/// Sizes and numbers of levels are system values. Sizes are those of level 0, halved for each level.
void Selector::texture_size(const ir::Instr& i, const ir::TexOperands& o) {
    const ir::TexInfo& t = *i.u.tex;
    const Ref at_B = size_index_B(i, o);
    if (t.op == ir::TexOp::Levels) return set(i.result(), system_value(size_of(i, kLevels), at_B));
    const unsigned layer = t.arrayed ? i.result_count - 1u : i.result_count;
    const Ref lod = o.lod >= 0 ? use(i.operand(unsigned(o.lod))) : zero();
    for (unsigned c = 0; c < i.result_count; c++) {
        Ref size = system_value(size_of(i, c), at_B);
        if (c != layer && constant_of(lod) != 0u) {
            const Ref halved = shift(ir::Op::UShr, size, lod);
            size = csel(Op::kCselU32, isa::Condition::kEq, halved, zero(), Ref::immediate(1), halved);
        }
        set(i.result(c), size);
    }
}

void Selector::note_units(const ir::TexInfo& t) {
    const auto binding = uint32_t(t.binding);
    uint32_t units = 1u << (binding % 32);
    if (t.indexed || binding >= 1024) {
        // It may be any of the units from here on.
        units = 0;
        for (uint32_t unit = binding; unit < std::min(s_.info.sampler_count, 32u); ++unit)
            units |= 1u << unit;
    }
    info_.textures |= units;
    if (t.dim == ir::TexDim::Cube) info_.cube_textures |= units;
    if (t.dim == ir::TexDim::D3) info_.volume_textures |= units;
}

void Selector::texture(const ir::Instr& i) {
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    note_units(t);
    if (t.op == ir::TexOp::Size || t.op == ir::TexOp::Levels) return texture_size(i, o);
    const bool fetched = t.op == ir::TexOp::Fetch || t.op == ir::TexOp::FetchMS;
    const bool gathered = t.op == ir::TexOp::Gather;
    const isa::Dimension d = dimension_of(t.dim);
    const auto in = [&](int n) { return use(i.operand(unsigned(n))); };
    const auto binding = uint32_t(t.binding);

    Ref handle;
    const bool wide = t.indexed || binding >= 1024;
    if (!wide) {
        // A fetch needs a sampler, but ignores it.
        const uint32_t sampler = fetched ? 0 : binding;
        handle = pair(
            uint32_t(Table::Textures) << 27 | binding << 16 | uint32_t(Table::Samplers) << 11 | sampler, 0);
    } else {
        const Ref index = t.indexed ? in_register(in(o.index)) : zero();
        const auto whole = [&](Table table) {
            return iadd_u32({index, Ref::immediate(uint32_t(table) << 24 | binding)});
        };
        const Ref sampler = whole(Table::Samplers), image = whole(Table::Textures);
        handle = Ref::word(collect({sampler, image}));
    }

    Ref staged[8];
    unsigned count = 0;
    const unsigned coords = t.coord_count - (t.arrayed && t.op != ir::TexOp::QueryLod ? 1u : 0u);
    CubePlace cube;
    if (t.dim == ir::TexDim::Cube) {
        cube = cube_place(i, o);
        const Ref half = in_register(number(0.5f));
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
    if (t.op == ir::TexOp::QueryLod) return query_lod(i, o, collect({staged, count}), count, handle, wide);
    if (t.arrayed) staged[count++] = in(o.coord + int(coords));
    if (o.ref >= 0) staged[count++] = in(o.ref);
    const Ref offsets = texel_offsets(i, o);
    const bool offset = offsets.kind != Ref::Kind::None;
    if (offset) staged[count++] = offsets;
    isa::LodMode mode = isa::LodMode::kComputed;
    if (t.op == ir::TexOp::SampleBias) {
        mode = isa::LodMode::kComputedBias;
        staged[count++] = lod_88(in(o.lod));
    } else if (t.op == ir::TexOp::SampleLod) {
        const Ref lod = in(o.lod);
        mode =
            lod.kind == Ref::Kind::Constant && lod.index == 0 ? isa::LodMode::kZero : isa::LodMode::kExplicit;
        if (mode == isa::LodMode::kExplicit) staged[count++] = lod_88(lod);
    } else if (t.op == ir::TexOp::SampleGrad && t.dim == ir::TexDim::Cube) {
        mode = isa::LodMode::kExplicit;
        staged[count++] = lod_88(cube_level(cube, i, o));
    } else if (t.op == ir::TexOp::SampleGrad) {
        mode = isa::LodMode::kGradient;
        Ref packed[6];
        const auto n = unsigned(o.gradient_count);
        for (unsigned c = 0; c < n; c++) {
            packed[2 * c] = in(o.ddx + int(c));
            packed[2 * c + 1] = in(o.ddy + int(c));
        }
        const Word g = gradients(packed, 2 * n, d, handle, wide);
        staged[count++] = Ref::word(g);
        staged[count++] = Ref::word(g + 1);
    } else if (fetched || gathered || part_ != Part::Fragment) {
        mode = isa::LodMode::kZero;
    }
    if (mode == isa::LodMode::kComputed || mode == isa::LodMode::kComputedBias) info_.uses_derivatives = true;

    // TEX_GATHER returns rows of texels from the first one on. In OpenGL's order, the lower row is last.
    constexpr unsigned kGathered[] = {2, 3, 1, 0}, kInOrder[] = {0, 1, 2, 3};
    const unsigned* const component_of = gathered ? kGathered : kInOrder;
    unsigned mask = 0;
    for (unsigned c = 0; c < i.result_count; c++)
        mask |= i.result(c)->has_uses() ? 1u << component_of[c] : 0u;
    if (!mask) return;
    isa::Instr p = isa::make(fetched ? Op::kTexFetch : gathered ? Op::kTexGather : Op::kTexSingle);
    p.set_slot(next_slot()).set_dimension(d).set_wide_indices(wide).set_write_mask(isa::WriteMask(mask));
    p.set_array_enable(t.arrayed).set_texel_offset(offset);
    if (!fetched) p.set_shadow(t.shadow);
    if (gathered) p.set_fetch_component(isa::FetchComponent(t.gather_component));
    if (!fetched && !gathered) p.set_lod_mode(mode);
    // Integers of either sign are copied.
    p.set_register_type(t.result == ir::Type::F32 ? isa::RegisterType::kFloat : isa::RegisterType::kAuto);
    bool half = plan_ && t.result == ir::Type::F32;
    for (unsigned c = 0; c < i.result_count; c++)
        half &= !i.result(c)->has_uses() || read_as_half(i.result(c));
    p.set_register_width(half ? isa::RegisterWidth::k16 : isa::RegisterWidth::k32);
    const unsigned words = (unsigned(std::popcount(mask)) + half) / (half ? 2 : 1);
    const Word texels = message(p, {handle}, words, collect({staged, count}), count);
    for (unsigned c = 0; c < i.result_count; c++) {
        const unsigned of = component_of[c];
        const auto before = unsigned(std::popcount(mask & ((1u << of) - 1)));
        if (mask >> of & 1) set(i.result(c), component(texels, before, half));
    }
}

}  // namespace terrazzo::mali::compiler
