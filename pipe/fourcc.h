// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Linux' formats of shared images (drm_fourcc.h), and the images of ours that each consists of.
#pragma once

#include <cstdint>
#include <span>

#include "pipe/format.h"

namespace terrazzo::pipe {

constexpr uint32_t fourcc(char a, char b, char c, char d) {
    return uint32_t(uint8_t(a)) | uint32_t(uint8_t(b)) << 8 | uint32_t(uint8_t(c)) << 16 |
           uint32_t(uint8_t(d)) << 24;
}

/// A plane: a separate image of the whole size, or of half of it in dimensions whose shift is 1.
struct FourccPlane {
    Format format = Format::None;
    uint8_t x_shift = 0, y_shift = 0;
    /// The size of a plane if the whole image has `size_px` pixels, rounded up.
    [[nodiscard]] static constexpr uint32_t shifted(uint32_t size_px, uint8_t shift) {
        return (size_px + (1u << shift) - 1) >> shift;
    }
    [[nodiscard]] uint32_t width(uint32_t width_px) const { return shifted(width_px, x_shift); }
    [[nodiscard]] uint32_t height(uint32_t height_px) const { return shifted(height_px, y_shift); }
};

inline constexpr unsigned kMaxPlanes = 3;

struct FourccRow {
    uint32_t code = 0;
    Format format = Format::None;  // GL's format of it; None: Y, U and V, which shaders convert to colours
    uint8_t planes = 1;
    FourccPlane plane[kMaxPlanes];  // Y first
    bool v_first = false;           // V takes U's place: the second plane, or that plane's first channel
    uint8_t bits = 8;               // of a channel of Y, U and V: the highest ones of its word
    [[nodiscard]] bool is_yuv() const { return format == Format::None; }
};

[[nodiscard]] std::span<const FourccRow> all_fourccs();
/// Null: the code is unknown.
[[nodiscard]] const FourccRow* find_fourcc(uint32_t code);
/// The code of a format with one plane, by GL's order in memory. sRGB formats have the code of their linear
/// variant. 0: there is none.
[[nodiscard]] uint32_t fourcc_of(Format f);

}  // namespace terrazzo::pipe
