// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending rules. Source: OpenGL ES 3.2 section 15.1.5, tables 15.1 and 15.2.
#include "pipe/raster/blend.h"

#include <algorithm>
#include <cmath>

namespace terrazzo::pipe::raster {

namespace {

float clamp_to(ColorRange range, float v) {
    switch (range) {
        case ColorRange::Unorm8:
        case ColorRange::Unorm:
            return v > 0.0f ? std::min(v, 1.0f) : 0.0f;  // NaN becomes 0
        case ColorRange::Snorm:
            return v > -1.0f ? std::min(v, 1.0f) : v <= -1.0f ? -1.0f : 0.0f;
        case ColorRange::Float:
            return v;
    }
    return v;
}

template <class V>
V to_v(float v) {
    return v;
}
float select(bool c, float a, float b) {
    return c ? a : b;
}
float min_of(float a, float b) {
    return std::min(a, b);
}
float max_of(float a, float b) {
    return std::max(a, b);
}
float root_of(float v) {
    return std::sqrt(v);
}

#include "pipe/raster/advanced_blend.inc"

struct Operands {
    float src[4], second[4], dst[4], constant[4];
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
        case BlendFactor::Src1Color:
            return o.second[c];
        case BlendFactor::OneMinusSrc1Color:
            return 1.0f - o.second[c];
        case BlendFactor::Src1Alpha:
            return o.second[3];
        case BlendFactor::OneMinusSrc1Alpha:
            return 1.0f - o.second[3];
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
            return std::min(s, d);  // ignores the factors
        case BlendOp::Max:
            return std::max(s, d);
    }
    return 0.0f;
}

int to_byte(float v) {
    return int(std::nearbyint(clamp_to(ColorRange::Unorm8, v) * 255.0f));
}

struct Bytes {
    int src[4], second[4], dst[4], constant[4];
};

int byte_factor(BlendFactor f, const Bytes& o, unsigned c) {
    switch (f) {
        case BlendFactor::Zero:
            return 0;
        case BlendFactor::One:
            return 255;
        case BlendFactor::SrcColor:
            return o.src[c];
        case BlendFactor::OneMinusSrcColor:
            return 255 - o.src[c];
        case BlendFactor::DstColor:
            return o.dst[c];
        case BlendFactor::OneMinusDstColor:
            return 255 - o.dst[c];
        case BlendFactor::SrcAlpha:
            return o.src[3];
        case BlendFactor::OneMinusSrcAlpha:
            return 255 - o.src[3];
        case BlendFactor::DstAlpha:
            return o.dst[3];
        case BlendFactor::OneMinusDstAlpha:
            return 255 - o.dst[3];
        case BlendFactor::ConstColor:
            return o.constant[c];
        case BlendFactor::OneMinusConstColor:
            return 255 - o.constant[c];
        case BlendFactor::ConstAlpha:
            return o.constant[3];
        case BlendFactor::OneMinusConstAlpha:
            return 255 - o.constant[3];
        case BlendFactor::SrcAlphaSaturate:
            return c == 3 ? 255 : std::min(o.src[3], 255 - o.dst[3]);
        case BlendFactor::Src1Color:
            return o.second[c];
        case BlendFactor::OneMinusSrc1Color:
            return 255 - o.second[c];
        case BlendFactor::Src1Alpha:
            return o.second[3];
        case BlendFactor::OneMinusSrc1Alpha:
            return 255 - o.second[3];
    }
    return 0;
}

int byte_equation(BlendOp op, BlendFactor src_factor, BlendFactor dst_factor, const Bytes& o, unsigned c) {
    const int s = o.src[c] * byte_factor(src_factor, o, c), d = o.dst[c] * byte_factor(dst_factor, o, c);
    const auto nearest = [](int v) { return std::clamp((2 * v + 255) / 510, 0, 255); };
    switch (op) {
        case BlendOp::Add:
            return nearest(s + d);
        case BlendOp::Subtract:
            return nearest(std::max(s - d, 0));
        case BlendOp::ReverseSubtract:
            return nearest(std::max(d - s, 0));
        case BlendOp::Min:
            return std::min(o.src[c], o.dst[c]);  // ignores the factors
        case BlendOp::Max:
            return std::max(o.src[c], o.dst[c]);
    }
    return 0;
}

void blend_bytes(const BlendTargetDesc& desc, const float constant[4], const float src[4], const float dst[4],
                 float out[4], const float second[4]) {
    Bytes o;
    for (unsigned c = 0; c < 4; ++c) {
        o.src[c] = to_byte(src[c]);
        o.second[c] = second ? to_byte(second[c]) : 0;
        o.dst[c] = to_byte(dst[c]);
        o.constant[c] = to_byte(constant[c]);
    }
    for (unsigned c = 0; c < 4; ++c) {
        const int v = !desc.enable ? o.src[c]
                      : c == 3     ? byte_equation(desc.op_alpha, desc.src_alpha, desc.dst_alpha, o, c)
                                   : byte_equation(desc.op_rgb, desc.src_rgb, desc.dst_rgb, o, c);
        out[c] = float(v) / 255.0f;
    }
}

}  // namespace

ColorRange color_range(Format format) {
    if (format == Format::R8G8B8A8_UNORM || format == Format::R8G8B8X8_UNORM ||
        format == Format::B8G8R8A8_UNORM || format == Format::B8G8R8X8_UNORM)
        return ColorRange::Unorm8;
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
           const float dst[4], float out[4], const float second[4]) {
    const bool advanced = desc.enable && desc.advanced != AdvancedBlend::None;
    if (range == ColorRange::Unorm8 && !advanced) return blend_bytes(desc, constant, src, dst, out, second);
    Operands o;
    for (unsigned c = 0; c < 4; ++c) {
        o.src[c] = clamp_to(range, src[c]);
        o.second[c] = second ? clamp_to(range, second[c]) : 0;
        o.dst[c] = clamp_to(range, dst[c]);
        o.constant[c] = clamp_to(range, constant[c]);
    }
    if (advanced) {
        float mixed[4];
        advanced_blend(desc.advanced, o.src, o.dst, mixed);
        for (unsigned c = 0; c < 4; ++c)
            out[c] = clamp_to(range, mixed[c]);
        return;
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
