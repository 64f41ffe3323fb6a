// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/depth_stencil.h"

#include <limits>

namespace terrazzo::units {

uint32_t to_unorm(float v, unsigned bits) {
    if (!(v > 0)) return 0;
    const auto high = float((1u << bits) - 1);
    if (v >= 1) return uint32_t(high);
    // From 2^52 on, the low bits of a double are its integer value.
    return uint32_t(std::bit_cast<uint64_t>(double(v) * high + 0x1p52));
}

uint32_t encode_depth(DepthFormat format, float z) {
    switch (format) {
        case DepthFormat::Unorm16:
            return to_unorm(z, 16);
        case DepthFormat::Unorm24:
            return to_unorm(z, 24);
        case DepthFormat::Float32:
            break;
    }
    return std::bit_cast<uint32_t>(z);
}

float decode_depth(DepthFormat format, uint32_t word) {
    switch (format) {
        case DepthFormat::Unorm16:
            return float(double(word) / 65535);
        case DepthFormat::Unorm24:
            return float(double(word) / 16777215);
        case DepthFormat::Float32:
            break;
    }
    return std::bit_cast<float>(word);
}

DepthStencilTests::DepthStencilTests(const pipe::DepthStencilDesc& test, DepthFormat format)
    : test_(test), format_(format) {
    const auto passes = [&](float a, float b) {
        return pipe::raster::compare(test.depth_compare, a, b) ? -1 : 0;
    };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    depth_.less = passes(0, 1);
    depth_.equal = passes(1, 1);
    depth_.greater = passes(1, 0);
    depth_.unordered = passes(kNan, kNan);
    depth_.writes = test.depth_write ? -1 : 0;
    if (test.stencil_test) {
        run_ = run_samples;
    } else if (test.depth_test) {
        switch (format) {
            case DepthFormat::Unorm16:
                run_ = run_depth<DepthFormat::Unorm16>;
                break;
            case DepthFormat::Unorm24:
                run_ = run_depth<DepthFormat::Unorm24>;
                break;
            case DepthFormat::Float32:
                run_ = run_depth<DepthFormat::Float32>;
                break;
        }
    }
}

unsigned DepthStencilTests::pass_all(const DepthStencilTests&, bool, uint8_t, QuadF32, unsigned mask,
                                     QuadU32*, QuadU32*) {
    return mask;
}

// The general case, a sample at a time.
unsigned DepthStencilTests::run_samples(const DepthStencilTests& t, bool back_facing, uint8_t reference,
                                        QuadF32 z, unsigned mask, QuadU32* depth, QuadU32* stencil) {
    unsigned passes = 0;
    for (unsigned i = 0; i < kQuadPixels; ++i) {
        if (!(mask >> i & 1)) continue;
        uint32_t word = (*depth)[i];
        auto s = uint8_t((*stencil)[i]);
        passes |= unsigned(test_sample(t.test_, t.format_, back_facing, reference, z[i], &word, &s)) << i;
        (*depth)[i] = word;
        (*stencil)[i] = s;
    }
    return passes;
}

}  // namespace terrazzo::units
