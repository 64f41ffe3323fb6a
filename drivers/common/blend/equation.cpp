// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/blend/equation.h"

namespace terrazzo::blend {

namespace {

using pipe::BlendFactor;
using pipe::BlendOp;

struct Function {
    BlendOp op;
    BlendFactor src, dst;
    bool operator==(const Function&) const = default;
};
constexpr Function kReplace{BlendOp::Add, BlendFactor::One, BlendFactor::Zero};

// The factor if destination alpha is 1.
BlendFactor without_alpha(BlendFactor f) {
    return f == BlendFactor::DstAlpha           ? BlendFactor::One
           : f == BlendFactor::OneMinusDstAlpha ? BlendFactor::Zero
                                                : f;
}

bool reads_destination(const Function& e, bool alpha) {
    const BlendFactor src = factor_value(e.src, alpha);
    return is_min_max(e.op) || e.dst != BlendFactor::Zero || src == BlendFactor::DstColor ||
           src == BlendFactor::DstAlpha || e.src == BlendFactor::SrcAlphaSaturate;
}

uint8_t constants_of(const Function& e, bool alpha) {
    uint8_t found = 0;
    if (is_min_max(e.op)) return 0;
    for (BlendFactor f : {e.src, e.dst}) {
        const BlendFactor v = factor_value(f, alpha);
        if (v == BlendFactor::ConstColor) found |= 7;
        if (v == BlendFactor::ConstAlpha) found |= 8;
    }
    return found;
}

bool reads_second(const Function& e) {
    return !is_min_max(e.op) && (e.src >= BlendFactor::Src1Color || e.dst >= BlendFactor::Src1Color);
}

// Whether the factor is always `value` if source alpha is `alpha`.
bool is_always(BlendFactor f, bool value, bool alpha) {
    return f == (value ? BlendFactor::One : BlendFactor::Zero) ||
           (f == BlendFactor::SrcAlpha && alpha == value) ||
           (f == BlendFactor::OneMinusSrcAlpha && alpha != value);
}

Equation advanced_equation(const pipe::BlendTargetDesc& d) {
    Equation e;
    e.desc.enable = true;
    e.desc.advanced = d.advanced;
    e.desc.write_mask = d.write_mask;
    e.reads_destination = true;
    return e;
}

}  // namespace

BlendFactor factor_value(BlendFactor f, bool alpha) {
    const auto base = BlendFactor(f <= BlendFactor::One                ? 0
                                  : f >= BlendFactor::SrcAlphaSaturate ? unsigned(f)
                                                                       : unsigned(f) & ~1u);
    if (!alpha) return base;
    return base == BlendFactor::SrcColor     ? BlendFactor::SrcAlpha
           : base == BlendFactor::DstColor   ? BlendFactor::DstAlpha
           : base == BlendFactor::ConstColor ? BlendFactor::ConstAlpha
                                             : base;
}
static_assert(unsigned(BlendFactor::SrcColor) % 2 == 0 && unsigned(BlendFactor::ConstAlpha) % 2 == 0);

/// From SrcColor on, each factor is followed by one minus it, except SrcAlphaSaturate.
bool is_one_minus(BlendFactor f) {
    return f == BlendFactor::One ||
           (f > BlendFactor::One && f < BlendFactor::SrcAlphaSaturate && unsigned(f) % 2) ||
           f == BlendFactor::OneMinusSrc1Color || f == BlendFactor::OneMinusSrc1Alpha;
}

uint8_t stored_channels(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    uint8_t stored = info.has_alpha ? 8 : 0;
    for (unsigned i = 0; i < info.channel_count; ++i) {
        const char letter = info.channel[i].letter;
        stored |= letter == 'R' || letter == 'L' ? 1 : letter == 'G' ? 2 : letter == 'B' ? 4 : 0;
    }
    return stored;
}

Equation simplify(const pipe::BlendTargetDesc& d, bool has_alpha) {
    const bool writes_rgb = d.write_mask & 7, writes_alpha = has_alpha && (d.write_mask & 8);
    if (d.enable && d.advanced != pipe::AdvancedBlend::None && (writes_rgb || writes_alpha))
        return advanced_equation(d);
    Function rgb{d.op_rgb, d.src_rgb, d.dst_rgb}, alpha{d.op_alpha, d.src_alpha, d.dst_alpha};
    if (!d.enable || !writes_rgb) rgb = kReplace;
    if (!d.enable || !writes_alpha) alpha = kReplace;
    if (!has_alpha) rgb = {rgb.op, without_alpha(rgb.src), without_alpha(rgb.dst)};
    if (alpha.src == BlendFactor::SrcAlphaSaturate) alpha.src = BlendFactor::One;
    if (alpha.dst == BlendFactor::SrcAlphaSaturate) alpha.dst = BlendFactor::One;
    for (Function* f : {&rgb, &alpha})
        if (f->op == BlendOp::Subtract && f->dst == BlendFactor::Zero) f->op = BlendOp::Add;

    Equation e;
    e.desc = {true, rgb.op, alpha.op, rgb.src, rgb.dst, alpha.src, alpha.dst, d.write_mask};
    e.replaces = rgb == kReplace && alpha == kReplace;
    e.reads_destination = reads_destination(rgb, false) || reads_destination(alpha, true);
    e.constants = constants_of(rgb, false) & (d.write_mask | 8);
    e.constants |= constants_of(alpha, true);
    e.second_source = reads_second(rgb) || reads_second(alpha);

    const auto adds = [](const Function& f) {
        return f.op == BlendOp::Add || f.op == BlendOp::ReverseSubtract;
    };
    e.alpha_zero_keeps =
        d.enable &&
        (!writes_rgb || (adds(rgb) && is_always(rgb.src, false, false) && is_always(rgb.dst, true, false))) &&
        (!writes_alpha || (adds(alpha) && is_always(alpha.dst, true, false)));
    const auto stores = [](const Function& f) {
        return f.op == BlendOp::Add && is_always(f.src, true, true) && is_always(f.dst, false, true);
    };
    e.alpha_one_replaces = d.enable && stores(rgb) && stores(alpha);
    return e;
}

}  // namespace terrazzo::blend
