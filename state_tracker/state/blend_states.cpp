// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/state/blend_states.h"

#include <algorithm>
#include <bit>

namespace terrazzo::st {
namespace {

pipe::BlendFactor blend_factor(GLenum f) {
    switch (f) {
        case GL_ONE:
            return pipe::BlendFactor::One;
        case GL_SRC_COLOR:
            return pipe::BlendFactor::SrcColor;
        case GL_ONE_MINUS_SRC_COLOR:
            return pipe::BlendFactor::OneMinusSrcColor;
        case GL_DST_COLOR:
            return pipe::BlendFactor::DstColor;
        case GL_ONE_MINUS_DST_COLOR:
            return pipe::BlendFactor::OneMinusDstColor;
        case GL_SRC_ALPHA:
            return pipe::BlendFactor::SrcAlpha;
        case GL_ONE_MINUS_SRC_ALPHA:
            return pipe::BlendFactor::OneMinusSrcAlpha;
        case GL_DST_ALPHA:
            return pipe::BlendFactor::DstAlpha;
        case GL_ONE_MINUS_DST_ALPHA:
            return pipe::BlendFactor::OneMinusDstAlpha;
        case GL_CONSTANT_COLOR:
            return pipe::BlendFactor::ConstColor;
        case GL_ONE_MINUS_CONSTANT_COLOR:
            return pipe::BlendFactor::OneMinusConstColor;
        case GL_CONSTANT_ALPHA:
            return pipe::BlendFactor::ConstAlpha;
        case GL_ONE_MINUS_CONSTANT_ALPHA:
            return pipe::BlendFactor::OneMinusConstAlpha;
        case GL_SRC_ALPHA_SATURATE:
            return pipe::BlendFactor::SrcAlphaSaturate;
        case GL_SRC1_COLOR_EXT:
            return pipe::BlendFactor::Src1Color;
        case GL_ONE_MINUS_SRC1_COLOR_EXT:
            return pipe::BlendFactor::OneMinusSrc1Color;
        case GL_SRC1_ALPHA_EXT:
            return pipe::BlendFactor::Src1Alpha;
        case GL_ONE_MINUS_SRC1_ALPHA_EXT:
            return pipe::BlendFactor::OneMinusSrc1Alpha;
        default:
            return pipe::BlendFactor::Zero;
    }
}

pipe::BlendOp blend_op(GLenum e) {
    switch (e) {
        case GL_FUNC_SUBTRACT:
            return pipe::BlendOp::Subtract;
        case GL_FUNC_REVERSE_SUBTRACT:
            return pipe::BlendOp::ReverseSubtract;
        case GL_MIN_EXT:
            return pipe::BlendOp::Min;
        case GL_MAX_EXT:
            return pipe::BlendOp::Max;
        default:
            return pipe::BlendOp::Add;
    }
}

pipe::BlendTargetDesc blend_target(const BlendTarget& s, bool enable) {
    pipe::BlendTargetDesc t;
    t.write_mask = color_mask_bits(s);
    if (!enable) return t;
    t.enable = true;
    t.advanced = advanced_blend(s.eq_rgb);
    if (t.advanced != pipe::AdvancedBlend::None) return t;  // factors are ignored
    t.op_rgb = blend_op(s.eq_rgb);
    t.op_alpha = blend_op(s.eq_alpha);
    t.src_rgb = blend_factor(s.src_rgb);
    t.dst_rgb = blend_factor(s.dst_rgb);
    t.src_alpha = blend_factor(s.src_alpha);
    t.dst_alpha = blend_factor(s.dst_alpha);
    return t;
}

bool blends_two_sources(const State& s) {
    return std::any_of(s.blend.begin(), s.blend.end(), [](const BlendTarget& t) {
        return is_second_source(t.src_rgb) || is_second_source(t.dst_rgb) || is_second_source(t.src_alpha) ||
               is_second_source(t.dst_alpha);
    });
}

}  // namespace

pipe::AdvancedBlend advanced_blend(GLenum equation) {
    static constexpr GLenum kEquations[] = {
        GL_MULTIPLY_KHR,   GL_SCREEN_KHR,    GL_OVERLAY_KHR,        GL_DARKEN_KHR,    GL_LIGHTEN_KHR,
        GL_COLORDODGE_KHR, GL_COLORBURN_KHR, GL_HARDLIGHT_KHR,      GL_SOFTLIGHT_KHR, GL_DIFFERENCE_KHR,
        GL_EXCLUSION_KHR,  GL_HSL_HUE_KHR,   GL_HSL_SATURATION_KHR, GL_HSL_COLOR_KHR, GL_HSL_LUMINOSITY_KHR};
    if (equation < GL_MULTIPLY_KHR) return pipe::AdvancedBlend::None;  // the usual case
    for (unsigned n = 0; n < std::size(kEquations); ++n)
        if (kEquations[n] == equation) return pipe::AdvancedBlend(1 + n);
    return pipe::AdvancedBlend::None;
}

uint32_t advanced_equations(const State& s) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < s.blend.size(); ++i)
        if (const auto e = advanced_blend(s.blend[i].eq_rgb);
            (s.blend_enabled >> i & 1) && e != pipe::AdvancedBlend::None)
            bits |= 1u << (unsigned(e) - 1);
    return bits;
}

pipe::BlendDesc blend_desc(const Context& ctx, const FramebufferInfo& fb) {
    const State& s = ctx.state;
    pipe::BlendDesc d;
    for (unsigned i = 0; i < pipe::kMaxColorTargets; ++i) {
        d.targets[i] = blend_target(s.blend[i], s.blend_enabled >> i & 1);
        if (fb.undrawn >> i & 1) d.targets[i].write_mask = 0;
    }
    d.alpha_to_coverage = s.sample_alpha_to_coverage;
    d.dither = s.dither;
    return d;
}

bool BlendStates::same(const Key& a, const Key& b) {
    static_assert(std::has_unique_object_representations_v<Key> && sizeof(Key) == 4 * sizeof(uint64_t));
    using Words = std::array<uint64_t, 4>;
    const auto x = std::bit_cast<Words>(a), y = std::bit_cast<Words>(b);
    return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) == 0;
}

bool BlendStates::make(const Context& ctx, const FramebufferInfo& fb, Blending* out) {
    pipe::BlendState* const state = states_.get(
        blend_desc(ctx, fb), [&](const pipe::BlendDesc& desc) { return ctx.screen.create_blend(desc); });
    // The cache was emptied, so the remembered pointers may dangle.
    if (purges_ != states_.purges()) {
        recent_ = {};
        purges_ = states_.purges();
    }
    if (!state) return false;
    *out = {state, advanced_equations(ctx.state), blends_two_sources(ctx.state)};
    return true;
}

const Blending* BlendStates::get(const Context& ctx, const FramebufferInfo& fb) {
    const State& s = ctx.state;
    if (!s.blend_alike) return make(ctx, fb, &uneven_) ? &uneven_ : nullptr;
    const Key key{s.blend[0], s.blend_enabled, fb.undrawn, s.sample_alpha_to_coverage, s.dither};
    for (const Recent& r : recent_)
        if (same(r.key, key) && r.blending.state) return &r.blending;
    Recent made{key, {}};
    if (!make(ctx, fb, &made.blending)) return nullptr;
    Recent& r = recent_[next_++ % recent_.size()];
    r = made;
    return &r.blending;
}

}  // namespace terrazzo::st
