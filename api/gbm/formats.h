// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gbm.h's formats: fourccs, and two older names for them.
#pragma once

#include <cstdint>

#include "pipe/screen.h"

namespace terrazzo::gbm {

/// The fourcc of a format of gbm.h.
[[nodiscard]] uint32_t canonical_format(uint32_t format);
/// Bits of a pixel; 0: not a format of pixels that lie in one piece.
[[nodiscard]] uint32_t bits_per_pixel(uint32_t format);
/// What images of the fourcc are that the device can be asked to create: those that it draws to or, where not `drawn`, samples.
/// None: it has none.
[[nodiscard]] pipe::Format image_format(const pipe::Screen& screen, uint32_t fourcc, bool drawn);
/// How many planes an image of that fourcc and modifier has. 0: the device does not know it.
[[nodiscard]] unsigned plane_count(const pipe::Screen& screen, uint32_t fourcc, uint64_t modifier);

}  // namespace terrazzo::gbm
