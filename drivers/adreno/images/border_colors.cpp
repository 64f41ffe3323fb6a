// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_texture.cc (the encoding for each format; integers are stored in the 32-bit words
// and, clamped to the format's size, in those of half floats).
#include "drivers/adreno/images/border_colors.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "pipe/half.h"

namespace terrazzo::adreno {
namespace {

uint32_t unorm(float f, uint32_t most) {
    return uint32_t(std::lround(std::clamp(f, 0.0f, 1.0f) * float(most)));
}
int32_t snorm(float f, int32_t most) {
    return int32_t(std::lround(std::clamp(f, -1.0f, 1.0f) * float(most)));
}

void fill_floats(const pipe::BorderColor& c, hw::BorderColor* e) {
    for (unsigned i = 0; i < 4; ++i) {
        const float f = std::isnan(c[i]) ? 0 : c[i];
        e->fp32[i] = std::bit_cast<uint32_t>(f);
        e->fp16[i] = pipe::float_to_half(f);
        e->srgb[i] = pipe::float_to_half(std::clamp(f, 0.0f, 1.0f));
        e->ui16[i] = unorm(f, 0xffff);
        e->si16[i] = uint32_t(snorm(f, 0x7fff)) & 0xffff;
        e->ui8[i] = unorm(f, 0xff);
        e->si8[i] = uint32_t(snorm(f, 0x7f)) & 0xff;
        e->rgb10a2 |= i == 3 ? unorm(f, 3) << 30 : unorm(f, 0x3ff) << (10 * i);
        e->rgba4 |= unorm(f, 0xf) << (4 * i);
        e->rgb5a1 |= i == 3 ? unorm(f, 1) << 15 : unorm(f, 0x1f) << (5 * i);
    }
    const auto channel = [&](unsigned i) { return std::isnan(c[i]) ? 0.0f : c[i]; };
    e->rgb565 = unorm(channel(0), 0x1f) | unorm(channel(1), 0x3f) << 5 | unorm(channel(2), 0x1f) << 11;
    e->z24 = unorm(channel(0), 0xffffff);
}

void fill_integers(const pipe::BorderColor& c, BorderForm form, hw::BorderColor* e) {
    for (unsigned i = 0; i < 4; ++i) {
        const uint32_t bits = c.bits[i];
        const auto number = int32_t(bits);
        e->fp32[i] = bits;
        switch (form) {
            case BorderForm::Uint8:
                e->fp16[i] = std::min(bits, 0xffu);
                break;
            case BorderForm::Int8:
                e->fp16[i] = uint32_t(std::clamp(number, -128, 127)) & 0xffff;
                break;
            case BorderForm::Uint10:
                e->fp16[i] = std::min(bits, i == 3 ? 3u : 0x3ffu);
                break;
            case BorderForm::Uint16:
                e->fp16[i] = std::min(bits, 0xffffu);
                break;
            case BorderForm::Int16:
                e->fp16[i] = uint32_t(std::clamp(number, -32768, 32767)) & 0xffff;
                break;
            case BorderForm::Bits32:
            case BorderForm::Float:
                break;
        }
    }
}

}  // namespace

BorderForm border_form(pipe::Format format) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    const pipe::ChannelInfo& red = info.channel[0];
    const bool is_signed = red.type == pipe::ChannelType::Sint;
    if (!is_signed && red.type != pipe::ChannelType::Uint) return BorderForm::Float;
    switch (red.bits) {
        case 8:
            return is_signed ? BorderForm::Int8 : BorderForm::Uint8;
        case 16:
            return is_signed ? BorderForm::Int16 : BorderForm::Uint16;
        case 32:
            return BorderForm::Bits32;
        default:
            return BorderForm::Uint10;
    }
}

hw::BorderColor describe_border(const pipe::BorderColor& color, BorderForm form) {
    hw::BorderColor e;
    if (form == BorderForm::Float)
        fill_floats(color, &e);
    else
        fill_integers(color, form, &e);
    return e;
}

}  // namespace terrazzo::adreno
