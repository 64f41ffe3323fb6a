// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The contents of an AFBC payload. Arm's coding is not public, and only the GPU reads it. So this coding is
// our own. It is lossless, and works on subblocks of 4x4 pixels, whose sizes are in the header. A subblock is
// stored uncompressed, or as one pixel if all its pixels are equal. A superblock of one colour has no
// payload. pipe/layout/afbc.h describes the headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pipe/layout/afbc.h"

namespace terrazzo::mali::sim {

inline constexpr unsigned kMaxPixel_B = 16, kSuperblockPixels = 256;

/// Encodes a superblock of 16x16 pixels, or 32x8 if `wide`. Writes the payload (at most its uncompressed
/// size) and returns its size in bytes; fills in the header's sizes, or makes it a solid colour.
/// `payload_offset_B` is the payload's future place.
uint32_t afbc_encode(const uint8_t* rows, size_t row_B, unsigned pixel_B, bool wide,
                     uint32_t payload_offset_B, uint8_t* payload, std::span<uint32_t, 4> header);

/// The payload's size for a header, and the decoder. False: a size that the coding does not have, or a
/// payload that is too short.
uint32_t afbc_payload_B(std::span<const uint32_t, 4> header, unsigned pixel_B);
[[nodiscard]] bool afbc_decode(std::span<const uint32_t, 4> header, std::span<const uint8_t> payload,
                               unsigned pixel_B, bool wide, uint8_t* pixels);

}  // namespace terrazzo::mali::sim
