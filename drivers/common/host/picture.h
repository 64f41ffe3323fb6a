// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The contents of a colour target for people.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace terrazzo::host {

/// Rows in memory's order, four bytes per pixel, R first. In OpenGL's own images the first row is the lowest.
struct Picture {
    uint64_t submission = 0;
    uint32_t width_px = 0, height_px = 0;
    std::vector<uint8_t> rgba;

    /// Black and transparent; false: it has this size already, and its pixels stay.
    bool resize(uint32_t width, uint32_t height) {
        if (width_px == width && height_px == height) return false;
        width_px = width;
        height_px = height;
        rgba.assign(size_t(width) * height * 4, 0);
        return true;
    }
    uint8_t* at(uint32_t x, uint32_t y) { return &rgba[(size_t(y) * width_px + x) * 4]; }
};

/// NaN is 0.
inline uint8_t picture_byte(float v) {
    return uint8_t(std::lround((v > 0 ? v < 1 ? v : 1.0f : 0.0f) * 255));
}

class PictureSink {
  public:
    virtual ~PictureSink() = default;
    virtual void picture(const Picture& picture) = 0;
};

}  // namespace terrazzo::host
