// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/yuv.h"

namespace terrazzo::st {

namespace {

namespace at = ir::external_conversion;

static_assert(ir::kMaxSamplerSlots == pipe::kMaxSamplers, "programs have as many slots as the pipe");

/// The parts of red and blue in Y; the rest is green.
struct Weights {
    double red, blue;
};
Weights weights_of(YuvPlanes::Space s) {
    switch (s) {
        case YuvPlanes::Space::Bt601:
            return {0.299, 0.114};
        case YuvPlanes::Space::Bt709:
            return {0.2126, 0.0722};
        case YuvPlanes::Space::Bt2020:
            return {0.2627, 0.0593};
    }
    return {};
}

/// Converts a sample in [0,1] to a channel: sample * scale + offset.
struct Channel {
    double scale, offset;
};
struct Channels {
    Channel y, chroma;
};
Channels channels_of(const YuvPlanes& p) {
    const double most = double((1u << p.bits) - 1), unit = double(1u << p.bits) / 256;
    // The value's bits are the highest ones of a word of 8 or 16 bits.
    const double codes = p.bits == 8 ? 255 : 65535.0 / double(1u << (16 - p.bits));
    if (p.full_range) return {{codes / most, 0}, {codes / most, -128 * unit / most}};
    return {{codes / (219 * unit), -16.0 / 219}, {codes / (224 * unit), -128.0 / 224}};
}

using Row = std::array<double, 4>;  // factors of the sampled Y, U and V, and a constant

/// The factors of y * Y + u * U + v * V.
Row row(const Channels& c, double y, double u, double v) {
    return {y * c.y.scale, u * c.chroma.scale, v * c.chroma.scale,
            y * c.y.offset + (u + v) * c.chroma.offset};
}

/// The factors of a component of the texture's swizzle.
Row shown(GLenum component, const std::array<Row, 3>& rgb) {
    switch (component) {
        case GL_RED:
            return rgb[0];
        case GL_GREEN:
            return rgb[1];
        case GL_BLUE:
            return rgb[2];
        case GL_ZERO:
            return {};
        default:
            return {0, 0, 0, 1};
    }
}

}  // namespace

YuvConversion yuv_conversion(const YuvPlanes& p, uint32_t width_px, uint32_t height_px,
                             const std::array<GLenum, 4>& swizzle, bool linear) {
    YuvConversion out{};
    out[at::kMode] = float(p.count());
    const uint8_t shifts[] = {p.x_shift, p.y_shift};
    const uint32_t sizes[] = {width_px, height_px};
    const float sitings[] = {p.x_siting, p.y_siting};
    const pipe::ResourceDesc& chroma = p.chroma[0]->desc;
    const uint32_t chroma_sizes[] = {chroma.width, chroma.height};
    for (unsigned n = 0; n < 2; ++n) {
        out[at::kShift + n] = shifts[n];
        // If the size is not a multiple of the subsampling, the last chroma texel extends beyond the image.
        const double covered = double(chroma_sizes[n]) * double(1u << shifts[n]);
        out[at::kScale + n] = float(sizes[n] / covered);
        if (shifts[n] && linear) out[at::kOffset + n] = float((0.5 - double(sitings[n])) / covered);
    }
    const Weights w = weights_of(p.space);
    const double green = 1 - w.red - w.blue;
    const double of_v = 2 * (1 - w.red), of_u = 2 * (1 - w.blue);
    const Channels c = channels_of(p);
    const std::array<Row, 3> rgb{row(c, 1, 0, of_v), row(c, 1, -of_u * w.blue / green, -of_v * w.red / green),
                                 row(c, 1, of_u, 0)};
    for (unsigned n = 0; n < 4; ++n) {
        const Row r = shown(swizzle[n], rgb);
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned from = p.v_first && (k == 1 || k == 2) ? 3 - k : k;
            out[at::kMatrix + n * 4 + k] = float(r[from]);
        }
    }
    return out;
}

}  // namespace terrazzo::st
