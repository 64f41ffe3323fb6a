// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blender's equation is a + b * c (genxml/v10.xml). Which of OpenGL's it can express: Mesa 25.0.7,
// pan_blend.c. With s and d the source and the destination, each possibly negated, and f and g their factors:
//   f or g 0 or 1:  the other product, plus s, d or 0
//   g = f:          (s + d) * f
//   g = 1 - f:      d + (s - d) * f
//   f = d, g = s:   d * 2s
#include "drivers/common/memory/device.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/state/blend.h"

namespace terrazzo::mali {

namespace {

using pipe::BlendFactor;
using pipe::BlendOp;

struct Function {
    BlendOp op;
    BlendFactor src, dst;
};

// A factor as operand c. The factor 0 is Zero; 1 is Zero, inverted.
struct Operand {
    hw::BlendOperandC c = hw::BlendOperandC::Unused;  // Unused: the blender lacks the factor
    bool inverted = false;
};
Operand operand(BlendFactor f) {
    using enum hw::BlendOperandC;
    switch (f) {
        case BlendFactor::Zero:
            return {Zero, false};
        case BlendFactor::One:
            return {Zero, true};
        case BlendFactor::SrcColor:
            return {Src, false};
        case BlendFactor::OneMinusSrcColor:
            return {Src, true};
        case BlendFactor::DstColor:
            return {Dest, false};
        case BlendFactor::OneMinusDstColor:
            return {Dest, true};
        case BlendFactor::SrcAlpha:
            return {SrcAlpha, false};
        case BlendFactor::OneMinusSrcAlpha:
            return {SrcAlpha, true};
        case BlendFactor::DstAlpha:
            return {DestAlpha, false};
        case BlendFactor::OneMinusDstAlpha:
            return {DestAlpha, true};
        case BlendFactor::ConstColor:
        case BlendFactor::ConstAlpha:
            return {Constant, false};
        case BlendFactor::OneMinusConstColor:
        case BlendFactor::OneMinusConstAlpha:
            return {Constant, true};
        case BlendFactor::SrcAlphaSaturate:
        case BlendFactor::Src1Color:
        case BlendFactor::OneMinusSrc1Color:
        case BlendFactor::Src1Alpha:
        case BlendFactor::OneMinusSrc1Alpha:
            break;
    }
    return {};
}

// False: the equation does not have the blender's form.
bool make_function(const Function& e, bool alpha, hw::BlendFunction* out) {
    using A = hw::BlendOperandA;
    using B = hw::BlendOperandB;
    using C = hw::BlendOperandC;
    if (blend::is_min_max(e.op)) return false;
    const Operand f = operand(e.src), g = operand(e.dst);
    const BlendFactor src = blend::factor_value(e.src, alpha), dst = blend::factor_value(e.dst, alpha);
    const bool negate_s = e.op == BlendOp::ReverseSubtract, negate_d = e.op == BlendOp::Subtract;
    *out = {};
    const auto take = [&](A a, bool negate_a, B b, bool negate_b, const Operand& c) {
        out->a = a;
        out->negate_a = negate_a;
        out->b = b;
        out->negate_b = negate_b;
        out->c = c.c;
        out->invert_c = c.inverted;
        return c.c != C::Unused;
    };
    if (e.op == BlendOp::Add && e.src == BlendFactor::One && e.dst == BlendFactor::Zero)
        return take(A::Src, false, B::Src, false, f.inverted ? g : f);
    if (f.c == C::Zero)
        return f.inverted ? take(A::Src, negate_s, B::Dest, negate_d, g)
                          : take(A::Zero, false, B::Dest, negate_d, g);
    if (g.c == C::Zero)
        return g.inverted ? take(A::Dest, negate_d, B::Src, negate_s, f)
                          : take(A::Zero, false, B::Src, negate_s, f);
    if (src == dst && f.inverted == g.inverted)
        return take(A::Zero, false, negate_s || negate_d ? B::SrcMinusDest : B::SrcPlusDest, negate_s, f);
    if (src == dst)
        return take(A::Dest, negate_d, negate_s || negate_d ? B::SrcPlusDest : B::SrcMinusDest, negate_s, f);
    const BlendFactor own_src = alpha ? BlendFactor::SrcAlpha : BlendFactor::SrcColor,
                      own_dst = alpha ? BlendFactor::DstAlpha : BlendFactor::DstColor;
    if (e.op == BlendOp::Add && src == own_dst && dst == own_src && !f.inverted && !g.inverted)
        return take(A::Zero, false, B::Dest, false, {C::SrcX2, false});
    return false;
}

// The factor for a destination alpha of 1: min(source alpha, 0), which is 0 in the blender's unsigned
// formats.
BlendFactor without_saturation(BlendFactor f) {
    return f == BlendFactor::SrcAlphaSaturate ? BlendFactor::Zero : f;
}

}  // namespace

BlendForm make_blend_form(const pipe::BlendTargetDesc& d, bool has_alpha) {
    BlendForm form{blend::simplify(d, has_alpha)};
    if (form.desc.advanced != pipe::AdvancedBlend::None) return form;
    Function rgb{form.desc.op_rgb, form.desc.src_rgb, form.desc.dst_rgb};
    const Function alpha{form.desc.op_alpha, form.desc.src_alpha, form.desc.dst_alpha};
    if (!has_alpha) rgb = {rgb.op, without_saturation(rgb.src), without_saturation(rgb.dst)};
    hw::BlendEquation e;
    form.fixed_function = make_function(rgb, false, &e.rgb) && make_function(alpha, true, &e.alpha);
    e.color_mask = d.write_mask;
    if (form.fixed_function) hw::pack(e, &form.equation);
    return form;
}

MaliBlend::MaliBlend(const pipe::BlendDesc& d) : desc(d), id(memory::unique_number()) {
    for (unsigned t = 0; t < pipe::kMaxColorTargets; ++t)
        forms[t] = {make_blend_form(d.targets[t], false), make_blend_form(d.targets[t], true)};
}

}  // namespace terrazzo::mali
