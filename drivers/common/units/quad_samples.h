// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The samples of a quad's pixels as a word: a byte for each pixel, a bit for each sample.
#pragma once

#include <cstdint>

namespace terrazzo::units {

/// The number of bits set in four bytes; inline, because the host may lack the instruction.
inline unsigned count_bits(uint32_t v) {
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
/// The pixels (a bit each) that have sample n.
constexpr unsigned pixels_of(uint32_t samples, unsigned n) {
    return ((samples >> n & 0x01010101u) * 0x01020408u) >> 24 & 15;
}
/// The number of a quad's pixels.
constexpr unsigned count_pixels(unsigned pixels) {
    return (pixels & 1) + (pixels >> 1 & 1) + (pixels >> 2 & 1) + (pixels >> 3);
}
/// Sample 0 of the pixels.
constexpr uint32_t samples_of(unsigned pixels) {
    return (pixels * 0x00204081u) & 0x01010101u;
}
/// The pixels with any sample.
constexpr unsigned any_pixels(uint32_t samples) {
    samples |= samples >> 4 & 0x0f0f0f0fu;
    samples |= samples >> 2 & 0x03030303u;
    return pixels_of(samples | samples >> 1, 0);
}
/// All samples of all pixels.
constexpr uint32_t whole_quad(unsigned samples) {
    return ((1u << samples) - 1) * 0x01010101u;
}
/// Alpha to coverage: the samples of a pixel that alpha leaves. Sample n is left from (n + 1/2) / samples on.
constexpr unsigned alpha_coverage(float alpha, unsigned samples) {
    unsigned kept = 0;
    for (unsigned n = 0; n < samples; ++n)
        kept |= unsigned(alpha >= (float(n) + 0.5f) / float(samples)) << n;
    return kept;
}

}  // namespace terrazzo::units
