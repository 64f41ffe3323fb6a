// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gbm.h's formats: fourcc codes, and two older names for them.
#pragma once

#include <cstdint>

#include "pipe/screen.h"

namespace terrazzo::gbm {

/// The fourcc code of a format of gbm.h.
[[nodiscard]] uint32_t canonical_format(uint32_t format);
/// Bits per pixel; 0: not a format with one plane.
[[nodiscard]] uint32_t bits_per_pixel(uint32_t format);
/// The format of images that the device can create for the code, and can draw to or, if not `drawn`, sample.
/// None: there is none.
[[nodiscard]] pipe::Format image_format(const pipe::Screen& screen, uint32_t fourcc, bool drawn);
/// The number of planes of an image with this code and modifier. 0: the device does not support it.
[[nodiscard]] unsigned plane_count(const pipe::Screen& screen, uint32_t fourcc, uint64_t modifier);

}  // namespace terrazzo::gbm
