// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending rules. Source: OpenGL ES 3.2 section 15.1.5, tables 15.1 and 15.2.
#include "pipe/raster/blend.h"

#include <algorithm>

namespace terrazzo::pipe::raster {

namespace {

float clamp_to(ColorRange range, float v) {
    switch (range) {
        case ColorRange::Unorm:
            return v > 0.0f ? std::min(v, 1.0f) : 0.0f;  // NaN becomes 0
        case ColorRange::Snorm:
            return v > -1.0f ? std::min(v, 1.0f) : v <= -1.0f ? -1.0f : 0.0f;
        case ColorRange::Float:
            return v;
    }
    return v;
}

struct Operands {
    float src[4], dst[4], constant[4];
};

float factor(BlendFactor f, const Operands& o, unsigned c) {
    switch (f) {
        case BlendFactor::Zero:
            return 0.0f;
        case BlendFactor::One:
            return 1.0f;
        case BlendFactor::SrcColor:
            return o.src[c];
        case BlendFactor::OneMinusSrcColor:
            return 1.0f - o.src[c];
        case BlendFactor::DstColor:
            return o.dst[c];
        case BlendFactor::OneMinusDstColor:
            return 1.0f - o.dst[c];
        case BlendFactor::SrcAlpha:
            return o.src[3];
        case BlendFactor::OneMinusSrcAlpha:
            return 1.0f - o.src[3];
        case BlendFactor::DstAlpha:
            return o.dst[3];
        case BlendFactor::OneMinusDstAlpha:
            return 1.0f - o.dst[3];
        case BlendFactor::ConstColor:
            return o.constant[c];
        case BlendFactor::OneMinusConstColor:
            return 1.0f - o.constant[c];
        case BlendFactor::ConstAlpha:
            return o.constant[3];
        case BlendFactor::OneMinusConstAlpha:
            return 1.0f - o.constant[3];
        case BlendFactor::SrcAlphaSaturate:
            return c == 3 ? 1.0f : std::min(o.src[3], 1.0f - o.dst[3]);
    }
    return 0.0f;
}

float equation(BlendOp op, BlendFactor src_factor, BlendFactor dst_factor, const Operands& o, unsigned c) {
    const float s = o.src[c], d = o.dst[c];
    switch (op) {
        case BlendOp::Add:
            return s * factor(src_factor, o, c) + d * factor(dst_factor, o, c);
        case BlendOp::Subtract:
            return s * factor(src_factor, o, c) - d * factor(dst_factor, o, c);
        case BlendOp::ReverseSubtract:
            return d * factor(dst_factor, o, c) - s * factor(src_factor, o, c);
        case BlendOp::Min:
            return std::min(s, d);  // factors do not apply
        case BlendOp::Max:
            return std::max(s, d);
    }
    return 0.0f;
}

}  // namespace

ColorRange color_range(Format format) {
    const FormatInfo& info = format_info(format);
    switch (info.channel[0].type) {
        case ChannelType::Unorm:
            return ColorRange::Unorm;
        case ChannelType::Snorm:
            return ColorRange::Snorm;
        case ChannelType::None:
        case ChannelType::Uint:
        case ChannelType::Sint:
        case ChannelType::Uscaled:
        case ChannelType::Sscaled:
        case ChannelType::Fixed:
        case ChannelType::Float:
            return ColorRange::Float;
    }
    return ColorRange::Float;
}

void blend(const BlendTargetDesc& desc, ColorRange range, const float constant[4], const float src[4],
           const float dst[4], float out[4]) {
    Operands o;
    for (unsigned c = 0; c < 4; ++c) {
        o.src[c] = clamp_to(range, src[c]);
        o.dst[c] = clamp_to(range, dst[c]);
        o.constant[c] = clamp_to(range, constant[c]);
    }
    for (unsigned c = 0; c < 4; ++c) {
        const bool alpha = c == 3;
        out[c] = !desc.enable ? o.src[c]
                 : alpha      ? clamp_to(range, equation(desc.op_alpha, desc.src_alpha, desc.dst_alpha, o, c))
                              : clamp_to(range, equation(desc.op_rgb, desc.src_rgb, desc.dst_rgb, o, c));
    }
}

void apply_color_mask(uint8_t write_mask, const float src[4], const float dst[4], float out[4]) {
    for (unsigned c = 0; c < 4; ++c)
        out[c] = write_mask >> c & 1 ? src[c] : dst[c];
}

void apply_color_mask(uint8_t write_mask, const uint32_t src[4], const uint32_t dst[4], uint32_t out[4]) {
    for (unsigned c = 0; c < 4; ++c)
        out[c] = write_mask >> c & 1 ? src[c] : dst[c];
}

}  // namespace terrazzo::pipe::raster
