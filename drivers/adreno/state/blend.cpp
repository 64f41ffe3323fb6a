// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blend.cc (which registers), captured streams of its blend scene. Dithering is off,
// as on the CPU device.
#include "drivers/adreno/state/blend.h"

#include <iterator>

namespace terrazzo::adreno {
namespace {

using pipe::BlendFactor;

hw::BlendFactor blend_factor(BlendFactor f) {
    using enum hw::BlendFactor;
    // By BlendFactor.
    static constexpr hw::BlendFactor kFactors[] = {FACTOR_ZERO,
                                                   FACTOR_ONE,
                                                   FACTOR_SRC_COLOR,
                                                   FACTOR_ONE_MINUS_SRC_COLOR,
                                                   FACTOR_DST_COLOR,
                                                   FACTOR_ONE_MINUS_DST_COLOR,
                                                   FACTOR_SRC_ALPHA,
                                                   FACTOR_ONE_MINUS_SRC_ALPHA,
                                                   FACTOR_DST_ALPHA,
                                                   FACTOR_ONE_MINUS_DST_ALPHA,
                                                   FACTOR_CONSTANT_COLOR,
                                                   FACTOR_ONE_MINUS_CONSTANT_COLOR,
                                                   FACTOR_CONSTANT_ALPHA,
                                                   FACTOR_ONE_MINUS_CONSTANT_ALPHA,
                                                   FACTOR_SRC_ALPHA_SATURATE,
                                                   FACTOR_SRC1_COLOR,
                                                   FACTOR_ONE_MINUS_SRC1_COLOR,
                                                   FACTOR_SRC1_ALPHA,
                                                   FACTOR_ONE_MINUS_SRC1_ALPHA};
    static_assert(std::size(kFactors) == unsigned(BlendFactor::OneMinusSrc1Alpha) + 1 &&
                  unsigned(BlendFactor::SrcAlphaSaturate) == 14 && unsigned(BlendFactor::ConstColor) == 10);
    return kFactors[unsigned(f)];
}

hw::BlendOpcode blend_opcode(pipe::BlendOp op) {
    using enum hw::BlendOpcode;
    // By BlendOp.
    static constexpr hw::BlendOpcode kOpcodes[] = {BLEND_DST_PLUS_SRC, BLEND_SRC_MINUS_DST,
                                                   BLEND_DST_MINUS_SRC, BLEND_MIN_DST_SRC, BLEND_MAX_DST_SRC};
    static_assert(std::size(kOpcodes) == unsigned(pipe::BlendOp::Max) + 1);
    return kOpcodes[unsigned(op)];
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
    return f >= BlendFactor::Src1Color;
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
