// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_texture.cc; captured streams. mipfilter_linear_far without _near disables mipmaps.
#include "drivers/adreno/state/sampler.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/stream/enums.h"
#include "pipe/state_facts.h"

namespace terrazzo::adreno {
namespace {

hw::TexClamp tex_clamp(pipe::Wrap w) {
    using enum hw::TexClamp;
    // By Wrap.
    static constexpr hw::TexClamp kClamps[] = {A6XX_TEX_REPEAT, A6XX_TEX_CLAMP_TO_EDGE,
                                               A6XX_TEX_MIRROR_REPEAT, A6XX_TEX_CLAMP_TO_BORDER,
                                               A6XX_TEX_MIRROR_CLAMP};
    static_assert(std::size(kClamps) == unsigned(pipe::Wrap::MirrorClampToEdge) + 1);
    return kClamps[unsigned(w)];
}

hw::TexFilter tex_filter(pipe::Filter f, bool anisotropic) {
    if (f == pipe::Filter::Nearest) return hw::TexFilter::A6XX_TEX_NEAREST;
    return anisotropic ? hw::TexFilter::A6XX_TEX_ANISO : hw::TexFilter::A6XX_TEX_LINEAR;
}

/// The largest of 1, 2, 4, 8, 16 that is at most `most`.
hw::TexAniso tex_aniso(float most) {
    const auto samples = uint32_t(std::clamp(most, 1.0f, 16.0f));
    return hw::TexAniso(std::bit_width(samples) - 1);
}

hw::TexSamp describe(const pipe::SamplerDesc& d, uint32_t border) {
    const hw::TexAniso aniso = tex_aniso(d.max_anisotropy);
    const bool anisotropic = aniso != hw::TexAniso::A6XX_TEX_ANISO_1;
    hw::TexSamp s;
    s.mipfilter_linear_near = d.mip == pipe::MipFilter::Linear;
    s.xy_mag = tex_filter(d.mag, anisotropic);
    s.xy_min = tex_filter(d.min, anisotropic);
    s.wrap_s = tex_clamp(d.wrap_s);
    s.wrap_t = tex_clamp(d.wrap_t);
    s.wrap_r = tex_clamp(d.wrap_r);
    s.aniso = aniso;
    s.lod_bias = d.lod_bias;
    if (d.compare_enable) s.compare_func = compare_func(d.compare);
    s.cubemapseamlessfiltoff = !d.seamless_cube;
    s.mipfilter_linear_far = d.mip == pipe::MipFilter::None;
    s.min_lod = std::max(0.0f, d.min_lod);
    s.max_lod = std::max(0.0f, d.max_lod);
    s.chroma_linear = d.mag == pipe::Filter::Linear && d.min == pipe::Filter::Linear;
    s.bcolor = border;
    return s;
}

}  // namespace

AdrenoSampler::AdrenoSampler(BorderColors& colors, const pipe::SamplerDesc& d)
    : desc(d), has_border(pipe::reads_border(d)) {
    pack(describe(d, has_border ? colors.number(d.border, BorderForm::Float) : 0), words_.data());
}

void AdrenoSampler::write(BorderColors& colors, BorderForm form, uint32_t* out) const {
    if (has_border && form != BorderForm::Float) [[unlikely]]
        return pack(describe(desc, colors.number(desc.border, form)), out);
    std::copy(words_.begin(), words_.end(), out);
}

}  // namespace terrazzo::adreno
