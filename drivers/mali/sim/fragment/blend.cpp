// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An equation is a + b * c, where b is a sum of s and d, the source and the destination. Multiplied out it is
// s * f + d * g, and each factor is 0, 1, c or 1 - c, or minus that: OpenGL's factors and operations.
// A channel uses the top bits of its 16-bit constant, as many as the channel has; alpha as many as red.
// Source: Mesa 25.0.7, genxml/v10.xml, pan_blend.c and pan_cmdstream.c.
#include "drivers/mali/sim/fragment/blend.h"

#include <algorithm>

#include "drivers/common/units/refuse.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::BlendFactor;

// What s or d is multiplied with: fixed + times * c.
struct Term {
    int fixed = 0, times = 0;
    bool is_zero() const { return !fixed && !times; }
    bool is_negative() const { return fixed < 0 || (!fixed && times < 0); }
    Term operator-() const { return {-fixed, -times}; }
};

// The factor c, by hw::BlendOperandC; Zero: 0. The factor 1 - c is the next enumerator.
constexpr BlendFactor kFactors[] = {BlendFactor::Zero,     BlendFactor::Zero,      BlendFactor::SrcColor,
                                    BlendFactor::DstColor, BlendFactor::SrcColor,  BlendFactor::SrcAlpha,
                                    BlendFactor::DstAlpha, BlendFactor::ConstColor};
constexpr BlendFactor one_minus(BlendFactor f) {
    return BlendFactor(unsigned(f) + 1);
}
static_assert(one_minus(BlendFactor::SrcColor) == BlendFactor::OneMinusSrcColor &&
              one_minus(BlendFactor::DstColor) == BlendFactor::OneMinusDstColor &&
              one_minus(BlendFactor::SrcAlpha) == BlendFactor::OneMinusSrcAlpha &&
              one_minus(BlendFactor::DstAlpha) == BlendFactor::OneMinusDstAlpha &&
              one_minus(BlendFactor::ConstColor) == BlendFactor::OneMinusConstColor);

// False: no factor of OpenGL's.
bool factor_of(const Term& t, BlendFactor value, BlendFactor* out) {
    if (t.is_zero()) return *out = BlendFactor::Zero, true;
    if (t.fixed == 1 && t.times == 0) return *out = BlendFactor::One, true;
    if (t.fixed == 0 && t.times == 1) return *out = value, true;
    if (t.fixed == 1 && t.times == -1) return *out = one_minus(value), true;
    return false;
}

struct Function {
    pipe::BlendOp op = pipe::BlendOp::Add;
    BlendFactor src = BlendFactor::One, dst = BlendFactor::Zero;
};

bool decode(const hw::BlendFunction& f, Function* out) {
    using enum hw::BlendOperandB;
    const BlendFactor value = kFactors[unsigned(f.c)];
    if (f.c == hw::BlendOperandC::SrcX2) {  // 2sd: s * d + d * s
        *out = {pipe::BlendOp::Add, BlendFactor::DstColor, BlendFactor::SrcColor};
        const bool has_a = f.a == hw::BlendOperandA::Src || f.a == hw::BlendOperandA::Dest;
        return f.b == Dest && !has_a && !f.negate_b && !f.invert_c;
    }
    Term s, d;
    const int a = f.negate_a ? -1 : 1, b = f.negate_b ? -1 : 1;
    if (f.a == hw::BlendOperandA::Src) s.fixed = a;
    if (f.a == hw::BlendOperandA::Dest) d.fixed = a;
    const auto add_product = [&](Term* t, int by) {
        if (f.invert_c) t->fixed += by;
        if (value != BlendFactor::Zero) t->times += f.invert_c ? -by : by;
    };
    if (f.b != Dest) add_product(&s, b);
    if (f.b != Src) add_product(&d, f.b == SrcMinusDest ? -b : b);
    out->op = s.is_negative()   ? pipe::BlendOp::ReverseSubtract
              : d.is_negative() ? pipe::BlendOp::Subtract
                                : pipe::BlendOp::Add;
    return factor_of(s.is_negative() ? -s : s, value, &out->src) &&
           factor_of(out->op == pipe::BlendOp::Subtract ? -d : d, value, &out->dst);
}

}  // namespace

bool blend_target(const TileFormat& tile, const hw::Blend* blend, bool fixed_function, bool srgb,
                  units::ColorTarget* out, std::string* why) {
    if (!units::color_target(srgb ? tile.srgb : tile.format, out))
        return units::refuse(why, "the tile buffer has no format of colours");
    if (!blend) return true;
    out->alpha_to_one = blend->alpha_to_one;
    pipe::BlendTargetDesc& b = out->blend;
    b.write_mask = uint8_t(blend->equation.color_mask);
    if (!fixed_function) return true;
    Function rgb, alpha;
    if (!decode(blend->equation.rgb, &rgb) || !decode(blend->equation.alpha, &alpha))
        return units::refuse(why, "a blend equation that is none of OpenGL's");
    b.enable = true;
    b.op_rgb = rgb.op, b.src_rgb = rgb.src, b.dst_rgb = rgb.dst;
    b.op_alpha = alpha.op, b.src_alpha = alpha.src, b.dst_alpha = alpha.dst;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned bits = std::max(tile.bits[c], tile.bits[0]);
        out->constant[c] = float(blend->constant >> (16 - bits)) / float((1u << bits) - 1);
    }
    return true;
}

}  // namespace terrazzo::mali::sim
