// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, gallium agx_state.c (agx_create_sampler_state), agx_border.c. The hardware has no
// bias of levels: shaders add desc.lod_bias. Nor has it SamplerDesc::late_magnify. AgxSamplerView::write()
// implements skip_srgb_decode.
#include "drivers/agx/state/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/agx/hw/formats.h"
#include "pipe/half.h"
#include "pipe/state_facts.h"

namespace terrazzo::agx {

namespace {

hw::Wrap wrap_of(pipe::Wrap w) {
    using enum hw::Wrap;
    // By Wrap.
    static constexpr hw::Wrap kModes[] = {Repeat, ClampToEdge, MirroredRepeat, ClampToBorder,
                                          MirroredClampToEdge};
    static_assert(std::size(kModes) == unsigned(pipe::Wrap::MirrorClampToEdge) + 1);
    return kModes[unsigned(w)];
}

hw::Filter filter_of(pipe::Filter f) {
    return f == pipe::Filter::Linear ? hw::Filter::Linear : hw::Filter::Nearest;
}

// The reference is the left operand, as in pipe.
hw::CompareFunc compare_of(pipe::Compare c) {
    using enum hw::CompareFunc;
    // By Compare.
    static constexpr hw::CompareFunc kFunctions[] = {Never,   Less,     Equal,  Lequal,
                                                     Greater, NotEqual, Gequal, Always};
    static_assert(std::size(kFunctions) == unsigned(pipe::Compare::Always) + 1);
    return kFunctions[unsigned(c)];
}

/// Of the hardware's own colours, opaque black is not used: which channel of a format's memory gets the 1 is
/// not known.
hw::BorderColor border_of(const pipe::BorderColor& c) {
    if (c == pipe::BorderColor()) return hw::BorderColor::TransparentBlack;
    if (c == pipe::BorderColor(1, 1, 1, 1)) return hw::BorderColor::OpaqueWhite;
    return hw::BorderColor::Custom;
}

/// Encodes a component of a border's colour as a channel.
uint32_t encode(const pipe::ChannelInfo& channel, uint32_t bits) {
    const uint32_t most = channel.bits < 32 ? (1u << channel.bits) - 1 : ~0u;
    const auto value = std::bit_cast<float>(bits);
    const auto scaled = [](float v, float least, uint32_t scale) {
        return std::isnan(v) ? 0 : int32_t(std::lrint(std::clamp(v, least, 1.0f) * float(scale)));
    };
    switch (channel.type) {
        case pipe::ChannelType::Unorm:
            return uint32_t(scaled(value, 0, most));
        case pipe::ChannelType::Snorm:
            return uint32_t(scaled(value, -1, most >> 1)) & most;
        case pipe::ChannelType::Uint:
            return std::min(bits, most);
        case pipe::ChannelType::Sint:
            return uint32_t(std::clamp(int32_t(bits), -int32_t(most >> 1) - 1, int32_t(most >> 1))) & most;
        case pipe::ChannelType::Float:
            return channel.bits == 32 ? bits : pipe::float_to_half(value);
        case pipe::ChannelType::None:  // padding
        case pipe::ChannelType::Uscaled:
        case pipe::ChannelType::Sscaled:
        case pipe::ChannelType::Fixed:
            break;
    }
    return 0;
}

}  // namespace

AgxSampler::AgxSampler(const pipe::SamplerDesc& d) : desc(d) {
    hw::Sampler s;
    s.minimum_lod = d.min_lod;
    s.maximum_lod = d.max_lod;
    s.maximum_anisotropy = std::bit_floor(uint32_t(std::clamp(d.max_anisotropy, 1.0f, 16.0f)));
    s.magnify = filter_of(d.mag);
    s.minify = filter_of(d.min);
    s.mip_filter = d.mip == pipe::MipFilter::None      ? hw::MipFilter::None
                   : d.mip == pipe::MipFilter::Nearest ? hw::MipFilter::Nearest
                                                       : hw::MipFilter::Linear;
    s.wrap_s = wrap_of(d.wrap_s);
    s.wrap_t = wrap_of(d.wrap_t);
    s.wrap_r = wrap_of(d.wrap_r);
    s.compare_func = compare_of(d.compare);
    s.compare_enable = d.compare_enable;
    s.seamful_cube_maps = !d.seamless_cube;
    if (pipe::reads_border(d)) s.border_color = border_of(d.border);
    custom_border = s.border_color == hw::BorderColor::Custom;
    hw::pack(s, words);
}

void AgxSampler::write(const AgxSamplerView* view, uint32_t out[kExtendedSampler_dw]) const {
    std::copy_n(words, hw::Sampler::kSize_dw, out);
    hw::Border border;
    if (custom_border && view) {
        const pipe::Format format =
            desc.skip_srgb_decode ? pipe::format_to_linear(view->texels) : view->texels;
        const pipe::FormatInfo& info = pipe::format_info(format);
        bool is_known = true;
        for (unsigned c = 0; c < 4; ++c) {
            // The component that the channel in memory holds.
            unsigned component = c;
            for (unsigned n = 4; n-- > 0 && info.is_color;)
                if (info.swizzle[n] == pipe::Swizzle(c)) component = n;
            if (c >= info.channel_count) continue;
            const std::optional<pipe::ChannelInfo> channel = hw::border_channel(format, c);
            is_known &= channel.has_value();
            if (channel) border.channel[c] = encode(*channel, desc.border.bits[component]);
        }
        if (!is_known) {
            // Transparent black replaces a colour whose encoding is not known.
            hw::Sampler s;
            if (hw::unpack(words, &s)) {
                s.border_color = hw::BorderColor::TransparentBlack;
                hw::pack(s, out);
            }
        }
    }
    hw::pack(border, out + hw::Sampler::kSize_dw);
}

}  // namespace terrazzo::agx
