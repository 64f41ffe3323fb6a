// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two packed numbers that descriptors hold as one field: a pixel format of 22 bits (component order, code,
// sRGB) and a swizzle of 12 bits (four channels). Source: Mesa 25.0.7, src/panfrost/lib: genxml/gen_pack.py,
// pan_format.h.
#pragma once

#include <cstdint>

#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali::hw {

constexpr uint32_t pixel_format(PixelFormatCode code, ComponentOrder order, bool srgb = false) {
    return uint32_t(order) | uint32_t(code) << 12 | uint32_t(srgb) << 20;
}
constexpr PixelFormatCode pixel_format_code(uint32_t format) {
    return PixelFormatCode(format >> 12 & 0xff);
}
/// Not for YUV formats, whose low bits describe the storage of their planes.
constexpr ComponentOrder pixel_format_order(uint32_t format) {
    return ComponentOrder(format & 0xff);
}
constexpr bool pixel_format_srgb(uint32_t format) {
    return format >> 20 & 1;
}
constexpr uint32_t without_srgb(uint32_t format) {
    return format & ~(1u << 20);
}

/// The sources of R, G, B and A.
constexpr uint32_t component_swizzle(Channel r, Channel g, Channel b, Channel a) {
    return uint32_t(r) | uint32_t(g) << 3 | uint32_t(b) << 6 | uint32_t(a) << 9;
}
constexpr Channel swizzle_channel(uint32_t swizzle, unsigned component) {
    return Channel(swizzle >> 3 * component & 7);
}
/// Two of a channel's eight values are reserved.
constexpr bool swizzle_valid(uint32_t swizzle) {
    for (unsigned c = 0; c < 4; ++c)
        if (swizzle_channel(swizzle, c) > Channel::One) return false;
    return true;
}
inline constexpr uint32_t kIdentitySwizzle =
    component_swizzle(Channel::R, Channel::G, Channel::B, Channel::A);

/// "format: RGBA8_UNORM RGBA sRGB", for generated printers.
void print_pixel_format(fields::Printer& printer, const char* name, uint32_t format);
/// "swizzle: RGB1".
void print_component_swizzle(fields::Printer& printer, const char* name, uint32_t swizzle);

}  // namespace terrazzo::mali::hw
