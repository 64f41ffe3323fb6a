// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The meaning of LoadImage, StoreImage, AtomicImage and ImageSize (memory.h has their operands and rules).
//
// Coordinates are x; x, y; or x, y, z. z is a 3D image's slice, a cube's face, an array's layer, or six times
// the layer plus the face of an array of cubes. An array of 1D images has x and its layer.
//
// Texels have the format MemInfo::format, or if that is None, the format of the slot. Components that a
// format lacks load as 0 (green, blue) and 1 (alpha). Stored values are rounded to the nearest value of the
// format and clamped to its range; NaN becomes 0 in formats without NaN.
#pragma once

#include <cstdint>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

[[nodiscard]] uint32_t texel_size_B(ImageFormat f);
/// Whether texels of the format are I32; otherwise they are F32. The format must not be None.
[[nodiscard]] constexpr bool is_integer(ImageFormat f) {
    return f >= ImageFormat::Rgba32i;
}

/// The level and layers in a slot. Its address, rows and slices are aligned to 4 bytes.
struct ImageRange {
    uint8_t* data = nullptr;
    ImageFormat format = ImageFormat::None;
    uint32_t width = 0, height = 0, depth = 0;  // depth: slices, layers or faces
    uint64_t row_stride_B = 0, slice_stride_B = 0;
};

/// One instruction for some lanes. Rows have a word a lane.
struct ImageAccess {
    Op op = Op::LoadImage;
    const MemInfo* info = nullptr;
    const ImageRange* slots = nullptr;  // of the binding and the next info->count - 1
    unsigned lanes = 0;
    uint64_t mask = 0;                // lanes that access it
    const uint32_t* coord[3] = {};    // those that there are
    const uint32_t* index = nullptr;  // null: none
    const uint32_t* value[4] = {};
    uint32_t* out[4] = {};  // rows to fill; those of lanes outside `mask` get 0
};
/// Any number of threads at once.
void access_image(const ImageAccess& a);

}  // namespace terrazzo::ir
