// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blender's equation is a + b * c (genxml/v10.xml); which of OpenGL's fit it: Mesa 25.0.7, pan_blend.c.
// With s and d the source and the destination, both perhaps negated, and f and g their factors:
//   f or g 0 or 1:  the other product, and what is left
//   g = f:          (s + d) * f
//   g = 1 - f:      d + (s - d) * f
//   f = d, g = s:   d * 2s
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/state_id.h"

namespace terrazzo::mali {

namespace {

using pipe::BlendFactor;
using pipe::BlendOp;

struct Function {
    BlendOp op;
    BlendFactor src, dst;
    bool operator==(const Function&) const = default;
};
constexpr Function kReplace{BlendOp::Add, BlendFactor::One, BlendFactor::Zero};

// A factor as operand c: 0 and 1 are Zero, straight and inverted.
struct Operand {
    hw::BlendOperandC c = hw::BlendOperandC::Unused;  // Unused: the blender lacks it
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

// Which value it is: alpha's colour is alpha, but the blend colour's channels differ.
unsigned value_of(BlendFactor f, bool alpha) {
    const auto base = BlendFactor(f <= BlendFactor::One                ? 0
                                  : f >= BlendFactor::SrcAlphaSaturate ? unsigned(f)
                                                                       : unsigned(f) & ~1u);
    if (!alpha) return unsigned(base);
    return unsigned(base == BlendFactor::SrcColor     ? BlendFactor::SrcAlpha
                    : base == BlendFactor::DstColor   ? BlendFactor::DstAlpha
                    : base == BlendFactor::ConstColor ? BlendFactor::ConstAlpha
                                                      : base);
}
static_assert(unsigned(BlendFactor::SrcColor) % 2 == 0 && unsigned(BlendFactor::ConstAlpha) % 2 == 0);

bool is_min_max(BlendOp op) {
    return op == BlendOp::Min || op == BlendOp::Max;
}

// False: it has no such form.
bool make_function(const Function& e, bool alpha, hw::BlendFunction* out) {
    using A = hw::BlendOperandA;
    using B = hw::BlendOperandB;
    using C = hw::BlendOperandC;
    if (is_min_max(e.op)) return false;
    const Operand f = operand(e.src), g = operand(e.dst);
    const unsigned src = value_of(e.src, alpha), dst = value_of(e.dst, alpha);
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
    if (e == kReplace) return take(A::Src, false, B::Src, false, f.inverted ? g : f);
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
    if (e.op == BlendOp::Add && src == unsigned(own_dst) && dst == unsigned(own_src) && !f.inverted &&
        !g.inverted)
        return take(A::Zero, false, B::Dest, false, {C::SrcX2, false});
    return false;
}

// Destination alpha is 1.
BlendFactor without_alpha(BlendFactor f) {
    return f == BlendFactor::DstAlpha           ? BlendFactor::One
           : f == BlendFactor::OneMinusDstAlpha ? BlendFactor::Zero
                                                : f;
}
// min(source alpha, 0), in the blender's formats, which have no sign.
BlendFactor without_saturation(BlendFactor f) {
    return f == BlendFactor::SrcAlphaSaturate ? BlendFactor::Zero : f;
}

bool takes_destination(const Function& e, bool alpha) {
    const unsigned src = value_of(e.src, alpha);
    return is_min_max(e.op) || e.dst != BlendFactor::Zero || src == unsigned(BlendFactor::DstColor) ||
           src == unsigned(BlendFactor::DstAlpha) || e.src == BlendFactor::SrcAlphaSaturate;
}

uint8_t constants_of(const Function& e, bool alpha) {
    uint8_t found = 0;
    if (is_min_max(e.op)) return 0;
    for (BlendFactor f : {e.src, e.dst}) {
        const unsigned v = value_of(f, alpha);
        if (v == unsigned(BlendFactor::ConstColor)) found |= 7;
        if (v == unsigned(BlendFactor::ConstAlpha)) found |= 8;
    }
    return found;
}

bool takes_second(const Function& e) {
    return !is_min_max(e.op) && (e.src >= BlendFactor::Src1Color || e.dst >= BlendFactor::Src1Color);
}

// Whether the factor is `value` where source alpha is `alpha`, whatever else is.
bool is_always(BlendFactor f, bool value, bool alpha) {
    return f == (value ? BlendFactor::One : BlendFactor::Zero) ||
           (f == BlendFactor::SrcAlpha && alpha == value) ||
           (f == BlendFactor::OneMinusSrcAlpha && alpha != value);
}

}  // namespace

BlendForm make_blend_form(const pipe::BlendTargetDesc& d, bool has_alpha) {
    const bool writes_rgb = d.write_mask & 7, writes_alpha = has_alpha && (d.write_mask & 8);
    Function rgb{d.op_rgb, d.src_rgb, d.dst_rgb}, alpha{d.op_alpha, d.src_alpha, d.dst_alpha};
    if (!d.enable || !writes_rgb) rgb = kReplace;
    if (!d.enable || !writes_alpha) alpha = kReplace;
    if (!has_alpha) rgb = {rgb.op, without_alpha(rgb.src), without_alpha(rgb.dst)};
    if (alpha.src == BlendFactor::SrcAlphaSaturate) alpha.src = BlendFactor::One;
    if (alpha.dst == BlendFactor::SrcAlphaSaturate) alpha.dst = BlendFactor::One;
    for (Function* f : {&rgb, &alpha})
        if (f->op == BlendOp::Subtract && f->dst == BlendFactor::Zero) f->op = BlendOp::Add;

    BlendForm form;
    form.desc = {true, rgb.op, alpha.op, rgb.src, rgb.dst, alpha.src, alpha.dst, d.write_mask};
    form.replaces = rgb == kReplace && alpha == kReplace;
    form.reads_destination = takes_destination(rgb, false) || takes_destination(alpha, true);
    form.constants = constants_of(rgb, false) & (d.write_mask | 8);
    form.constants |= constants_of(alpha, true);
    form.second_source = takes_second(rgb) || takes_second(alpha);
    hw::BlendEquation e;
    Function blender_rgb = rgb;
    if (!has_alpha) blender_rgb = {rgb.op, without_saturation(rgb.src), without_saturation(rgb.dst)};
    form.fixed_function = make_function(blender_rgb, false, &e.rgb) && make_function(alpha, true, &e.alpha);
    e.color_mask = d.write_mask;
    if (form.fixed_function) hw::pack(e, &form.equation);

    const auto adds = [](const Function& f) {
        return f.op == BlendOp::Add || f.op == BlendOp::ReverseSubtract;
    };
    form.alpha_zero_keeps =
        d.enable &&
        (!writes_rgb || (adds(rgb) && is_always(rgb.src, false, false) && is_always(rgb.dst, true, false))) &&
        (!writes_alpha || (adds(alpha) && is_always(alpha.dst, true, false)));
    const auto stores = [](const Function& f) {
        return f.op == BlendOp::Add && is_always(f.src, true, true) && is_always(f.dst, false, true);
    };
    form.alpha_one_replaces = d.enable && stores(rgb) && stores(alpha);
    return form;
}

MaliBlend::MaliBlend(const pipe::BlendDesc& d) : desc(d), id(new_state_id()) {
    for (unsigned t = 0; t < pipe::kMaxColorTargets; ++t)
        forms[t] = {make_blend_form(d.targets[t], false), make_blend_form(d.targets[t], true)};
}

}  // namespace terrazzo::mali
