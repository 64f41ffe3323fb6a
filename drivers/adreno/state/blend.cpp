// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blend.cc (which registers), captured streams of its blend scene. Dithering is off,
// as on the CPU device.
#include "drivers/adreno/state/blend.h"
#include "winsys/trap.h"

namespace terrazzo::adreno {
namespace {

using pipe::BlendFactor;

hw::BlendFactor blend_factor(BlendFactor f) {
    using F = hw::BlendFactor;
    switch (f) {
        case BlendFactor::Zero:
            return F::FACTOR_ZERO;
        case BlendFactor::One:
            return F::FACTOR_ONE;
        case BlendFactor::SrcColor:
            return F::FACTOR_SRC_COLOR;
        case BlendFactor::OneMinusSrcColor:
            return F::FACTOR_ONE_MINUS_SRC_COLOR;
        case BlendFactor::DstColor:
            return F::FACTOR_DST_COLOR;
        case BlendFactor::OneMinusDstColor:
            return F::FACTOR_ONE_MINUS_DST_COLOR;
        case BlendFactor::SrcAlpha:
            return F::FACTOR_SRC_ALPHA;
        case BlendFactor::OneMinusSrcAlpha:
            return F::FACTOR_ONE_MINUS_SRC_ALPHA;
        case BlendFactor::DstAlpha:
            return F::FACTOR_DST_ALPHA;
        case BlendFactor::OneMinusDstAlpha:
            return F::FACTOR_ONE_MINUS_DST_ALPHA;
        case BlendFactor::ConstColor:
            return F::FACTOR_CONSTANT_COLOR;
        case BlendFactor::OneMinusConstColor:
            return F::FACTOR_ONE_MINUS_CONSTANT_COLOR;
        case BlendFactor::ConstAlpha:
            return F::FACTOR_CONSTANT_ALPHA;
        case BlendFactor::OneMinusConstAlpha:
            return F::FACTOR_ONE_MINUS_CONSTANT_ALPHA;
        case BlendFactor::SrcAlphaSaturate:
            return F::FACTOR_SRC_ALPHA_SATURATE;
        case BlendFactor::Src1Color:
            return F::FACTOR_SRC1_COLOR;
        case BlendFactor::OneMinusSrc1Color:
            return F::FACTOR_ONE_MINUS_SRC1_COLOR;
        case BlendFactor::Src1Alpha:
            return F::FACTOR_SRC1_ALPHA;
        case BlendFactor::OneMinusSrc1Alpha:
            return F::FACTOR_ONE_MINUS_SRC1_ALPHA;
    }
    winsys::unreachable();
}

hw::BlendOpcode blend_opcode(pipe::BlendOp op) {
    switch (op) {
        case pipe::BlendOp::Add:
            return hw::BlendOpcode::BLEND_DST_PLUS_SRC;
        case pipe::BlendOp::Subtract:
            return hw::BlendOpcode::BLEND_SRC_MINUS_DST;
        case pipe::BlendOp::ReverseSubtract:
            return hw::BlendOpcode::BLEND_DST_MINUS_SRC;
        case pipe::BlendOp::Min:
            return hw::BlendOpcode::BLEND_MIN_DST_SRC;
        case pipe::BlendOp::Max:
            return hw::BlendOpcode::BLEND_MAX_DST_SRC;
    }
    winsys::unreachable();
}

/// The factor with a destination alpha of 1, for targets whose format has none, whatever their memory
/// contains.
BlendFactor with_alpha_one(BlendFactor f, bool of_alpha) {
    if (f == BlendFactor::DstAlpha) return BlendFactor::One;
    if (f == BlendFactor::OneMinusDstAlpha) return BlendFactor::Zero;
    // min(source alpha, 1 - destination alpha) = 0; for the alpha channel the factor is 1 by definition.
    if (f == BlendFactor::SrcAlphaSaturate) return of_alpha ? BlendFactor::One : BlendFactor::Zero;
    if (of_alpha && f == BlendFactor::DstColor) return BlendFactor::One;
    if (of_alpha && f == BlendFactor::OneMinusDstColor) return BlendFactor::Zero;
    return f;
}

bool is_second(BlendFactor f) {
    return f == BlendFactor::Src1Color || f == BlendFactor::OneMinusSrc1Color ||
           f == BlendFactor::Src1Alpha || f == BlendFactor::OneMinusSrc1Alpha;
}

/// The advanced blend equation of the target. It has none if it does not blend or no channel is written.
pipe::AdvancedBlend advanced_equation(const pipe::BlendTargetDesc& t) {
    return t.enable && t.write_mask ? t.advanced : pipe::AdvancedBlend::None;
}

bool uses_second(const pipe::BlendTargetDesc& t) {
    return t.enable &&
           (is_second(t.src_rgb) || is_second(t.dst_rgb) || is_second(t.src_alpha) || is_second(t.dst_alpha));
}

}  // namespace

AdrenoBlend::AdrenoBlend(Device& device, const pipe::BlendDesc& d)
    : desc(d), dual_source(uses_second(d.targets[0])), advanced(advanced_equation(d.targets[0])) {
    for (unsigned i = 0; i < pipe::kMaxColorTargets; ++i)
        if (d.targets[i].enable) reads_destination |= 1u << i;
    uint32_t words[kMostBlendWords];
    const uint32_t* const end = write_blend(*this, {}, words);
    common = StaticState(device, {words, size_t(end - words)});
}

uint32_t* write_blend(const AdrenoBlend& blend, const BlendTargets& targets, uint32_t* out) {
    RegisterRun run(out);
    uint32_t enabled = 0;
    bool independent = false;
    const bool dual_source = blend.dual_source && !targets.no_second;
    const bool coverage = blend.desc.alpha_to_coverage && blend.advanced == pipe::AdvancedBlend::None;
    for (unsigned i = 0; i < targets.count; ++i) {
        const pipe::BlendTargetDesc& t = blend.desc.targets[i];
        const bool enable = t.enable && t.advanced == pipe::AdvancedBlend::None;
        const bool one = targets.without_alpha >> i & 1;
        const auto factor = [&](BlendFactor f, bool of_alpha) {
            return blend_factor(one ? with_alpha_one(f, of_alpha) : f);
        };
        run.add(Element{i, hw::RB_MRT_CONTROL{.blend = enable,
                                              .blend2 = enable,
                                              .rop_code = hw::RopCode::ROP_COPY,
                                              .component_enable = t.write_mask}});
        run.add(Element{i, hw::RB_MRT_BLEND_CONTROL{.rgb_src_factor = factor(t.src_rgb, false),
                                                    .rgb_blend_opcode = blend_opcode(t.op_rgb),
                                                    .rgb_dest_factor = factor(t.dst_rgb, false),
                                                    .alpha_src_factor = factor(t.src_alpha, true),
                                                    .alpha_blend_opcode = blend_opcode(t.op_alpha),
                                                    .alpha_dest_factor = factor(t.dst_alpha, true)}});
        if (enable) enabled |= 1u << i;
        independent |= t != blend.desc.targets[0];
    }
    run.add(hw::RB_DITHER_CNTL{});
    run.add(hw::SP_BLEND_CNTL{.enable_blend = enabled,
                              .unk8 = true,
                              .dual_color_in_enable = dual_source,
                              .alpha_to_coverage = coverage});
    run.add(hw::RB_BLEND_CNTL{.enable_blend = enabled,
                              .independent_blend = independent,
                              .dual_color_in_enable = dual_source,
                              .alpha_to_coverage = coverage,
                              .alpha_to_one = blend.desc.alpha_to_one,
                              .sample_mask = targets.sample_mask});
    return run.finish();
}

}  // namespace terrazzo::adreno
