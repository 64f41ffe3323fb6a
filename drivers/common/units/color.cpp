// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: OpenGL ES 3.2 sections 15.1.5 (blending), 15.2.2 (masks) and 16.2.1 (resolves).
#include "drivers/common/units/color.h"

#include <bit>
#include <cstring>

namespace terrazzo::units {

namespace {

void to_floats(const uint32_t bits[4], float out[4]) {
    for (unsigned c = 0; c < 4; ++c)
        out[c] = std::bit_cast<float>(bits[c]);
}

}  // namespace

bool color_target(const FormatReader& format, ColorTarget* out) {
    const pipe::FormatInfo& info = pipe::format_info(format.format);
    if (!format || info.has_depth || info.has_stencil || info.is_compressed) return false;
    *out = {};
    out->format = format;
    out->blend.write_mask = 15;
    if (format.kind == NumberKind::Float) out->range = pipe::raster::color_range(format.format);
    out->rgba8 = format.is_in_order() && format.format == pipe::Format::R8G8B8A8_UNORM;
    return true;
}

void write_color(const ColorTarget& target, const uint32_t source[4], const uint32_t* second,
                 uint8_t* sample) {
    uint32_t stored[4], bits[4];
    target.format.read(sample, stored);
    if (target.format.kind != NumberKind::Float) {
        pipe::raster::apply_color_mask(target.blend.write_mask, source, stored, bits);
        return target.format.write(bits, sample);
    }
    float src[4], dst[4], other[4], out[4];
    to_floats(source, src);
    to_floats(stored, dst);
    if (second) to_floats(second, other);
    pipe::raster::blend(target.blend, target.range, target.constant, src, dst, out, second ? other : nullptr);
    pipe::raster::apply_color_mask(target.blend.write_mask, out, dst, out);
    for (unsigned c = 0; c < 4; ++c)
        bits[c] = std::bit_cast<uint32_t>(out[c]);
    target.format.write(bits, sample);
}

void resolve_pixel(const FormatReader& format, const uint8_t* samples, unsigned count, uint8_t* pixel) {
    const bool is_mean = format.kind == NumberKind::Float && !format.depth && !format.stencil;
    if (!is_mean || count == 1) {
        std::memcpy(pixel, samples, format.size_B);
        return;
    }
    float sum[4] = {};
    for (unsigned i = 0; i < count; ++i) {
        uint32_t bits[4];
        float v[4];
        format.read(samples + size_t(i) * format.size_B, bits);
        to_floats(bits, v);
        for (unsigned c = 0; c < 4; ++c)
            sum[c] += v[c];
    }
    uint32_t bits[4];
    for (unsigned c = 0; c < 4; ++c)
        bits[c] = std::bit_cast<uint32_t>(sum[c] / float(count));
    format.write(bits, pixel);
}

}  // namespace terrazzo::units
