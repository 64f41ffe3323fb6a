// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture sampling exactly by the OpenGL ES specification (3.2, chapter 8), one sample at a time, in double
// precision. The sampling code is compared with it.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft::test {

using Color = std::array<double, 4>;

/// A texture with random texels, stored in its format and decoded.
struct Texture {
    TextureUnit unit = {};
    std::vector<std::vector<uint8_t>> memory;  // by level
    std::vector<std::vector<Color>> texels;    // by level: (z * height + y) * width + x

    Texture(pipe::ResourceKind kind, pipe::Format format, int w, int h, int d, int levels,
            std::mt19937& random);
    [[nodiscard]] Color texel(int level, int x, int y, int z) const {
        const TextureUnit::Level& l = unit.levels[level];
        return texels[size_t(level)]
                     [(size_t(z) * size_t(l.height) + size_t(y)) * size_t(l.width) + size_t(x)];
    }
};

struct Point {
    double s = 0, t = 0, r = 0, layer = 0, ref = 0, lambda = 0;
};

/// The sample at a point with a given LOD. *margin receives the distance, in texels or levels, to a different
/// result.
[[nodiscard]] Color reference_sample(const Texture& texture, const Point& p, double* margin);

}  // namespace terrazzo::soft::test
