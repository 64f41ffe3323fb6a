// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, gallium pan_cmdstream.c (samplers; the texel is the left operand of comparisons).
#include "drivers/mali/state/sampler.h"

#include <algorithm>
#include <bit>

#include "drivers/mali/hw/descriptors.h"
#include "pipe/state_facts.h"

namespace terrazzo::mali {

namespace {

hw::WrapMode wrap_mode(pipe::Wrap w) {
    using enum hw::WrapMode;
    // By Wrap.
    static constexpr hw::WrapMode kModes[] = {Repeat, ClampToEdge, MirroredRepeat, ClampToBorder,
                                              MirroredClampToEdge};
    static_assert(std::size(kModes) == unsigned(pipe::Wrap::MirrorClampToEdge) + 1);
    return kModes[unsigned(w)];
}

// In pipe the reference is the left operand.
hw::CompareFunc compare_with_texel_left(pipe::Compare c) {
    using enum hw::CompareFunc;
    // By Compare.
    static constexpr hw::CompareFunc kMirrored[] = {Never, Greater,  Equal,  Gequal,
                                                    Less,  NotEqual, Lequal, Always};
    static_assert(std::size(kMirrored) == unsigned(pipe::Compare::Always) + 1);
    return kMirrored[unsigned(c)];
}

}  // namespace

MaliSampler::MaliSampler(const pipe::SamplerDesc& d) : desc(d), shows_border(pipe::reads_border(d)) {
    hw::Sampler s;
    s.wrap_mode_s = wrap_mode(d.wrap_s);
    s.wrap_mode_t = wrap_mode(d.wrap_t);
    s.wrap_mode_r = wrap_mode(d.wrap_r);
    s.minify_nearest = d.min == pipe::Filter::Nearest;
    s.magnify_nearest = d.mag == pipe::Filter::Nearest;
    s.mipmap_mode = d.mip == pipe::MipFilter::None      ? hw::MipmapMode::None
                    : d.mip == pipe::MipFilter::Nearest ? hw::MipmapMode::Nearest
                                                        : hw::MipmapMode::Trilinear;
    // Taken from the field's name: no public driver sets it, and some chips fail dEQP's
    // texture.vertex.cube.filtering.nearest_mipmap_*_linear_* with Mesa's.
    s.magnify_cutoff = d.late_magnify && d.mag == pipe::Filter::Linear && d.min == pipe::Filter::Nearest &&
                       d.mip != pipe::MipFilter::None;
    s.seamless_cube_map = d.seamless_cube;
    s.srgb_override = d.skip_srgb_decode;
    if (d.compare_enable) s.compare_function = compare_with_texel_left(d.compare);
    s.minimum_lod = d.min_lod;
    s.maximum_lod = d.max_lod;
    s.lod_bias = d.lod_bias;
    if (d.max_anisotropy > 1) {
        s.lod_algorithm = hw::LodAlgorithm::Anisotropic;
        s.maximum_anisotropy = uint32_t(std::clamp(d.max_anisotropy, 1.0f, 16.0f));
    }
    s.border_color_r = d.border.bits[0];
    s.border_color_g = d.border.bits[1];
    s.border_color_b = d.border.bits[2];
    s.border_color_a = d.border.bits[3];
    hw::pack(s, words.data());
}

}  // namespace terrazzo::mali
